import type { Env } from '../../kernel/env.ts'
import { isStamped, stamp } from '../../kernel/seal.ts'
import { canonicalJson } from '../../shared/canonical-json.ts'
import type { clinicalNotes, noteAddenda } from './table.ts'

type NoteRow = typeof clinicalNotes.$inferSelect
type AddendumRow = typeof noteAddenda.$inferSelect
type Secret = Pick<Env, 'APP_SECRET'>
type Secrets = Pick<Env, 'APP_SECRET' | 'OLD_APP_SECRETS'>

/** The purposes of the keys that the seals are derived with. */
const purposes = { note: 'clinical note', cosignature: 'clinical note co-signature', addendum: 'clinical note addendum' } as const

type Signed = Pick<
  NoteRow,
  | 'id'
  | 'patientAtSigning'
  | 'templateId'
  | 'kind'
  | 'title'
  | 'sections'
  | 'occurredOn'
  | 'authorId'
  | 'needsCosign'
  | 'signedBy'
  | 'signedAt'
  | 'createdAt'
>
/** Everything that a signature confirms. */
export const signedText = (note: Signed): string =>
  canonicalJson({
    id: note.id,
    patientAtSigning: note.patientAtSigning,
    templateId: note.templateId,
    kind: note.kind,
    title: note.title,
    sections: note.sections,
    occurredOn: note.occurredOn,
    authorId: note.authorId,
    needsCosign: note.needsCosign,
    signedBy: note.signedBy,
    signedAt: note.signedAt?.toISOString(),
    createdAt: note.createdAt.toISOString(),
  })

const cosignedText = ({ id, seal, cosignedBy, cosignedAt }: Pick<NoteRow, 'id' | 'seal' | 'cosignedBy' | 'cosignedAt'>): string =>
  canonicalJson({ id, seal, cosignedBy, cosignedAt: cosignedAt?.toISOString() })

const addendumText = ({ id, noteId, text, authorId, writtenAt }: Omit<AddendumRow, 'seal'>): string =>
  canonicalJson({ id, noteId, text, authorId, writtenAt: writtenAt.toISOString() })

export const sealNote = (env: Secret, note: Signed): string => stamp(env, purposes.note, signedText(note))
export const sealCosignature = (env: Secret, note: Parameters<typeof cosignedText>[0]): string =>
  stamp(env, purposes.cosignature, cosignedText(note))
export const sealAddendum = (env: Secret, addendum: Omit<AddendumRow, 'seal'>): string =>
  stamp(env, purposes.addendum, addendumText(addendum))

/** Whether a signed note, its co-signature and its addenda are as they were sealed. */
export const isSealed = (env: Secrets, note: NoteRow, addenda: readonly AddendumRow[]): boolean =>
  isStamped(env, purposes.note, signedText(note), note.seal ?? '') &&
  (note.cosignedBy === null || isStamped(env, purposes.cosignature, cosignedText(note), note.cosignSeal ?? '')) &&
  addenda.every((addendum) => isStamped(env, purposes.addendum, addendumText(addendum), addendum.seal))
