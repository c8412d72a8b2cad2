import type { DraftKind, DraftState, Person } from '../../rules.ts'
import type { DraftData } from '../mailbox-data.ts'

/** What is written. */
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

/** What the tab keeps of a draft that the server does not have as it stands. */
export interface Kept {
  words: Words
  files: DraftFile[]
  /** As the server last answered it; 0: it has none. */
  version: number
  /** Whether anything was written; else no one misses it. */
  isTouched: boolean
}

/**
 * - `lost`: no answer; it is tried again. - `refused`: the answer is no, until something else is written. - `conflict`: another window has kept
 * something else. - `gone`: it was sent or thrown away elsewhere. - `sending`: it is on its way already.
 */
export type Refusal =
  | { kind: 'lost' | 'refused'; message: string }
  | { kind: 'conflict'; theirs: DraftData }
  | { kind: 'gone' }
  | { kind: 'sending' }

export interface KeeperSteps {
  /** Rejects with what `refusalOf` can read. */
  save: (id: string, words: Words, version: number) => Promise<DraftData>
  refusalOf: (error: unknown) => Refusal
  /** Keeps it in the tab, or forgets it there. */
  keep: (id: string, kept: Kept | null) => void
}

export interface DraftView extends Kept {
  id: string
  save: 'idle' | 'waiting' | 'saving' | 'saved' | 'failed'
  refusal: Refusal | null
  /** What became of it when it was sent last. */
  state: DraftState
  problem: string | null
}

/** Milliseconds after the last key. */
const pause = 800
const [firstRetry, maxRetryMs] = [5_000, 60_000]

/**
 * Keeps a draft as it is written: in the tab at once, and at the server after a pause, one save at a time. It belongs to no page, so that what
 * was written is kept also when the page was left.
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

  /** How many look at it. */
  get watching(): number {
    return this.#watchers.size
  }

  /** Whether the server has it as it stands. */
  get isSaved(): boolean {
    return this.#view.save === 'saved' || (this.#view.save === 'idle' && !this.#view.isTouched)
  }

  change(part: Partial<Words>): void {
    this.#set({ words: { ...this.#view.words, ...part }, isTouched: true })
    // What a choice of the person has to settle first waits for it.
    const waits = this.#view.refusal !== null && this.#view.refusal.kind !== 'lost' && this.#view.refusal.kind !== 'refused'
    if (!waits) {
      this.#set({ save: 'waiting' })
      this.#later(this.#pause)
    }
    this.#keep()
  }

  /** Whom it goes to, before anything was written. */
  address(whom: Pick<Words, 'to' | 'cc'>): void {
    this.#set({ words: { ...this.#view.words, ...whom } })
    this.#keep()
  }

  /** Saves what is not saved yet, now. False: it was not, and the view says why. */
  async save(): Promise<boolean> {
    clearTimeout(this.#timer)
    do {
      if (!(await this.#saveOnce())) return false
    } while (this.#view.save === 'waiting')
    clearTimeout(this.#timer)
    return true
  }

  /** What another window has kept shows here, unless something else was written here. */
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

  /** Of two windows' words those of the other are taken. */
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

  /** Of two windows' words those of this one are kept. */
  keepMine(): Promise<boolean> {
    const { refusal } = this.#view
    if (refusal?.kind === 'conflict')
      this.#set({ version: refusal.theirs.version, files: refusal.theirs.files, refusal: null, save: 'waiting' })
    return this.save()
  }

  /** It is sent or thrown away: nothing of it is kept any more. */
  end(): void {
    clearTimeout(this.#timer)
    this.#set({ save: 'saved', refusal: null })
    this.#steps.keep(this.#view.id, null)
  }

  /** Resolves once no save is on its way, and none is about to be. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#saving
    clearTimeout(this.#timer)
  }

  #later(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#saveOnce(), milliseconds)
  }

  /** Two that ask at once wait for the same save. */
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
      // Kept twice: the answer to the first was lost, and the words are the same.
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
