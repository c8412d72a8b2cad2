import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { current, lockDraft, lockNote, recordNote } from './drafts.ts'
import { maySign } from './policy.ts'
import { getNote } from './read.ts'
import { isEmptyNote } from './rules.ts'
import { sealAddendum, sealCosignature, sealNote } from './seal.ts'
import { clinicalNotes, noteAddenda } from './table.ts'

/**
 * Signs a draft in the version that the provider has read, and seals it. The audit entry has the seal, so the chain of the log proves it.
 * Null: note not found.
 */
export const signNote = (scope: Scope, { id, version }: { id: string; version: number }) =>
  scope.db.transaction(async (tx) => {
    const before = await lockDraft(tx, scope, id)
    if (!before || isRefusal(before)) return before
    const actor = staff(scope)
    if (!maySign(actor, before)) return refuse('NOT_AUTHOR', await current(tx, scope, id))
    if (before.version !== version) return refuse('CONFLICT', await current(tx, scope, id))
    if (isEmptyNote(before.sections)) return refuse('EMPTY')
    const signed = {
      ...before,
      status: 'signed' as const,
      signedBy: actor.id,
      signedAt: scope.now(),
      patientAtSigning: before.contactId,
      version: version + 1,
    }
    const seal = sealNote(scope.env, signed)
    await tx
      .update(clinicalNotes)
      .set({ ...signed, seal })
      .where(eq(clinicalNotes.id, id))
    await recordNote(tx, scope, 'changed', before, { status: 'signed', seal }, { status: 'draft' })
    return (await getNote(tx, scope.env, id))!
  })

/** Adds the signature of a second provider to a signed note. Null: note not found. */
export const cosignNote = (scope: Scope, { id }: { id: string }) =>
  scope.db.transaction(async (tx) => {
    const note = await lockNote(tx, id)
    if (!note) return null
    if (note.status === 'draft') return refuse('NOT_SIGNED')
    if (note.cosignedBy !== null) return refuse('ALREADY_COSIGNED')
    const actor = staff(scope)
    if (note.signedBy === actor.id) return refuse('OWN_SIGNATURE')
    const cosignature = { cosignedBy: actor.id, cosignedAt: scope.now() }
    const cosignSeal = sealCosignature(scope.env, { ...note, ...cosignature })
    await tx
      .update(clinicalNotes)
      .set({ ...cosignature, cosignSeal })
      .where(eq(clinicalNotes.id, id))
    await recordNote(tx, scope, 'changed', note, { cosignedBy: actor.id, cosignSeal })
    return (await getNote(tx, scope.env, id))!
  })

/** Adds an addendum to a signed note, which stays as it is. Null: note not found. */
export const addAddendum = (scope: Scope, { id: noteId, text }: { id: string; text: string }) =>
  scope.db.transaction(async (tx) => {
    const note = await lockNote(tx, noteId)
    if (!note) return null
    if (note.status === 'draft') return refuse('NOT_SIGNED')
    const addendum = { id: uuidv7(), noteId, text, authorId: staff(scope).id, writtenAt: scope.now() }
    const seal = sealAddendum(scope.env, addendum)
    await tx.insert(noteAddenda).values({ ...addendum, seal })
    await recordNote(tx, scope, 'changed', note, { addendum: addendum.id, addendumSeal: seal })
    return (await getNote(tx, scope.env, noteId))!
  })
