import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { maySee } from '../../kernel/access/information.ts'
import { mergedTables } from '../../kernel/patient-tables/registry.ts'
import { informationOf } from '../../kernel/patient-tables/rules.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { nextAppointmentChanges } from '../../care/appointments/service.ts'
import { contactMessages } from '../../crm/contacts/contact-contract.ts'
import { visibleContact } from '../../crm/contacts/policy.ts'
import { mergedAttributions } from '../../crm/contacts/rules.ts'
import type { MergeField } from '../../crm/contacts/derived-fields.ts'
import { auditable, endInMerge, recordMove, unitedAddresses, writeColumns } from '../../crm/contacts/service.ts'
import { contacts, storedRow } from '../../crm/contacts/table.ts'
import { hasWithdrawn } from '../../crm/consent/service.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { surgeryFieldChanges } from '../../care/surgeries/service.ts'
import { weightLossChanges } from '../../chart/health/service.ts'
import { countChildren, recordWrittenRow, moveChildren } from './rows.ts'
import { type MergeChoices, columnsFromSource, undoDays, defaultSide } from './rules.ts'
import { contactMerges } from './table.ts'

type Row = typeof contacts.$inferSelect
const fullName = ({ firstName, lastName }: Pick<Row, 'firstName' | 'lastName'>): string => `${firstName} ${lastName}`

const sameContact = refuse('SAME_CONTACT', { fields: { sourceId: contactMessages.sameContact } })

/** Both patients and how many rows of the source would move; null if either does not exist. */
export async function previewMerge(scope: Scope, targetId: string, sourceId: string) {
  if (targetId === sourceId) return sameContact
  const rows = await scope.db
    .select()
    .from(contacts)
    .where(inArray(contacts.id, [targetId, sourceId]))
  await scope.recordView({ kind: 'contact', contactIds: [targetId, sourceId] })
  const target = rows.find((row) => row.id === targetId)
  const source = rows.find((row) => row.id === sourceId)
  if (!target || !source) return null
  const counted = mergedTables().filter(({ table }) => {
    const information = informationOf(table)
    return information === null || maySee(scope.actor, information)
  })
  const moves = await Promise.all(counted.map((child) => countChildren(scope.db, child, targetId, sourceId)))
  const isConsentWithdrawn = await hasWithdrawn(scope.db, scope, [targetId, sourceId], 'email')
  return { target: visibleContact(scope.actor, target), source: visibleContact(scope.actor, source), moves, isConsentWithdrawn }
}

export type MergeInput = {
  id: string
  sourceId: string
  version: number
  sourceVersion: number
  choices: MergeChoices
  keepAddresses: boolean
}

/**
 * Merges the source into the target in one transaction: moves the source's rows, sets each field from the chosen side (spec 4 is the
 * default) and deletes the source. A snapshot keeps everything needed to undo it. Null if either does not exist; CHANGED_SINCE if either
 * changed after the caller saw it.
 */
export async function mergeContacts(scope: Scope, input: MergeInput) {
  const { id: targetId, sourceId } = input
  if (targetId === sourceId) return sameContact
  return scope.db.transaction(async (tx) => {
    // Locked in a fixed order, so that opposite merges wait for each other instead of deadlocking.
    const rows = await tx
      .select()
      .from(contacts)
      .where(inArray(contacts.id, [targetId, sourceId]))
      .orderBy(contacts.id)
      .for('update')
    const target = rows.find((row) => row.id === targetId)
    const source = rows.find((row) => row.id === sourceId)
    if (!target || !source) return null
    if (target.version !== input.version || source.version !== input.sourceVersion) return refuse('CHANGED_SINCE')

    const mergeId = uuidv7()
    await takeSnapshot(tx, scope, mergeId, target, source)
    const columns = columnsFromSource(target, source, input.choices)
    const sideOf = (field: MergeField) => input.choices[field] ?? defaultSide(target, source, field)
    const isWithdrawn = await hasWithdrawn(tx, scope, [targetId, sourceId], 'email')
    const hasConsent = !isWithdrawn && (columns.includes('consentToCommunicate') ? source : target).consentToCommunicate
    if (!hasConsent) await endInMerge(tx, scope, [targetId, sourceId], mergeId)
    for (const child of mergedTables()) await moveChildren(tx, mergeId, child, targetId, sourceId)
    await tx.delete(contacts).where(eq(contacts.id, sourceId))
    const chosen: Partial<Row> = Object.fromEntries(columns.map((column) => [column, source[column as keyof Row]]))
    const merged = await writeColumns(tx, scope, target, {
      ...chosen,
      ...(isWithdrawn ? { consentToCommunicate: false } : {}),
      // The next appointment, the next surgery and the charted medication of either patient take precedence over the choices.
      ...(await nextAppointmentChanges(tx, scope, { ...target, ...chosen })),
      ...(await surgeryFieldChanges(tx, scope, { ...target, ...chosen })),
      ...(await weightLossChanges(tx, { ...target, ...chosen })),
      ...(await unitedAddresses(tx, target, source, {
        email: sideOf('email') === 'source' ? 'second' : 'first',
        phone: sideOf('phone') === 'source' ? 'second' : 'first',
        keep: input.keepAddresses,
      })),
      ...mergedAttributions(target, source),
      ...(columns.includes('funnelStageId') ? { stageEnteredAt: scope.now() } : {}),
    })
    if (merged.funnelStageId !== target.funnelStageId) {
      const move = await recordMove(tx, scope, target, merged)
      await recordWrittenRow(tx, mergeId, 'contact_stage_history', move.moveId)
      await recordWrittenRow(tx, mergeId, 'interactions', move.entryId)
    }
    await completeSnapshot(tx, mergeId, targetId)
    await addInteraction(tx, scope, {
      contactId: targetId,
      type: 'contact_merged',
      description: `Merged with ${fullName(source)}`,
      metadata: { mergeId },
    })
    await recordChange(tx, scope, { action: 'merged', kind: 'contact', contactIds: [targetId, sourceId], before: auditable(source) })
    await publish(tx, 'contact', sourceId)
    return { ...visibleContact(scope.actor, merged), mergeId }
  })
}

const storedContact = (id: string) => sql`(select ${storedRow('c')} from contacts as c where id = ${id})`

async function takeSnapshot(tx: Db, scope: Scope, mergeId: string, target: Row, source: Row) {
  const names = (table: string, ids: (string | null)[]) =>
    sql`(select coalesce(jsonb_object_agg(id, name), '{}') from ${sql.identifier(table)} where id = any(${sql.param(ids)}::uuid[]))`
  const snapshot = sql`jsonb_build_object(
    'source', ${storedContact(source.id)}, 'target', ${storedContact(target.id)},
    'procedures', ${names('procedures', [target.procedureId, source.procedureId])},
    'sources', ${names('lead_sources', [target.leadSourceId, source.leadSourceId])})`
  const by = { mergedBy: scope.actor?.id ?? null, mergedAt: scope.now() }
  await tx.insert(contactMerges).values({ id: mergeId, targetId: target.id, sourceId: source.id, snapshot, ...by })
}

const completeSnapshot = (tx: Db, mergeId: string, targetId: string) =>
  tx
    .update(contactMerges)
    .set({ snapshot: sql`snapshot || jsonb_build_object('merged', ${storedContact(targetId)})` })
    .where(eq(contactMerges.id, mergeId))

export const undoDeadline = (mergedAt: Date): Date => new Date(mergedAt.getTime() + undoDays * 24 * 3600_000)

/** The merges into a contact that can be undone, newest first; null if there is no such contact. */
export async function listMerges(scope: Scope, id: string) {
  const [contact] = await scope.db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, id))
  if (!contact) return null
  const rows = await scope.db
    .select({
      id: contactMerges.id,
      sourceId: contactMerges.sourceId,
      sourceName: sql<string>`snapshot->'source'->>'first_name' || ' ' || (snapshot->'source'->>'last_name')`,
      mergedAt: contactMerges.mergedAt,
      mergedBy: contactMerges.mergedBy,
    })
    .from(contactMerges)
    .where(and(eq(contactMerges.targetId, id), isNull(contactMerges.undoneAt), isNotNull(contactMerges.snapshot)))
    .orderBy(desc(contactMerges.mergedAt))
  const merges = rows.map((row) => ({ ...row, undoUntil: undoDeadline(row.mergedAt) })).filter(({ undoUntil }) => undoUntil > scope.now())
  await scope.recordView({ kind: 'merge', contactIds: [id, ...merges.map(({ sourceId }) => sourceId)] })
  return merges
}
