import { canonicalJson } from '../../shared/canonical-json.ts'

/** The content of a draft, whether anything was written, and the version last returned by the server; 0: not saved there yet. */
export interface KeptDraft<Words> {
  words: Words
  version: number
  isTouched: boolean
}

/**
 * - `lost`: no response; it is retried. - `refused`: refused until the content changes. - `conflict`: someone else has saved other content. -
 * Any other kind ends the saving, such as a draft that was sent elsewhere.
 */
export type DraftRefusal<Stored, Ended extends string> =
  | { kind: 'lost' | 'refused'; message: string }
  | { kind: 'conflict'; theirs: Stored }
  | { kind: Ended }

export type SaveState = 'idle' | 'waiting' | 'saving' | 'saved' | 'failed'

/** `Rest`: what the server knows of the draft besides its content. */
export type AutosavedView<Words, Rest, Stored, Ended extends string> = KeptDraft<Words> &
  Rest & { id: string; save: SaveState; refusal: DraftRefusal<Stored, Ended> | null }

export interface AutosaveSteps<Words, Rest, Stored, Ended extends string> {
  /** Rejects with an error that `refusalOf` can read. */
  save: (id: string, words: Words, version: number) => Promise<Stored>
  refusalOf: (error: unknown) => DraftRefusal<Stored, Ended>
  wordsOf: (stored: Stored) => Words
  restOf: (stored: Stored) => Rest
  /** The part of the rest to set after a save, if other changes to the rest may have been made in the meantime. */
  restAfterSave?: (stored: Stored) => Partial<Rest>
  /** Stores unsaved content beyond the page, or deletes it there. Without it, unsaved content is in memory only. */
  keep?: (view: AutosavedView<Words, Rest, Stored, Ended>, isUnsaved: boolean) => void
}

/** Milliseconds. */
const [firstRetry, maxRetryMs] = [5_000, 60_000]

/**
 * Saves a draft while it is written: after a pause, one save at a time. It outlives the page, so text is saved even after leaving it.
 */
export class AutosavedDraft<Words, Rest, Stored extends { version: number }, Ended extends string> {
  #view: AutosavedView<Words, Rest, Stored, Ended>
  #saving: Promise<boolean> | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #retryAfter = firstRetry
  #watchers = new Set<() => void>()
  readonly #steps: AutosaveSteps<Words, Rest, Stored, Ended>
  readonly #pause: number

  /** `pause`: milliseconds after the last key. */
  constructor(id: string, kept: KeptDraft<Words> & Rest, steps: AutosaveSteps<Words, Rest, Stored, Ended>, pause: number) {
    this.#view = { ...kept, id, save: 'idle', refusal: null }
    this.#steps = steps
    this.#pause = pause
  }

  subscribe = (watch: () => void): (() => void) => {
    this.#watchers.add(watch)
    return () => this.#watchers.delete(watch)
  }

  view = (): AutosavedView<Words, Rest, Stored, Ended> => this.#view

  /** The number of components that show it. */
  get watching(): number {
    return this.#watchers.size
  }

  /** Whether the server has the current content. */
  get isSaved(): boolean {
    return this.#view.save === 'saved' || (this.#view.save === 'idle' && !this.#view.isTouched)
  }

  change(part: Partial<Words>): void {
    this.set({ words: { ...this.#view.words, ...part }, isTouched: true })
    // Waits while the user has to resolve a conflict.
    if (this.#canSave()) {
      this.set({ save: 'waiting' })
      this.#later(this.#pause)
    }
    this.keep()
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

  /** Applies what was saved elsewhere, unless something else was written here. */
  adopt(stored: Stored): void {
    const { version, save, refusal } = this.#view
    if (stored.version < version) return
    const isMine = save === 'waiting' || save === 'saving' || save === 'failed' || refusal !== null
    if (isMine && stored.version > version) return
    const words = stored.version > version ? { words: this.#steps.wordsOf(stored) } : {}
    this.set({ ...words, ...this.#steps.restOf(stored), version: stored.version })
  }

  /** Resolves a conflict with the other content. */
  takeTheirs(): void {
    const { refusal } = this.#view
    if (!isConflict(refusal)) return
    const { theirs } = refusal
    const { wordsOf, restOf } = this.#steps
    this.set({ words: wordsOf(theirs), ...restOf(theirs), version: theirs.version, refusal: null, save: 'saved' })
    this.forget()
  }

  /** The other content was saved again, and is what the conflict is about from now on. */
  rebase(theirs: Stored): void {
    if (isConflict(this.#view.refusal)) this.set({ refusal: { kind: 'conflict', theirs } })
  }

  /** Resolves a conflict with the content of this page. */
  keepMine(): Promise<boolean> {
    const { refusal } = this.#view
    if (isConflict(refusal))
      this.set({ ...this.#steps.restOf(refusal.theirs), version: refusal.theirs.version, refusal: null, save: 'waiting' })
    return this.save()
  }

  /** It is no longer a draft: deletes the stored content. */
  end(): void {
    clearTimeout(this.#timer)
    this.set({ save: 'saved', refusal: null })
    this.forget()
  }

  /** Resolves once no save is running or scheduled. */
  async whenIdle(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#saving
    clearTimeout(this.#timer)
  }

  protected set(part: object): void {
    this.#view = { ...this.#view, ...part }
    for (const watch of this.#watchers) watch()
  }

  protected keep(): void {
    this.#steps.keep?.(this.#view, true)
  }

  protected forget(): void {
    this.#steps.keep?.(this.#view, false)
  }

  #canSave(): boolean {
    const { refusal } = this.#view
    return refusal === null || refusal.kind === 'lost' || refusal.kind === 'refused'
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
    const { id, words, version } = this.#view
    if (!this.#canSave()) return false
    this.set({ save: 'saving' })
    const { save, refusalOf, restOf, restAfterSave = restOf } = this.#steps
    try {
      const stored = await save(id, words, version)
      const isSame = this.#view.words === words
      this.set({ ...restAfterSave(stored), version: stored.version, refusal: null, save: isSame ? 'saved' : 'waiting' })
      this.#retryAfter = firstRetry
      if (isSame) this.forget()
      else {
        this.keep()
        this.#later(this.#pause)
      }
      return true
    } catch (error) {
      const refusal = refusalOf(error)
      this.set({ refusal, save: 'failed' })
      // Saved twice: the first response was lost, and the content is equal.
      if (isConflict(refusal) && this.#isAlike(refusal.theirs)) {
        this.takeTheirs()
        return true
      }
      this.keep()
      if (refusal.kind === 'lost') {
        this.#later(this.#retryAfter)
        this.#retryAfter = Math.min(this.#retryAfter * 2, maxRetryMs)
      }
      return false
    }
  }

  #isAlike(theirs: Stored): boolean {
    return canonicalJson(this.#steps.wordsOf(theirs)) === canonicalJson(this.#view.words)
  }
}

const isConflict = <Stored, Ended extends string>(
  refusal: DraftRefusal<Stored, Ended> | null,
): refusal is { kind: 'conflict'; theirs: Stored } => refusal?.kind === 'conflict'

/** What the collection needs to know of a draft. */
interface OpenDraft {
  view: () => { save: SaveState; refusal: { kind: string } | null }
  subscribe: (watch: () => void) => () => void
  save: () => Promise<boolean>
}

/**
 * The open or unsaved drafts of one kind. Saves them when the connection is back and when the page is hidden, and asks before the page is left
 * while one is `endangered`: its content would be lost.
 */
export function createOpenDrafts<Draft extends OpenDraft>({ endangered, onChange }: OpenDraftsOptions) {
  const drafts = new Map<string, Draft>()
  const all = () => [...drafts.values()]

  function changed() {
    if (all().some((draft) => endangered.includes(draft.view().save))) addEventListener('beforeunload', stay)
    else removeEventListener('beforeunload', stay)
    onChange?.()
  }
  function stay(event: BeforeUnloadEvent) {
    event.preventDefault()
  }

  addEventListener('online', () => {
    for (const draft of all()) if (draft.view().refusal?.kind === 'lost') void draft.save()
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return
    for (const draft of all()) if (draft.view().save === 'waiting') void draft.save()
  })

  return {
    get: (id: string): Draft | undefined => drafts.get(id),
    add(id: string, draft: Draft): Draft {
      drafts.set(id, draft)
      draft.subscribe(changed)
      changed()
      return draft
    },
    remove(id: string): void {
      drafts.delete(id)
      changed()
    },
  }
}

interface OpenDraftsOptions {
  endangered: readonly SaveState[]
  onChange?: () => void
}
