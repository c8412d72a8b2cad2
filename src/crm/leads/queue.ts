import { and, asc, count, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { numberedPage } from '../../shared/page-lists.ts'
import { permissions } from '../../kernel/access/policy.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { changeFieldMap } from '../lead-sources/service.ts'
import type { FieldMap } from '../lead-sources/rules.ts'
import { leadSources } from '../lead-sources/table.ts'
import { readEmails } from './emails.ts'
import { processLead } from './jobs.ts'
import type { LabelledText } from './reading/field-labels.ts'
import { publishLead, createOrUpdateContact } from './process.ts'
import { toLeadEntry } from './service.ts'
import { flatten, receivedFields } from './reading/read-body.ts'
import { leadEntries } from './table.ts'

type Row = typeof leadEntries.$inferSelect

const isWaiting = and(eq(leadEntries.status, 'error'), isNull(leadEntries.dismissedAt))
const isDiscarded = and(eq(leadEntries.status, 'error'), isNotNull(leadEntries.dismissedAt))

interface QueueInput {
  show: 'waiting' | 'discarded'
  sourceId?: string | undefined
  page: number
  limit: number
}

/** A page of failed leads with the received fields and the values recognized in them, by source, newest first. */
export async function listQueue({ db }: Scope, { show, sourceId, page, limit }: QueueInput) {
  const where = and(show === 'waiting' ? isWaiting : isDiscarded, sourceId ? eq(leadEntries.sourceId, sourceId) : undefined)
  const [rows, [counted]] = await Promise.all([
    db
      .select({ entry: { ...columns, rawData: leadEntries.rawData }, source: { name: leadSources.name, fieldMap: leadSources.fieldMap } })
      .from(leadEntries)
      .innerJoin(leadSources, eq(leadSources.id, leadEntries.sourceId))
      .where(where)
      .orderBy(asc(sql`fold(${leadSources.name})`), asc(leadEntries.sourceId), desc(leadEntries.receivedAt), desc(leadEntries.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.select({ total: count() }).from(leadEntries).where(where),
  ])
  const data = rows.map(({ entry: { rawData, ...entry }, source }) => ({
    ...entry,
    sourceName: source.name,
    lead: withValidEmail(flatten(rawData, source.fieldMap)),
    received: receivedFields(rawData),
  }))
  return numberedPage({ data, total: counted!.total }, { page, limit })
}

/** Replaces the email with the first valid address in it, if there is one. */
const withValidEmail = (lead: ReturnType<typeof flatten>) => ({ ...lead, email: (lead.email && readEmails(lead.email)?.[0]) ?? lead.email })

const columns = {
  id: leadEntries.id,
  sourceId: leadEntries.sourceId,
  receivedAt: leadEntries.receivedAt,
  errorMessage: leadEntries.errorMessage,
  dismissedAt: leadEntries.dismissedAt,
}

/** How many leads of each source are waiting to be completed and how many are being processed. */
export async function countQueue(db: Db) {
  const counts = (where: ReturnType<typeof and>) =>
    db.select({ sourceId: leadEntries.sourceId, n: count() }).from(leadEntries).where(where).groupBy(leadEntries.sourceId)
  const [waiting, processing] = await Promise.all([counts(isWaiting), counts(eq(leadEntries.status, 'processing'))])
  const ids = [...new Set([...waiting, ...processing].map(({ sourceId }) => sourceId))]
  const names =
    ids.length === 0
      ? []
      : await db
          .select({ id: leadSources.id, name: leadSources.name })
          .from(leadSources)
          .where(inArray(leadSources.id, ids))
          .orderBy(asc(sql`fold(${leadSources.name})`))
  const countOf = (list: typeof waiting, id: string) => list.find(({ sourceId }) => sourceId === id)?.n ?? 0
  return {
    waiting: waiting.reduce((sum, { n }) => sum + n, 0),
    sources: names.map(({ id, name }) => ({ id, name, waiting: countOf(waiting, id), processing: countOf(processing, id) })),
  }
}

interface CompletedLead {
  firstName: string
  lastName: string
  email: string
  phone?: string | null | undefined
  procedure?: string | null | undefined
}

/**
 * Creates a patient from a waiting lead as completed by staff, or adds it to the patient with its email. If two people complete it at the
 * same time, the second is refused. Null: the lead does not exist.
 */
export async function completeLead(scope: Scope, id: string, completed: CompletedLead) {
  return scope.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, id)
    if (!entry) return null
    if (!isInQueue(entry)) return refuse('NOT_WAITING')
    const [source] = await tx.select().from(leadSources).where(eq(leadSources.id, entry.sourceId))
    const { phone = null, procedure = null, ...required } = completed
    const sent = flatten(entry.rawData, source!.fieldMap)
    const isCompletedEmail = (email: string) => email.toLowerCase() === required.email.toLowerCase()
    const sentEmails = readEmails(sent.email ?? '') ?? []
    // If staff replaced the address, the ones that were sent are wrong.
    const otherEmails = sentEmails.some(isCompletedEmail) ? sentEmails.filter((email) => !isCompletedEmail(email)) : []
    const text = (value: string | null) => value?.slice(0, 200).toWellFormed() ?? null
    const lead = { ...required, phone, procedure, source: text(sent.source), referredBy: text(sent.referredBy), otherEmails }
    const { contact, isNew } = await createOrUpdateContact(tx, scope, { entry, source: source! }, lead)
    await recordEntry(tx, scope, 'changed', entry, { status: 'completed' }, [contact.id])
    return { contactId: contact.id, isNew }
  })
}

/** Discards a waiting lead. Null: the lead does not exist. */
export async function discardLead(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, id)
    if (!entry) return null
    if (!isInQueue(entry)) return refuse('NOT_WAITING')
    return setDismissed(tx, scope, entry, scope.now(), 'deleted')
  })
}

/** Restores a discarded lead to the queue, unless a retention rule has erased its data. Null: the lead does not exist. */
export async function restoreLead(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, id)
    if (!entry) return null
    if (entry.status !== 'error' || !entry.dismissedAt || entry.rawBody === '') return refuse('NOT_DISCARDED')
    return setDismissed(tx, scope, entry, null, 'restored')
  })
}

async function setDismissed(tx: Db, scope: Scope, entry: Row, dismissedAt: Date | null, action: 'deleted' | 'restored') {
  const [row] = await tx.update(leadEntries).set({ dismissedAt }).where(eq(leadEntries.id, entry.id)).returning()
  await recordEntry(tx, scope, action, entry, { dismissedAt })
  return toLeadEntry(row!)
}

const lockEntry = async (tx: Db, id: string): Promise<Row | undefined> =>
  (await tx.select().from(leadEntries).where(eq(leadEntries.id, id)).for('update'))[0]

const isInQueue = ({ status, dismissedAt }: Row): boolean => status === 'error' && dismissedAt === null

/** Audits the change, without the lead's content, and publishes it to open queues. */
async function recordEntry(
  tx: Db,
  scope: Scope,
  action: 'changed' | 'deleted' | 'restored',
  entry: Row,
  after: Partial<Pick<Row, 'status' | 'dismissedAt'>>,
  contactIds: string[] = [],
) {
  const { id, sourceId, status, dismissedAt } = entry
  const before = { id, sourceId, status, dismissedAt }
  await recordChange(tx, scope, { action, kind: 'lead-entry', contactIds, before, after: { ...before, ...after } })
  await publishLead(tx, id)
}

/** How many of a source's leads are read to list its fields. */
const sampleSize = 20

/**
 * The fields that a source sends, each with an example from its waiting leads, or else its latest ones. Null: the source does not exist.
 */
export async function sourceFields(scope: Scope, sourceId: string): Promise<{ fieldMap: FieldMap; received: LabelledText[] } | null> {
  const { db } = scope
  const [source] = await db.select({ fieldMap: leadSources.fieldMap }).from(leadSources).where(eq(leadSources.id, sourceId))
  if (!source) return null
  const latest = (where: ReturnType<typeof and>) =>
    db
      .select({ rawData: leadEntries.rawData, contactId: leadEntries.contactId })
      .from(leadEntries)
      .where(and(eq(leadEntries.sourceId, sourceId), where))
      .orderBy(desc(leadEntries.receivedAt), desc(leadEntries.id))
      .limit(sampleSize)
  const waiting = await latest(isWaiting)
  const rows = waiting.length > 0 ? waiting : await latest(undefined)
  const contactIds = [...new Set(rows.flatMap((row) => row.contactId ?? []))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'lead-entry', contactIds })
  const examples = new Map<string, string>()
  for (const { name, value } of rows.flatMap((row) => receivedFields(row.rawData))) if (!examples.has(name)) examples.set(name, value)
  return { fieldMap: source.fieldMap, received: [...examples].slice(0, 200).map(([name, value]) => ({ name, value })) }
}

/** How many of a source's latest leads are searched for a field, in batches. */
const maxSearched = 1000
const batchSize = 100

/** Returns those of the fields that none of a source's latest leads contains. */
async function unsentFields(tx: Db, sourceId: string, names: readonly string[]): Promise<Set<string>> {
  const unsent = new Set(names)
  for (let offset = 0; unsent.size > 0 && offset < maxSearched; offset += batchSize) {
    const rows = await tx
      .select({ rawData: leadEntries.rawData })
      .from(leadEntries)
      .where(eq(leadEntries.sourceId, sourceId))
      .orderBy(desc(leadEntries.receivedAt), desc(leadEntries.id))
      .limit(batchSize)
      .offset(offset)
    for (const { name } of rows.flatMap(({ rawData }) => receivedFields(rawData))) unsent.delete(name)
    if (rows.length < batchSize) break
  }
  return unsent
}

/**
 * Saves the field mapping of a source and queues a job for each of its waiting leads; jobs skip entries that are already processed. Refuses
 * a field that the source has not sent, unless it is already mapped. Null: the source does not exist.
 */
export async function mapFields(scope: Scope, sourceId: string, fieldMap: FieldMap) {
  return scope.db.transaction(async (tx) => {
    const [source] = await tx.select({ fieldMap: leadSources.fieldMap }).from(leadSources).where(eq(leadSources.id, sourceId))
    const mapped = Object.values(source?.fieldMap ?? {})
    const wanted = Object.values(fieldMap).filter((name) => !mapped.includes(name))
    const unsent = source ? await unsentFields(tx, sourceId, wanted) : new Set()
    const invalid = Object.entries(fieldMap).filter(([, name]) => unsent.has(name))
    if (invalid.length > 0)
      return invalidReference(
        Object.fromEntries(invalid.map(([field, name]) => [field, `This source has not sent a field named “${name}”`])),
      )
    if (!(await changeFieldMap(tx, scope, sourceId, fieldMap))) return null
    const { rows } = await tx.execute<{ queued: number }>(sql`
      with waiting as (
        update lead_entries set status = 'processing', error_message = null, processed_at = null
        where source_id = ${sourceId} and status = 'error' and dismissed_at is null returning id
      )
      select count(graphile_worker.add_job(${processLead.name}, json_build_object('entryId', id), max_attempts => 8))::int as queued from waiting`)
    await publish(tx, 'lead', sourceId, { accounts: [], roles: permissions['leads.queue'] })
    return rows[0]!
  })
}
