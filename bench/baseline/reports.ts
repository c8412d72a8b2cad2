import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { reportSql } from '../../src/insight/reports/sql/all.ts'
import { type Reading, readFacts } from '../../src/insight/reports/sql/facts.ts'
import type { ReportName } from '../../src/insight/reports/name-rules.ts'
import { definitionOf } from '../../src/insight/reports/report-rules.ts'
import { comparedPeriods, type PeriodName } from '../../src/insight/reports/rules.ts'
import { askedOf, readSourceGroups } from '../../src/insight/reports/sql/sql.ts'
import { dayAt } from '../../src/shared/zoned-time.ts'

const timeZone = 'America/Toronto'

/** The figures of a report, read with the product's own queries for both periods at once. */
export async function report(pool: pg.Pool, url: string): Promise<unknown> {
  const { pathname, searchParams } = new URL(url, 'http://bare')
  const name = pathname.split('/').at(-1) as ReportName
  const now = new Date()
  const periods = comparedPeriods(searchParams.get('period') as PeriodName, dayAt(now, timeZone), null)
  const rest = {
    now,
    filters: { user: undefined, source: undefined, procedure: undefined, location: undefined },
    groups: await readSourceGroups(drizzle(pool)),
    ownTasksOf: null,
  }
  const read = async (range: typeof periods.now): Promise<Reading> => {
    const client = await pool.connect()
    try {
      await client.query(`begin isolation level repeatable read read only; set local work_mem = '64MB'`)
      return await readFacts(drizzle(client), reportSql[name], askedOf(range, timeZone, rest))
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  const [present, before] = await Promise.all([read(periods.now), read(periods.before)])
  const { figures } = definitionOf(name)
  return {
    figures: Object.fromEntries(figures.map((key) => [key, { now: present.figures[key] ?? null, before: before.figures[key] ?? null }])),
  }
}
