import { randomBytes } from 'node:crypto'
import { asc, eq, sql } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../contacts/table.ts'
import { leadEntries } from '../leads/table.ts'
import type { FieldMap, Uses } from './rules.ts'
import { leadSources, sourceSpend } from './table.ts'
import { findByIdOrName } from '../../kernel/find-by-name.ts'
import { hashToken } from '../../kernel/tokens.ts'

type Row = typeof leadSources.$inferSelect

/** A new webhook key. Only its hash is stored: the key has 192 random bits, so a plain hash is enough. */
const newWebhookKey = () => randomBytes(24).toString('base64url')

const toLeadSource = (row: Row) => ({ ...row, hasWebhookKey: row.webhookKeyHash !== null })

export const listLeadSources = async (db: Db) =>
  (
    await db
      .select()
      .from(leadSources)
      .orderBy(asc(sql`fold(${leadSources.name})`))
  ).map(toLeadSource)

/** A source with its counts and the intake URL, to which the key is appended. Null: the source does not exist. */
export async function getLeadSource({ db, env }: Scope, id: string) {
  const [row] = await db.select().from(leadSources).where(eq(leadSources.id, id))
  if (!row) return null
  return { ...toLeadSource(row), intakeAddress: `${env.APP_URL}/api/leads/`, ...(await usesOf(db, id)) }
}

/** Adds a source. Returns its webhook key, which is not stored and can't be shown again. */
export async function createLeadSource(
  scope: Scope,
  input: { name: string; thankYouUrl?: string | null | undefined; sendsWelcome?: boolean | undefined },
) {
  const webhookKey = newWebhookKey()
  return scope.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(leadSources)
      .values({
        name: input.name,
        thankYouUrl: input.thankYouUrl ?? null,
        sendsWelcome: input.sendsWelcome ?? true,
        webhookKeyHash: hashToken(webhookKey),
      })
      .onConflictDoNothing()
      .returning()
    if (!row) return refuse('NAME_TAKEN')
    await publishChange(tx, scope, row, 'created')
    return { ...toLeadSource(row), webhookKey }
  })
}

const bookingSourceName = 'Online booking'

/** The source of patients who book themselves, which is added with the first of them. It sends no welcome: the booking is confirmed. */
export async function bookingSource(tx: Db): Promise<Row> {
  const find = () =>
    tx
      .select()
      .from(leadSources)
      .where(eq(sql`lower(${leadSources.name})`, bookingSourceName.toLowerCase()))
  const [existing] = await find()
  if (existing) return existing
  const [added] = await tx.insert(leadSources).values({ name: bookingSourceName, sendsWelcome: false }).onConflictDoNothing().returning()
  return added ?? (await find())[0]!
}

export async function updateLeadSource(
  scope: Scope,
  id: string,
  input: {
    name?: string | undefined
    thankYouUrl?: string | null | undefined
    sendsWelcome?: boolean | undefined
    isActive?: boolean | undefined
  },
) {
  try {
    return await scope.db.transaction(async (tx) => {
      const [before] = await tx.select().from(leadSources).where(eq(leadSources.id, id)).for('no key update')
      if (!before) return null
      const [row] = await tx
        .update(leadSources)
        .set({ ...input, updatedAt: scope.now() })
        .where(eq(leadSources.id, id))
        .returning()
      await publishChange(tx, scope, row!, 'changed', { before: toAuditValues(before) })
      return toLeadSource(row!)
    })
  } catch (error) {
    if (isDuplicate(error, 'lead_sources_name')) return refuse('NAME_TAKEN')
    throw error
  }
}

/** Saves the field mapping of a source. Null: the source does not exist. */
export async function changeFieldMap(tx: Db, scope: Scope, id: string, fieldMap: FieldMap): Promise<Row | null> {
  const [before] = await tx.select().from(leadSources).where(eq(leadSources.id, id)).for('no key update')
  if (!before) return null
  const set = { fieldMap, updatedAt: scope.now() }
  const [row] = await tx.update(leadSources).set(set).where(eq(leadSources.id, id)).returning()
  const auditedMap = ({ id, name, fieldMap }: Row) => ({ id, name, fieldMap })
  await publishChange(tx, scope, row!, 'changed', { before: auditedMap(before), after: auditedMap(row!) })
  return row!
}

/** Replaces the webhook key. Null: the source does not exist. */
export async function rotateWebhookKey(scope: Scope, id: string): Promise<string | null> {
  const webhookKey = newWebhookKey()
  const set = { webhookKeyHash: hashToken(webhookKey), updatedAt: scope.now() }
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.update(leadSources).set(set).where(eq(leadSources.id, id)).returning()
    if (!row) return null
    await publishChange(tx, scope, row, 'changed', { after: { ...toAuditValues(row), webhookKey: 'replaced' } })
    return webhookKey
  })
}

/** How many patients and leads have a source, and how many months have an amount. */
export async function usesOf(db: Db, id: string): Promise<Uses> {
  const [patients, leads, spendMonths] = await Promise.all([
    db.$count(contacts, eq(contacts.leadSourceId, id)),
    db.$count(leadEntries, eq(leadEntries.sourceId, id)),
    db.$count(sourceSpend, eq(sourceSpend.sourceId, id)),
  ])
  return { patients, leads, spendMonths }
}

const toAuditValues = ({ id, name, thankYouUrl, sendsWelcome, isActive }: Row) => ({ id, name, thankYouUrl, sendsWelcome, isActive })

interface AuditValues {
  before?: object
  after?: object
}

/** Audits a change of a source and publishes it to open pages. */
export async function publishChange(tx: Db, scope: Scope, row: Row, action: 'created' | 'changed' | 'deleted', values: AuditValues = {}) {
  const { before, after = toAuditValues(row) } = values
  await recordChange(tx, scope, { action, kind: 'lead-source', contactIds: [], before, after })
  await publish(tx, 'vocabulary', row.id)
}

/** Finds a lead source by id or name. An unknown source is kept as free text and still shown in its display group. */
export async function findLeadSource(
  tx: Db,
  input: string | null,
): Promise<{ leadSourceId: string | null; leadSourceText: string | null }> {
  const id = input === null ? null : await findByIdOrName(tx, leadSources, input)
  return { leadSourceId: id, leadSourceText: id ? null : input }
}
