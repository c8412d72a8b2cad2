import type { DraftKind, DraftState, Person } from '../../rules.ts'
import type { DraftData } from '../mailbox-data.ts'

/** The content of the draft. */
export interface Words {
  kind: DraftKind
  answers: { messageId: string; threadId: string } | null
  to: Person[]
  cc: Person[]
  bcc: Person[]
  subject: string
  text: string
}

export type DraftFile = DraftData['files'][number]

/** The stored state of a draft that differs from the server's. */
export interface Kept {
  words: Words
  files: DraftFile[]
  /** The version last returned by the server; 0: not saved there yet. */
  version: number
  /** Whether anything was written; otherwise the draft can be dropped. */
  isTouched: boolean
}

/**
 * - `lost`: no response; it is retried. - `refused`: refused until the content changes. - `conflict`: another window has saved other
 * content. - `gone`: sent or discarded elsewhere. - `sending`: already being sent.
 */
export type Refusal =
  | { kind: 'lost' | 'refused'; message: string }
  | { kind: 'conflict'; theirs: DraftData }
  | { kind: 'gone' }
  | { kind: 'sending' }

export interface KeeperSteps {
  /** Rejects with an error that `refusalOf` can read. */
  save: (id: string, words: Words, version: number) => Promise<DraftData>
  refusalOf: (error: unknown) => Refusal
  /** Stores it in the tab, or deletes it there. */
  keep: (id: string, kept: Kept | null) => void
}

export interface DraftView extends Kept {
  id: string
  save: 'idle' | 'waiting' | 'saving' | 'saved' | 'failed'
  refusal: Refusal | null
  /** The result of the last attempt to send. */
  state: DraftState
  problem: string | null
}

/** Milliseconds after the last key. */
const pause = 800
const [firstRetry, maxRetryMs] = [5_000, 60_000]

/**
 * Saves a draft while it is written: in the tab at once, and on the server after a pause, one save at a time. It outlives the page, so
 * text is saved even after leaving it.
 */
export class DraftKeeper {
  #view: DraftView
  #saving: Promise<boolean> | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #retryAfter = firstRetry
  #watchers = new Set<() => void>()
  readonly #steps: KeeperSteps
  readonly #pause: number

  constructor(id: string, kept: Kept, steps: KeeperSteps, { state = 'draft', problem = null, wait = pause }: KeeperOptions = {}) {
    this.#view = { ...kept, id, save: 'idle', refusal: null, state, problem }
    this.#steps = steps
    this.#pause = wait
  }

  subscribe = (watch: () => void): (() => void) => {
    this.#watchers.add(watch)
    return () => this.#watchers.delete(watch)
  }

  view = (): DraftView => this.#view

  /** The number of components that show it. */
  get watching(): number {
    return this.#watchers.size
  }

  /** Whether the server has the current content. */
  get isSaved(): boolean {
    return this.#view.save === 'saved' || (this.#view.save === 'idle' && !this.#view.isTouched)
  }

  change(part: Partial<Words>): void {
    this.#set({ words: { ...this.#view.words, ...part }, isTouched: true })
    // Waits while the user has to resolve a conflict.
    const isPaused = this.#view.refusal !== null && this.#view.refusal.kind !== 'lost' && this.#view.refusal.kind !== 'refused'
    if (!isPaused) {
      this.#set({ save: 'waiting' })
      this.#later(this.#pause)
    }
    this.#keep()
  }

  /** Sets the initial recipients. */
  address(whom: Pick<Words, 'to' | 'cc'>): void {
    this.#set({ words: { ...this.#view.words, ...whom } })
    this.#keep()
  }

  /** Saves pending changes now. False: it failed, and the view says why. */
  async save(): Promise<boolean> {
    clearTimeout(this.#timer)
    do {
      if (!(await this.#saveOnce())) return false
    } while (this.#view.save === 'waiting')
    clearTimeout(this.#timer)
    return true
  }

  /** Applies another window's save, unless something else was written here. */
  adopt(draft: DraftData): void {
    const { version, save, refusal } = this.#view
    if (draft.version < version) return
    const isMine = save === 'waiting' || save === 'saving' || save === 'failed' || refusal !== null
    if (isMine && draft.version > version) return
    const words = draft.version > version ? { words: wordsOf(draft) } : {}
    this.#set({ ...words, files: draft.files, version: draft.version, state: draft.state, problem: draft.problem })
  }

  setFiles(files: DraftFile[]): void {
    this.#set({ files })
    if (!this.isSaved) this.#keep()
  }

  addFile(file: DraftFile): void {
    this.setFiles([...this.#view.files.filter(({ id }) => id !== file.id), file])
  }

  /** Resolves a conflict with the other window's content. */
  takeTheirs(): void {
    const { refusal } = this.#view
    if (refusal?.kind !== 'conflict') return
    const { theirs } = refusal
    this.#set({
      words: wordsOf(theirs),
      files: theirs.files,
      version: theirs.version,
      state: theirs.state,
      problem: theirs.problem,
      refusal: null,
      save: 'saved',
    })
    this.#steps.keep(this.#view.id, null)
  }

  /** Resolves a conflict with this window's content. */
  keepMine(): Promise<boolean> {
    const { refusal } = this.#view
    if (refusal?.kind === 'conflict')
      this.#set({ version: refusal.theirs.version, files: refusal.theirs.files, refusal: null, save: 'waiting' })
    return this.save()
  }

  /** Sent or discarded: deletes the stored content. */
  end(): void {
    clearTimeout(this.#timer)
    this.#set({ save: 'saved', refusal: null })
    this.#steps.keep(this.#view.id, null)
  }

  /** Resolves once no save is running or scheduled. */
  async whenIdle(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#saving
    clearTimeout(this.#timer)
  }

  #later(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#saveOnce(), milliseconds)
  }

  /** Simultaneous callers wait for the same save. */
  #saveOnce(): Promise<boolean> {
    this.#saving ??= this.#run().finally(() => {
      this.#saving = null
    })
    return this.#saving
  }

  async #run(): Promise<boolean> {
    const { id, words, version, refusal } = this.#view
    if (refusal && refusal.kind !== 'lost' && refusal.kind !== 'refused') return false
    this.#set({ save: 'saving' })
    try {
      const draft = await this.#steps.save(id, words, version)
      const isSame = this.#view.words === words
      const { state, problem } = draft
      this.#set({ version: draft.version, state, problem, refusal: null, save: isSame ? 'saved' : 'waiting' })
      this.#retryAfter = firstRetry
      if (isSame) this.#steps.keep(id, null)
      else {
        this.#keep()
        this.#later(this.#pause)
      }
      return true
    } catch (error) {
      const refused = this.#steps.refusalOf(error)
      // Saved twice: the first response was lost, and the content is equal.
      if (refused.kind === 'conflict' && isAlike(wordsOf(refused.theirs), this.#view.words)) {
        this.#set({ refusal: refused })
        this.takeTheirs()
        return true
      }
      this.#set({ refusal: refused, save: 'failed' })
      this.#keep()
      if (refused.kind === 'lost') {
        this.#later(this.#retryAfter)
        this.#retryAfter = Math.min(this.#retryAfter * 2, maxRetryMs)
      }
      return false
    }
  }

  #keep(): void {
    const { id, words, files, version, isTouched } = this.#view
    this.#steps.keep(id, { words, files, version, isTouched })
  }

  #set(part: Partial<DraftView>): void {
    this.#view = { ...this.#view, ...part }
    for (const watch of this.#watchers) watch()
  }
}

interface KeeperOptions {
  state?: DraftState
  problem?: string | null
  wait?: number
}

export const wordsOf = ({ kind, answers, to, cc, bcc, subject, text }: Words): Words => ({ kind, answers, to, cc, bcc, subject, text })

const isAlike = (a: Words, b: Words): boolean => JSON.stringify(wordsOf(a)) === JSON.stringify(wordsOf(b))
