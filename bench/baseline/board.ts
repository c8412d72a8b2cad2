import type pg from 'pg'
import { columns } from './contacts.ts'

const [firstCards, maxCounted] = [25, 1000]

const stages = 'select id from funnel_stages order by sort_order'
const counts = 'select funnel_stage as id, sum(change) as total from contact_counts group by funnel_stage'
const card = `${columns}, to_char(stage_entered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || contacts.seq as place`

/** The first cards of each stage that match `where`, one more than are shown. */
const cards = (where: string) => `
  select ${card} from contacts where seq in (
    select first.seq from funnel_stages as stage
    cross join lateral (
      select seq from contacts where funnel_stage = stage.id ${where} order by stage_entered_at desc, seq desc limit ${firstCards + 1}
    ) as first)
  order by stage_entered_at desc, seq desc`

const countUpTo = (where: string) => `
  select stage.id, matching.total from funnel_stages as stage
  cross join lateral (
    select count(*) as total from (select from contacts where funnel_stage = stage.id ${where} limit ${maxCounted + 1}) as counted
  ) as matching`

type Card = { funnelStageId: string; place: string }
type Count = { id: string; total: string }

/** The board: the first 25 cards and the total of each stage, optionally filtered by owner, or by owner and procedure. */
export async function board(pool: pg.Pool, owner: string | undefined, procedure: string | undefined): Promise<unknown> {
  const where = `${owner ? 'and assigned_sales_rep_id = $1' : ''} ${procedure ? 'and procedure_of_interest = $2' : ''}`
  const values = [owner, procedure].filter((value) => value !== undefined)
  const name = `board ${values.length}`
  const [order, found, totals] = await Promise.all([
    pool.query<{ id: string }>({ name: 'stages', text: stages, values: [] }),
    pool.query<Card>({ name, text: cards(where), values }),
    pool.query<Count>({ name: `${name} totals`, text: owner ? countUpTo(where) : counts, values }),
  ])
  const byStage = Map.groupBy(found.rows, ({ funnelStageId }) => funnelStageId)
  return {
    columns: order.rows.map(({ id }) => ({
      stageId: id,
      data: (byStage.get(id) ?? []).slice(0, firstCards),
      total: Math.min(Number(totals.rows.find((row) => row.id === id)?.total ?? 0), owner ? maxCounted : Infinity),
    })),
  }
}

const more = `
  select ${card} from contacts where funnel_stage = $1 and (stage_entered_at, seq) < ($2::timestamptz, $3::bigint)
  order by stage_entered_at desc, seq desc limit $4`

/** The 50 cards of a stage after a place. */
export async function moreCards(pool: pg.Pool, stage: string, place: string): Promise<unknown> {
  const [at, seq] = place.split('_')
  const { rows } = await pool.query<Card>({ name: 'more', text: more, values: [stage, at, seq, 51] })
  const data = rows.slice(0, 50)
  return { data, nextCursor: rows.length > 50 ? data.at(-1)?.place : null }
}
