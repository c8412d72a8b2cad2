import { createHash, randomBytes } from 'node:crypto'
import { asc, eq, sql } from 'drizzle-orm'
import type { Scope } from '../../server/scope.ts'
import type { Db } from '../../server/database.ts'
import { isDuplicate } from '../../server/errors.ts'
import { publish } from '../../server/events.ts'
import { recordChange } from '../audit/service.ts'
import { contacts } from '../contacts/table.ts'
import { leadSources } from './table.ts'
import { findNamed } from '../../server/named.ts'

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
  const { rows } = await db.execute(sql`select 1 from lead_entries where source_id = ${id} limit 1`)
  return { ...shown(row), intakeAddress: `${env.APP_URL}/api/leads/`, hasLeads: rows.length > 0 }
}

/** 'taken' when another source has the name. The key is in the answer and nowhere else. */
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
        sendsWelcome: input.sendsWelcome ?? false,
        webhookKeyHash: hashWebhookKey(webhookKey),
      })
      .onConflictDoNothing()
      .returning()
    if (!row) return 'taken' as const
    await changed(tx, scope, row, 'created')
    return { ...shown(row), webhookKey }
  })
}

export async function updateLeadSource(
  scope: Scope,
  id: string,
  input: { name?: string | undefined; thankYouUrl?: string | null | undefined; sendsWelcome?: boolean | undefined },
) {
  try {
    return await scope.db.transaction(async (tx) => {
      const [before] = await tx.select().from(leadSources).where(eq(leadSources.id, id)).for('no key update')
      if (!before) return 'not-found' as const
      const [row] = await tx
        .update(leadSources)
        .set({ ...input, updatedAt: scope.now() })
        .where(eq(leadSources.id, id))
        .returning()
      await changed(tx, scope, row!, 'changed', { before: audited(before) })
      return shown(row!)
    })
  } catch (error) {
    if (isDuplicate(error, 'lead_sources_name')) return 'taken' as const
    throw error
  }
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

/** A source that leads have arrived from stays: they refer to it. Patients who were given it by hand keep its name as text. */
export async function deleteLeadSource(scope: Scope, id: string): Promise<'deleted' | 'not-found' | 'in-use'> {
  try {
    return await scope.db.transaction(async (tx) => {
      const [row] = await tx.select().from(leadSources).where(eq(leadSources.id, id)).for('update')
      if (!row) return 'not-found'
      const named = sql`coalesce(${contacts.leadSourceText}, ${row.name})`
      const losing = await tx
        .update(contacts)
        .set({ leadSourceText: named, leadSourceId: null })
        .where(eq(contacts.leadSourceId, id))
        .returning({ id: contacts.id })
      await tx.delete(leadSources).where(eq(leadSources.id, id))
      await changed(tx, scope, row, 'deleted', { patients: losing })
      return 'deleted'
    })
  } catch (error) {
    if ((error as { cause?: { code?: string } }).cause?.code === '23503') return 'in-use'
    throw error
  }
}

const audited = ({ id, name, thankYouUrl, sendsWelcome }: Row) => ({ id, name, thankYouUrl, sendsWelcome })

interface Told {
  /** Who had the source by hand. */
  patients?: { id: string }[]
  before?: object
  after?: object
}

async function changed(tx: Db, scope: Scope, row: Row, action: 'created' | 'changed' | 'deleted', told: Told = {}) {
  const { patients = [], before, after = audited(row) } = told
  await recordChange(tx, scope, { action, kind: 'lead-source', contactIds: patients.map(({ id }) => id), before, after })
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
