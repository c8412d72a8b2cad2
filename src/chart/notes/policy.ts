import type { Role } from '../../kernel/access/rules.ts'
import type { NoteStatus } from './rules.ts'

interface Owned {
  status: NoteStatus
  authorId: string
  needsCosign: boolean
  signedBy: string | null
  cosignedBy: string | null
}
/** Null: signed out. */
type Who = { id: string; role: Role } | null

/** Only providers sign: their own drafts, and those whose author cannot. */
export const signs = (actor: Who): boolean => actor?.role === 'provider'

export const mayEdit = (actor: Who, note: Owned): boolean => note.status === 'draft' && note.authorId === actor?.id

export const maySign = (actor: Who, note: Owned): boolean =>
  note.status === 'draft' && signs(actor) && (note.authorId === actor?.id || note.needsCosign)

export const mayCosign = (actor: Who, note: Owned): boolean =>
  note.status === 'signed' && signs(actor) && note.cosignedBy === null && note.signedBy !== actor?.id
