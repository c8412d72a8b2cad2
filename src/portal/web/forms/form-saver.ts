import type { Language } from '../../../shared/translations.ts'
import type { AnswerProblem } from '../../../chart/forms/rules.ts'
import { type Credentials, isSessionOver } from '../calls.ts'
import { type ClosedCode, closedCodeOf, currentOf, type FormData, problemsOf, saveForm, submitForm } from './form-calls.ts'

/** Milliseconds after the last change until it is saved, and until an attempt that failed is repeated. */
const [saveAfter, retryAfter] = [700, 4_000]

type Answers = Record<string, unknown>

/** What the page shows. */
export interface Saving {
  answers: Answers
  state: 'saved' | 'saving' | 'unsaved'
  /** What the server has found wrong. */
  problems: readonly AnswerProblem[]
  wasChangedElsewhere: boolean
  isSubmitting: boolean
  hasFailedToSubmit: boolean
}

/** Why nothing more can be saved now: the session is over, or the form was submitted or is closed. */
export type Ending = 'SESSION_OVER' | 'DONE' | ClosedCode

/**
 * The answers of a form, saved as they change, one request at a time. What cannot be saved is kept and tried again, also in the next session:
 * this outlives the one that ended.
 */
export class FormSaver {
  #language: Language = 'en'
  #onEnd: (ending: Ending) => void = () => undefined
  /** When the last call was answered, in milliseconds since 1970. */
  readonly lastCall: { current: number }
  #saving: Saving = {
    answers: {},
    state: 'saved',
    problems: [],
    wasChangedElsewhere: false,
    isSubmitting: false,
    hasFailedToSubmit: false,
  }
  #pending: Answers = {}
  #form: { session: Credentials; id: string; revision: number } | null = null
  #running: Promise<boolean> | null = null
  #timer = 0
  readonly #listeners = new Set<() => void>()

  constructor(lastCall = { current: 0 }) {
    this.lastCall = lastCall
  }

  /** Begins with what the server has, under what is not saved yet. */
  open(session: Credentials, { id, revision, answers }: FormData): void {
    this.#form = { session, id, revision }
    this.touch()
    this.#show({ answers: { ...answers, ...this.#pending }, problems: [], isSubmitting: false, hasFailedToSubmit: false })
    this.#retry()
  }

  /** The language in which the patient fills in the form, saved with the answers. */
  setLanguage(language: Language): void {
    this.#language = language
  }

  /** Another call was answered. */
  touch(): void {
    this.lastCall.current = Date.now()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly read = (): Saving => this.#saving
  get hasPending(): boolean {
    return Object.keys(this.#pending).length > 0
  }

  change(questionId: string, value: unknown): void {
    this.#pending = { ...this.#pending, [questionId]: value }
    const { answers, problems, state } = this.#saving
    this.#show({
      answers: { ...answers, [questionId]: value },
      problems: problems.filter(({ question }) => question !== questionId),
      state: state === 'unsaved' ? state : 'saving',
    })
    this.#schedule(saveAfter)
  }

  /** Saves now. False: it could not be saved. */
  flush(): Promise<boolean> {
    clearTimeout(this.#timer)
    this.#running ??= this.#saveAll().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async submit(): Promise<void> {
    if (this.#saving.isSubmitting) return
    this.#show({ isSubmitting: true, hasFailedToSubmit: false })
    const isSaved = await this.flush()
    const form = this.#form
    if (!isSaved || !form) return this.#show({ isSubmitting: false, hasFailedToSubmit: true })
    try {
      await submitForm(form.session, { id: form.id, revision: form.revision, language: this.#language })
      this.#end('DONE')
    } catch (error) {
      const [current, problems] = [currentOf(error), problemsOf(error)]
      if (current) this.#take(current)
      else if (problems) this.#show({ problems })
      // Its answer was lost: the form was submitted by the first attempt.
      else if (closedCodeOf(error) === 'SUBMITTED') this.#end('DONE')
      else if (!this.#endBy(error)) this.#show({ hasFailedToSubmit: true })
    }
    this.#show({ isSubmitting: false })
  }

  /** Tries again when the device is online or the page visible again, and warns before unsaved answers are lost. */
  listen(onEnd: (ending: Ending) => void): () => void {
    this.#onEnd = onEnd
    const retry = () => this.#retry()
    const leave = (event: BeforeUnloadEvent) => {
      if (this.hasPending) event.preventDefault()
    }
    addEventListener('online', retry)
    addEventListener('beforeunload', leave)
    document.addEventListener('visibilitychange', retry)
    return () => {
      removeEventListener('online', retry)
      removeEventListener('beforeunload', leave)
      document.removeEventListener('visibilitychange', retry)
    }
  }

  /** Nothing more is kept or sent. */
  discard(): void {
    clearTimeout(this.#timer)
    this.#form = null
    this.#pending = {}
  }

  async #saveAll(): Promise<boolean> {
    while (this.#form && this.hasPending) {
      const form = this.#form
      const changes = this.#pending
      this.#pending = {}
      this.#show({ state: 'saving' })
      try {
        const { revision, problems } = await saveForm(
          form.session,
          { id: form.id, revision: form.revision, language: this.#language },
          changes,
        )
        form.revision = revision
        this.touch()
        this.#show({ problems: problems.filter(({ question }) => !Object.hasOwn(this.#pending, question)) })
      } catch (error) {
        // What has changed since the request is newer.
        this.#pending = { ...changes, ...this.#pending }
        const current = currentOf(error)
        if (current) this.#take(current)
        else {
          this.#show({ state: 'unsaved' })
          if (!this.#endBy(error)) this.#schedule(retryAfter)
          return false
        }
      }
    }
    this.#show({ state: this.hasPending ? 'unsaved' : 'saved' })
    return !this.hasPending
  }

  /** Takes what another device has saved, under what is not saved here yet. */
  #take({ revision, answers }: FormData): void {
    if (this.#form) this.#form.revision = revision
    this.#show({ answers: { ...answers, ...this.#pending }, wasChangedElsewhere: true })
  }

  #endBy(error: unknown): boolean {
    const ending = isSessionOver(error) ? 'SESSION_OVER' : closedCodeOf(error)
    if (ending) this.#end(ending)
    return ending !== null
  }

  #end(ending: Ending): void {
    clearTimeout(this.#timer)
    this.#form = null
    if (ending !== 'SESSION_OVER') this.#pending = {}
    this.#onEnd(ending)
  }

  #retry(): void {
    if (this.#form && this.hasPending) void this.flush()
  }

  #schedule(after: number): void {
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => this.#retry(), after)
  }

  #show(part: Partial<Saving>): void {
    this.#saving = { ...this.#saving, ...part }
    for (const listener of this.#listeners) listener()
  }
}
