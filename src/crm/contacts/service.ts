import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Scope } from '../../kernel/scope.ts'
import { type Db, prepared } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import type { Role } from '../../kernel/access/rules.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { changesSince, recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { addInteraction } from '../interactions/service.ts'
import { findLeadSource } from '../lead-sources/service.ts'
import { findAssignableStage } from '../pipeline/service.ts'
import { findProcedure } from '../procedures/service.ts'
import { followTicks } from './consent-entries.ts'
import { consultProblems, followConsult, noConsult } from './consult-rules.ts'
import { findByEmail, lockEmails, resolveAddresses } from './contact-points/contact-points.ts'
import { type Contact, contactMessages } from './contact-contract.ts'
import type { CreateInput, FieldChange, UpdateInput } from './contract.ts'
import { insertContact } from './insert.ts'
import { refusedFields, visibleContact } from './policy.ts'
import { assignableRoles, auditable, chartedMessage, futureDays, describeChange } from './rules.ts'
import { correctReason, enteredAt, problemOfReason, recordMove, stageMovedTo } from './stages/stage-moves.ts'
import { contacts } from './table.ts'

export { countByStage } from './list/board.ts'
export { endInMerge, undoEndInMerge, withdrawEntries, writeExpress } from './consent-entries.ts'
export { deleteContact, deleteContacts, outstandingAmong, prepaidAmong, reasonsToKeep } from './deletion/delete.ts'
export {
  contactsByEmail,
  contactsWithEmails,
  emailsOf,
  findByEmail,
  languageOf,
  languagesOf,
  lockByEmail,
  lockEmails,
  phonesOf,
  preferredLanguageOf,
  unitedAddresses,
} from './contact-points/contact-points.ts'
export { filterWithIds } from './list/filter-sql.ts'
export { matchingContacts, summariesOf } from './list/list.ts'
export { announceContacts, changeContacts, type ContactChange, removeContacts, untouchedContacts } from './list/bulk.ts'
export { insertContact, insertContacts } from './insert.ts'
export { readOfPatient } from './of-patient.ts'
export { type Match, matchContacts, ownersOf, patientsWithPhone } from './contact-points/match.ts'
export { type Phone, readPhone } from './contact-points/phones.ts'
export { auditable } from './rules.ts'
export { restoreContacts, revived } from './deletion/restore.ts'
export { problemOfReason, recordMove } from './stages/stage-moves.ts'

type Row = typeof contacts.$inferSelect
type Values = Partial<typeof contacts.$inferInsert>

const oneContact = prepared((db) =>
  db
    .select()
    .from(contacts)
    .where(eq(contacts.id, sql.placeholder('id')))
    .prepare('contact'),
)

/** One contact as the actor may see it, or null. Audits the view even if the contact does not exist. */
export async function getContact(scope: Scope, id: string): Promise<Contact | null> {
  const [[row]] = await Promise.all([oneContact(scope.db).execute({ id }), scope.recordView({ kind: 'contact', contactIds: [id] })])
  return row ? visibleContact(scope.actor, row) : null
}

/** Adds a contact. Refuses a taken email with the contact that has it, unless `allowDuplicateEmail` is set. */
export async function createContact(scope: Scope, { allowDuplicateEmail, ...input }: CreateInput) {
  return scope.db.transaction(async (tx) => {
    const resolved = await resolve(tx, scope, null, { funnelStage: 'lead', ...input })
    if (isRefusal(resolved)) return resolved
    await lockEmails(tx, emailsOf(input))
    const taken = allowDuplicateEmail ? null : await ownerOf(tx, input)
    if (taken) await recordChange(tx, scope, { action: 'viewed', kind: 'contact', contactIds: [taken.data.existing.id] })
    if (taken) return taken
    const values = { ...resolved, firstName: input.firstName, lastName: input.lastName } as typeof contacts.$inferInsert
    return visibleContact(scope.actor, await insertContact(tx, scope, values, 'Patient added'))
  })
}

const emailsOf = ({ email, otherEmails = [] }: Pick<CreateInput, 'email' | 'otherEmails'>) => [...(email ? [email] : []), ...otherEmails]

/** The refusal of a new contact if one of its emails is taken, else null. */
async function ownerOf(tx: Db, input: CreateInput) {
  for (const email of emailsOf(input)) {
    const existing = await findByEmail(tx, email)
    const field = email === input.email ? 'email' : 'otherEmails'
    if (existing) return refuse('EMAIL_TAKEN', { fields: { [field]: contactMessages.emailTaken }, existing })
  }
  return null
}

/** Changes the given fields. Never overwrites fields that someone else changed since `version`. */
export async function updateContact(scope: Scope, { id, version, ...input }: UpdateInput) {
  return scope.db.transaction(async (tx) => {
    await lockEmails(tx, emailsOf(input))
    const [before] = await tx.select().from(contacts).where(eq(contacts.id, id)).for('update')
    if (!before) return null
    if (version > before.version) return invalidReference({ version: 'This patient does not have this version yet' })
    const resolved = await resolve(tx, scope, before, input)
    if (isRefusal(resolved)) return resolved
    const stageId = resolved.funnelStageId ?? before.funnelStageId
    const problem = await problemOfReason(tx, stageId, input.lostReason ?? null)
    if (problem) return invalidReference({ lostReason: problem })
    const given = { ...before, ...resolved }
    const consult = followConsult(given, before, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE))
    const wanted = difference(before as Record<string, unknown>, { ...given, ...consult })
    // Losing the lead again for the same reason records the reason again.
    if ('funnelStageId' in wanted.after && input.lostReason) wanted.after.lostReason = input.lostReason
    if (Object.keys(wanted.after).length === 0) return visibleContact(scope.actor, before)
    if (before.weightLossFromChart && 'weightLossMedication' in wanted.after)
      return invalidReference({ weightLossMedication: chartedMessage })

    // Appending a line to a text overwrites nothing.
    const isAppended = (field: string) => consult !== noConsult && appendedFields.includes(field) && !(field in resolved)
    const written = Object.keys(wanted.after).filter((field) => !isAppended(field))
    const clashes = version < before.version ? await fieldsChangedSince(tx, id, version, written) : []
    if (clashes.length > 0) {
      await recordChange(tx, scope, { action: 'viewed', kind: 'contact', contactIds: [id] })
      return refuse('CONFLICT', { current: visibleContact(scope.actor, before), changes: clashes })
    }
    return visibleContact(scope.actor, await writeChange(tx, scope, before, wanted.after as Values))
  })
}

/** Texts that a consult and its results append lines to (spec 4). */
const appendedFields: readonly string[] = ['notes', 'specialistNotes']

/**
 * Writes changed columns of a locked row, with version, stage history, timeline, audit and event. `quiet` columns get no timeline entry
 * here, because the caller describes them.
 */
export async function writeChange(tx: Db, scope: Scope, before: Row, changed: Values, quiet: readonly string[] = []): Promise<Row> {
  const to = await stageMovedTo(tx, before, changed.funnelStageId)
  const undescribed = ['funnelStageId', 'firstAttribution', 'latestAttribution', ...quiet, ...(to ? ['lostReason'] : [])]
  const edited = Object.keys(changed).filter((field) => !undescribed.includes(field))
  // The lost reason is cleared when the lead leaves the lost stage.
  const lostReason = to?.kind === 'lost' ? (changed.lostReason ?? null) : null
  const now = scope.now()
  const move = to ? { stageEnteredAt: await enteredAt(tx, before, to.id, now), lostReason } : {}
  const ticked = [{ id: before.id, before: before.consentToCommunicate, after: changed.consentToCommunicate }]
  return writeColumns(tx, scope, before, { ...changed, ...move }, (after) => [
    followTicks(tx, scope, ticked, 'record'),
    to && recordMove(tx, scope, before, after, now),
    !to && changed.lostReason !== undefined && correctReason(tx, after),
    edited.length > 0 &&
      addInteraction(tx, scope, { contactId: before.id, type: 'contact_updated', description: describeChange(before, after, edited) }),
  ])
}

/** Writes columns of a locked row, with version, audit and event. `describe` writes the timeline entries. */
export async function writeColumns(
  tx: Db,
  scope: Scope,
  before: Row,
  changed: PgUpdateSetSource<typeof contacts>,
  describe: (after: Row) => unknown[] = () => [],
): Promise<Row> {
  const set = { ...changed, version: before.version + 1, updatedAt: scope.now() }
  const [updated] = await tx.update(contacts).set(set).where(eq(contacts.id, before.id)).returning()
  const after = updated!
  const diff = difference(auditable(before), auditable(after))
  await Promise.all([
    ...describe(after),
    recordChange(tx, scope, { action: 'changed', kind: 'contact', contactIds: [before.id], before: diff.before, after: diff.after }),
    publish(tx, 'contact', before.id),
  ])
  return after
}

type References = Pick<Partial<UpdateInput>, 'funnelStage' | 'leadSource' | 'procedureOfInterest'>

/** Resolves input (ids, names, stage values) to stored values, or refuses with a message per invalid field. */
async function resolve(
  tx: Db,
  scope: Scope,
  before: Row | null,
  { funnelStage, leadSource, procedureOfInterest, ...input }: Omit<Partial<UpdateInput>, 'id' | 'version'> & References,
) {
  const refused = refusedFields(scope.actor, Object.keys(input))
  if (refused.length > 0) await recordChange(tx, scope, { action: 'denied', kind: 'contact', contactIds: before ? [before.id] : [] })
  const invalid: Record<string, string> = Object.fromEntries(refused.map((field) => [field, "Your role can't change clinical notes"]))
  const addresses = await resolveAddresses(tx, before, input)
  if (isRefusal(addresses)) Object.assign(invalid, addresses.data.fields)
  const values: Values = { ...input, ...(isRefusal(addresses) ? {} : addresses) }
  if (funnelStage !== undefined) {
    const id = await findAssignableStage(tx, funnelStage, before?.funnelStageId)
    if (id) values.funnelStageId = id
    else invalid.funnelStage = 'Stage not found'
  }
  if (leadSource !== undefined) Object.assign(values, await findLeadSource(tx, leadSource))
  if (procedureOfInterest !== undefined) Object.assign(values, await findProcedure(tx, procedureOfInterest))
  Object.assign(invalid, futureDays(input, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)))
  Object.assign(invalid, consultProblems({ ...(before ?? noConsult), ...values }, before))
  for (const field of ['assignedSalesRepId', 'assignedProviderId'] as const) {
    const problem = input[field] && (await problemOfAssignee(tx, input[field], assignableRoles[field]))
    if (problem) invalid[field] = problem
  }
  return Object.keys(invalid).length > 0 ? invalidReference(invalid) : values
}

/** Why this person can't be assigned to a field limited to these roles, or null if they can. */
export async function problemOfAssignee(tx: Db, id: string, roles: readonly Role[]): Promise<string | null> {
  const [row] = await tx
    .select({ role: profiles.role })
    .from(profiles)
    .where(and(eq(profiles.id, id), eq(profiles.status, 'active')))
  if (!row) return 'Staff member not found'
  return roles.includes(row.role) ? null : 'This staff member has a different role'
}

/** The last change since `version` of each of these fields, with user and time. */
async function fieldsChangedSince(tx: Db, id: string, version: number, fields: string[]): Promise<FieldChange[]> {
  const last = new Map<string, FieldChange>()
  for (const change of await changesSince(tx, id, version)) {
    for (const field of fields.filter((name) => name in change.after)) {
      last.set(field, { field, by: change.by, at: change.at, from: change.before[field] ?? null, to: change.after[field] ?? null })
    }
  }
  return [...last.values()]
}
