import type pg from 'pg'
import { dayAt, monthsLater } from '../src/shared/zoned-time.ts'
import { zone } from './clock.ts'
import { createRandom } from './random.ts'
import type { References } from './rows.ts'
import type { SourceName } from './sources.ts'

/** What the clinic pays in a month, in dollars, and by how much it varies. The agency was tried for a quarter. */
const costs: { source: SourceName; dollars: number; spread: number; lastMonths?: number }[] = [
  { source: 'Google CPC', dollars: 7_400, spread: 0.25 },
  { source: 'Social Media', dollars: 4_100, spread: 0.3 },
  { source: 'Google Organic', dollars: 1_850, spread: 0 },
  { source: 'Google Local', dollars: 450, spread: 0 },
  { source: 'Website', dollars: 320, spread: 0 },
  { source: 'Agency Test', dollars: 2_000, spread: 0.1, lastMonths: 3 },
]
const months = 26

/** Records what the lead sources cost in the current month and in those before, in the caller's transaction. */
export async function addSpend(client: pg.Client, { sources }: References, now: number, seed: number): Promise<void> {
  const random = createRandom(seed)
  const current = `${dayAt(new Date(now), zone).slice(0, 7)}-01`
  const rows = costs.flatMap(({ source, dollars, spread, lastMonths = months }) =>
    Array.from({ length: lastMonths }, (_, ago) => ({
      source: sources[source],
      month: monthsLater(current, -ago),
      cents: spread === 0 ? dollars * 100 : Math.round(dollars * (1 - spread + 2 * spread * random.next()) * 100),
    })),
  )
  await client.query(
    `insert into source_spend (source_id, month, cents, updated_at)
     select source, month, cents, $2 from jsonb_to_recordset($1) as given(source uuid, month date, cents bigint)`,
    [JSON.stringify(rows), new Date(now)],
  )
}
