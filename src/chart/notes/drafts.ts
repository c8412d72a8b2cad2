import { and, desc, eq, notInArray } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { noteMessages } from './contract.ts'
import { mayEdit, signs } from './policy.ts'
import { noteValuesOf, startedSections } from './prefill-rules.ts'
import { getNote, type NoteRow } from './read.ts'
import { healthTexts } from '../health/service.ts'
import { type Answer, isAnswerTo, noteLength, noteLimits, type NoteSection, revisionEveryMs } from './rules.ts'
import { clinicalNotes, noteRevisions, noteTemplates } from './table.ts'

/** Starts a draft from an active template, on a day that is today unless stated. Null: the patient does not exist. */
export async function createNote(scope: Scope, given: { contactId: string; templateId: string; occurredOn?: string | undefined }) {
  const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  const { contactId, templateId, occurredOn = today } = given
  return scope.db.transaction(async (tx) => {
    // A merge or deletion of the patient waits, or has ended.
    const [contact] = await tx.select().from(contacts).where(eq(contacts.id, contactId)).for('key share')
    if (!contact) return null
    if (occurredOn > today) return invalidReference({ occurredOn: noteMessages.future })
    const [template] = await tx
      .select()
      .from(noteTemplates)
      .where(and(eq(noteTemplates.id, templateId), eq(noteTemplates.isActive, true)))
    if (!template) return invalidReference({ templateId: noteMessages.noTemplate })
    const { id } = await insertDraft(tx, scope, { contact, template, occurredOn })
    return (await getNote(tx, scope.env, id))!
  })
}

interface NewDraft {
  contact: typeof contacts.$inferSelect
  template: typeof noteTemplates.$inferSelect
  occurredOn: string
}

/** Inserts a draft by the actor, with what the template begins with. */
export async function insertDraft(tx: Db, scope: Scope, { contact, template, occurredOn }: NewDraft): Promise<NoteRow> {
  const [actor, now] = [staff(scope), scope.now()]
  const today = dayAt(now, scope.env.PRACTICE_TIME_ZONE)
  const values = noteValuesOf({ contact, ...(await namesFor(tx, contact)), health: await healthTexts(tx, contact.id), today })
  const [row] = await tx
    .insert(clinicalNotes)
    .values({
      contactId: contact.id,
      templateId: template.id,
      kind: template.kind,
      title: template.name,
      occurredOn,
      sections: startedSections(template.sections, values),
      authorId: actor.id,
      needsCosign: !signs(actor),
      createdAt: now,
      updatedAt: now,
      updatedBy: actor.id,
    })
    .returning()
  await recordNote(tx, scope, 'created', row!, { status: 'draft' })
  return row!
}

async function namesFor(tx: Db, { procedureId, procedureText, assignedProviderId }: typeof contacts.$inferSelect) {
  const [procedure] = procedureId ? await tx.select().from(procedures).where(eq(procedures.id, procedureId)) : []
  const [provider] = assignedProviderId ? await tx.select().from(profiles).where(eq(profiles.id, assignedProviderId)) : []
  return { procedure: procedure?.name ?? procedureText, provider: provider?.name ?? null }
}

interface SavedNote {
  id: string
  version: number
  title?: string | undefined
  occurredOn?: string | undefined
  answers: Record<string, Answer>
}

/** Saves what the author has written. Null: note not found. */
export const saveNote = (scope: Scope, { id, version, title, occurredOn, answers }: SavedNote) =>
  scope.db.transaction(async (tx) => {
    const before = await lockDraft(tx, scope, id)
    if (!before || isRefusal(before)) return before
    if (!mayEdit(staff(scope), before)) return refuse('NOT_AUTHOR', await current(tx, scope, id))
    if (before.version !== version) return refuse('CONFLICT', await current(tx, scope, id))
    if (occurredOn !== undefined && occurredOn > dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE))
      return invalidReference({ occurredOn: noteMessages.future })
    const sections = answered(before.sections, answers)
    if (isRefusal(sections)) return sections
    await keepRevision(tx, scope, before)
    const written = { sections, title: title ?? before.title, occurredOn: occurredOn ?? before.occurredOn }
    await tx
      .update(clinicalNotes)
      .set({ ...written, version: version + 1, updatedAt: scope.now(), updatedBy: staff(scope).id })
      .where(eq(clinicalNotes.id, id))
    // Not in the audit log: the editor saves every second. Revisions keep who wrote what.
    await publish(tx, 'note', before.contactId)
    return (await getNote(tx, scope.env, id))!
  })

/** The sections with these answers; refuses answers that do not fit. */
function answered(sections: readonly NoteSection[], answers: Record<string, Answer>) {
  const problems = Object.entries(answers).flatMap(([id, answer]) => {
    const section = sections.find((one) => one.id === id)
    if (section && isAnswerTo(section, answer)) return []
    return [[`answers.${id}`, section ? noteMessages.wrongAnswer : noteMessages.noSection] as const]
  })
  if (problems.length > 0) return invalidReference(Object.fromEntries(problems))
  const after = sections.map((section) => (Object.hasOwn(answers, section.id) ? { ...section, answer: answers[section.id]! } : section))
  return noteLength(after) > noteLimits.note ? invalidReference({ answers: noteMessages.tooLong }) : after
}

/** Keeps the state before a change: at most one in a minute, unless someone else wrote it. The oldest drop out. */
async function keepRevision(tx: Db, scope: Scope, { id: noteId, title, occurredOn, sections, updatedAt, updatedBy }: NoteRow) {
  const isOfNote = eq(noteRevisions.noteId, noteId)
  const newest = tx
    .select({ id: noteRevisions.id, createdAt: noteRevisions.createdAt })
    .from(noteRevisions)
    .where(isOfNote)
    .orderBy(desc(noteRevisions.id))
  const now = scope.now()
  const [last] = await newest.limit(1)
  if (last && updatedBy === staff(scope).id && now.getTime() - last.createdAt.getTime() < revisionEveryMs) return
  await tx.insert(noteRevisions).values({ noteId, title, occurredOn, sections, at: updatedAt, authorId: updatedBy, createdAt: now })
  const kept = tx
    .select({ id: noteRevisions.id })
    .from(noteRevisions)
    .where(isOfNote)
    .orderBy(desc(noteRevisions.id))
    .limit(noteLimits.revisions)
  await tx.delete(noteRevisions).where(and(isOfNote, notInArray(noteRevisions.id, kept)))
}

/** Makes the actor the author of someone else's draft; does nothing to their own. Null: note not found. */
export const takeOverNote = (scope: Scope, { id, version }: { id: string; version: number }) =>
  scope.db.transaction(async (tx) => {
    const before = await lockDraft(tx, scope, id)
    if (!before || isRefusal(before)) return before
    const actor = staff(scope)
    if (!mayEdit(actor, before)) {
      if (before.version !== version) return refuse('CONFLICT', await current(tx, scope, id))
      const author = { authorId: actor.id, needsCosign: !signs(actor) }
      await tx
        .update(clinicalNotes)
        .set({ ...author, version: version + 1 })
        .where(eq(clinicalNotes.id, id))
      await recordNote(tx, scope, 'changed', before, { authorId: actor.id }, { authorId: before.authorId })
    }
    return (await getNote(tx, scope.env, id))!
  })

/** Deletes a draft permanently, with its revisions. Null: note not found. */
export const discardNote = (scope: Scope, { id }: { id: string }) =>
  scope.db.transaction(async (tx) => {
    const before = await lockDraft(tx, scope, id)
    if (!before || isRefusal(before)) return before
    if (!mayEdit(staff(scope), before)) return refuse('NOT_AUTHOR', await current(tx, scope, id))
    await tx.delete(noteRevisions).where(eq(noteRevisions.noteId, id))
    await tx.delete(clinicalNotes).where(eq(clinicalNotes.id, id))
    await recordNote(tx, scope, 'deleted', before, undefined, { status: 'draft' })
    return true
  })

export const lockNote = async (tx: Db, id: string): Promise<NoteRow | null> =>
  (await tx.select().from(clinicalNotes).where(eq(clinicalNotes.id, id)).for('update'))[0] ?? null

/** Locks a draft for a change. Null: note not found. */
export async function lockDraft(tx: Db, scope: Scope, id: string) {
  const row = await lockNote(tx, id)
  return row?.status === 'signed' ? refuse('SIGNED', await current(tx, scope, id)) : row
}

/** The note as it is stored, for a refusal, which shows it: that is a view. */
export async function current(tx: Db, scope: Scope, id: string) {
  const note = (await getNote(tx, scope.env, id))!
  await recordChange(tx, scope, { action: 'viewed', kind: 'clinical note', contactIds: [note.contactId] })
  return { current: note }
}

/** Writes the audit entry of a note, which has no text of it, and publishes the change. */
export async function recordNote(
  tx: Db,
  scope: Scope,
  action: 'created' | 'changed' | 'deleted',
  { id, contactId }: Pick<NoteRow, 'id' | 'contactId'>,
  after?: Record<string, unknown>,
  before?: Record<string, unknown>,
): Promise<void> {
  await recordChange(tx, scope, {
    action,
    kind: 'clinical note',
    contactIds: [contactId],
    ...(before && { before: { id, ...before } }),
    ...(after && { after: { id, ...after } }),
  })
  await publish(tx, 'note', contactId)
  // The author's page reads a note again only for this, not for its own saves.
  await publish(tx, 'note', id)
}
