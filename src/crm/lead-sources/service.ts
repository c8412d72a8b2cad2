import { createHash, randomBytes } from 'node:crypto'
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
import { leadSources } from './table.ts'
import { findNamed } from '../../kernel/named.ts'

type Row = typeof leadSources.$inferSelect

/** Only this hash of a webhook key is stored. The key has 192 random bits, so a plain hash is enough. */
export const hashWebhookKey = (key: string): string => createHash('sha256').update(key).digest('base64url')
const newWebhookKey = () => randomBytes(24).toString('base64url')

const shown = (row: Row) => ({ ...row, hasWebhookKey: row.webhookKeyHash !== null })

export const listLeadSources = async (db: Db) =>
  (
    await db
      .select()
      .from(leadSources)
      .orderBy(asc(sql`fold(${leadSources.name})`))
  ).map(shown)

/** One source, with the address that its key is added to. Null: there is none. */
export async function getLeadSource({ db, env }: Scope, id: string) {
  const [row] = await db.select().from(leadSources).where(eq(leadSources.id, id))
  if (!row) return null
  return { ...shown(row), intakeAddress: `${env.APP_URL}/api/leads/`, ...(await usesOf(db, id)) }
}

/** The key is in the answer and nowhere else. */
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
        webhookKeyHash: hashWebhookKey(webhookKey),
      })
      .onConflictDoNothing()
      .returning()
    if (!row) return refuse('NAME_TAKEN')
    await changed(tx, scope, row, 'created')
    return { ...shown(row), webhookKey }
  })
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
      await changed(tx, scope, row!, 'changed', { before: audited(before) })
      return shown(row!)
    })
  } catch (error) {
    if (isDuplicate(error, 'lead_sources_name')) return refuse('NAME_TAKEN')
    throw error
  }
}

/** Keeps which of a source's fields hold which of ours. Null: there is no such source. */
export async function changeFieldMap(tx: Db, scope: Scope, id: string, fieldMap: FieldMap): Promise<Row | null> {
  const [before] = await tx.select().from(leadSources).where(eq(leadSources.id, id)).for('no key update')
  if (!before) return null
  const set = { fieldMap, updatedAt: scope.now() }
  const [row] = await tx.update(leadSources).set(set).where(eq(leadSources.id, id)).returning()
  const mapped = (of: Row) => ({ id: of.id, name: of.name, fieldMap: of.fieldMap })
  await changed(tx, scope, row!, 'changed', { before: mapped(before), after: mapped(row!) })
  return row!
}

/** Replaces the webhook key; null when there is no such source. */
export async function rotateWebhookKey(scope: Scope, id: string): Promise<string | null> {
  const webhookKey = newWebhookKey()
  const set = { webhookKeyHash: hashWebhookKey(webhookKey), updatedAt: scope.now() }
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.update(leadSources).set(set).where(eq(leadSources.id, id)).returning()
    if (!row) return null
    await changed(tx, scope, row, 'changed', { after: { ...audited(row), webhookKey: 'replaced' } })
    return webhookKey
  })
}

/** How many have a source. */
export async function usesOf(db: Db, id: string): Promise<Uses> {
  const [patients, leads] = await Promise.all([
    db.$count(contacts, eq(contacts.leadSourceId, id)),
    db.$count(leadEntries, eq(leadEntries.sourceId, id)),
  ])
  return { patients, leads }
}

const audited = ({ id, name, thankYouUrl, sendsWelcome, isActive }: Row) => ({ id, name, thankYouUrl, sendsWelcome, isActive })

interface Told {
  before?: object
  after?: object
}

export async function changed(tx: Db, scope: Scope, row: Row, action: 'created' | 'changed' | 'deleted', told: Told = {}) {
  const { before, after = audited(row) } = told
  await recordChange(tx, scope, { action, kind: 'lead-source', contactIds: [], before, after })
  await publish(tx, 'vocabulary', row.id)
}

/** A lead source by id or name. A source that nothing is called stays as free text and is still shown in its display group. */
export async function findLeadSource(
  tx: Db,
  input: string | null,
): Promise<{ leadSourceId: string | null; leadSourceText: string | null }> {
  const id = input === null ? null : await findNamed(tx, leadSources, input)
  return { leadSourceId: id, leadSourceText: id ? null : input }
}
