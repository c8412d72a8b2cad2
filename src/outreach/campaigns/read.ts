import { desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { numberedPage } from '../../shared/page-lists.ts'
import type { Campaign } from './contract.ts'
import type { RecipientState } from './rules.ts'
import { campaignRecipients, campaigns } from './table.ts'

type Row = typeof campaigns.$inferSelect
type Reading = Pick<Scope, 'now'> & { db: Db }

/** How many patients of each campaign are in which state. */
async function progressOf({ db, now }: Reading, ids: readonly string[]) {
  const counts =
    ids.length === 0
      ? []
      : await db
          .select({
            id: campaignRecipients.campaignId,
            state: campaignRecipients.state,
            n: sql<number>`count(*)::int`,
            held: sql<number>`(count(*) filter (where ${campaignRecipients.notBefore} > ${now().toISOString()}::timestamptz))::int`,
          })
          .from(campaignRecipients)
          .where(inArray(campaignRecipients.campaignId, [...ids]))
          .groupBy(campaignRecipients.campaignId, campaignRecipients.state)
  return (id: string) => {
    const of = (state: RecipientState) => counts.find((count) => count.id === id && count.state === state)?.n ?? 0
    const held = counts.find((count) => count.id === id && count.state === 'waiting')?.held ?? 0
    return { waiting: of('waiting'), held, sent: of('sent'), refused: of('refused'), stopped: of('stopped') }
  }
}

async function withProgress(scope: Reading, rows: readonly Row[]): Promise<Campaign[]> {
  const progress = await progressOf(
    scope,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, progress: progress(row.id) }))
}

export async function listCampaigns(scope: Scope, { page, limit }: { page: number; limit: number }) {
  const { db } = scope
  const rows = await db
    .select()
    .from(campaigns)
    .orderBy(desc(campaigns.createdAt), desc(campaigns.id))
    .limit(limit)
    .offset((page - 1) * limit)
  return numberedPage({ data: await withProgress(scope, rows), total: await db.$count(campaigns) }, { page, limit })
}

/** Null: the campaign does not exist. */
export async function getCampaign(scope: Reading, id: string): Promise<Campaign | null> {
  const rows = await scope.db.select().from(campaigns).where(eq(campaigns.id, id))
  return (await withProgress(scope, rows))[0] ?? null
}

/** The scope in which a campaign selects its patients: “my patients” are those of its author, for every reader. */
export const asAuthor = (scope: Scope, { createdBy }: Pick<Row, 'createdBy'>): Scope =>
  scope.actor?.id === createdBy
    ? scope
    : { ...scope, actor: { id: createdBy, sessionId: '', role: 'sales_rep', status: 'active', name: '', email: '' } }
