import { AutosavedDraft, type AutosavedView, type DraftRefusal, type KeptDraft } from '../../../../ui/client/autosaved-draft.ts'
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
  /** The formatted text. Null: written as plain text. */
  html: string | null
  withSignature: boolean
}

export type DraftFile = DraftData['files'][number]

/** The stored state of a draft that differs from the server's. */
export interface Kept extends KeptDraft<Words> {
  files: DraftFile[]
}

/** The files, and the result of the last attempt to send. */
interface Rest {
  files: DraftFile[]
  state: DraftState
  problem: string | null
}

/** `gone`: sent or discarded elsewhere. `sending`: already being sent. */
type Ended = 'gone' | 'sending'
export type Refusal = DraftRefusal<DraftData, Ended>
export type DraftView = AutosavedView<Words, Rest, DraftData, Ended>

export interface KeeperSteps {
  /** Rejects with an error that `refusalOf` can read. */
  save: (id: string, words: Words, version: number) => Promise<DraftData>
  refusalOf: (error: unknown) => Refusal
  /** Stores it in the tab, or deletes it there. */
  keep: (id: string, kept: Kept | null) => void
}

/** Milliseconds after the last key. */
const pause = 800

/** Saves an email while it is written: in the tab at once, and on the server after a pause. */
export class DraftKeeper extends AutosavedDraft<Words, Rest, DraftData, Ended> {
  constructor(id: string, kept: Kept, { save, refusalOf, keep }: KeeperSteps, options: KeeperOptions = {}) {
    const { state = 'draft', problem = null, wait = pause } = options
    super(
      id,
      { ...kept, state, problem },
      {
        save,
        refusalOf,
        wordsOf,
        restOf: ({ files, state, problem }) => ({ files, state, problem }),
        // A file may have been added since.
        restAfterSave: ({ state, problem }) => ({ state, problem }),
        keep: ({ words, files, version, isTouched }, isUnsaved) => keep(id, isUnsaved ? { words, files, version, isTouched } : null),
      },
      wait,
    )
  }

  /** Sets the initial recipients. */
  address(whom: Pick<Words, 'to' | 'cc'>): void {
    this.set({ words: { ...this.view().words, ...whom } })
    this.keep()
  }

  setFiles(files: DraftFile[]): void {
    this.set({ files })
    if (!this.isSaved) this.keep()
  }

  addFile(file: DraftFile): void {
    this.setFiles([...this.view().files.filter(({ id }) => id !== file.id), file])
  }
}

interface KeeperOptions {
  state?: DraftState
  problem?: string | null
  wait?: number
}

export const wordsOf = ({ kind, answers, to, cc, bcc, subject, text, html, withSignature }: Words): Words => ({
  kind,
  answers,
  to,
  cc,
  bcc,
  subject,
  text,
  html,
  withSignature,
})
