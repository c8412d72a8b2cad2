import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { z } from 'zod'
import { csvAnswer } from '../../server/csv-answer.ts'
import { type Scope, staff } from '../../server/scope.ts'
import { csvLine } from '../../shared/csv.ts'
import { recordChange } from '../audit/service.ts'
import { listInput } from './contract.ts'
import { cellsOf, type ExportColumn, exportColumns } from './export-columns.ts'
import { matchingContacts, orders } from './list.ts'

const columnIds = Object.keys(exportColumns) as ExportColumn[]
/** As many as may be chosen one by one for a bulk change. */
const mostIds = 5_000

const list = <Item extends string>(item: z.ZodType<Item, string>, most: number) =>
  z
    .string()
    .transform((text) => text.split(',').filter(Boolean))
    .pipe(z.array(item).min(1).max(most))

/** The list's own search, filters and order; or the patients chosen one by one. */
const exportInput = listInput.omit({ page: true, limit: true }).extend({
  ids: list(z.uuid(), mostIds).optional(),
  columns: list(z.enum(columnIds), columnIds.length).default(columnIds),
})
type ExportInput = z.output<typeof exportInput>

/** Each holds a connection for as long as it is sent. */
const mostAtOnce = 2
const perHour = 60

/**
 * GET /api/contacts/export.csv with the list's query, or POST with a form, which has room for `ids`: those patients as a file, read and sent
 * bit by bit. Who was exported is in the audit log before their line leaves.
 */
export function createExport() {
  const limiter = new RateLimiterMemory({ points: perHour, duration: 3600 })
  let running = 0

  return async (scope: Scope, request: Request): Promise<Response> => {
    const input = await readInput(request)
    if (input instanceof Response) return input
    const isWithin = await limiter.consume(staff(scope).id).then(
      () => true,
      () => false,
    )
    if (!isWithin || running >= mostAtOnce) return tooMany()
    const { ids, columns, sort, ...filters } = input
    const chosen = ids ? sql`select unnest(${sql.param(ids)}::uuid[])` : await matchingContacts(scope, filters)
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: scope.env.PRACTICE_TIME_ZONE }).format(scope.now())
    running++
    return csvAnswer(`patients-${day}.csv`, linesOf(scope, chosen, orders[sort], columns), () => running--)
  }
}

async function readInput(request: Request): Promise<ExportInput | Response> {
  const given = request.method === 'GET' ? new URL(request.url).searchParams : new URLSearchParams(await request.text())
  const parsed = exportInput.safeParse(Object.fromEntries(given))
  if (parsed.success) return parsed.data
  const fields = Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.') || 'query', issue.message]))
  return Response.json({ code: 'INVALID_INPUT', message: 'Please check the marked fields', data: { fields } }, { status: 422 })
}

const tooMany = () =>
  Response.json(
    { code: 'TOO_MANY_REQUESTS', message: 'Other exports are under way. Please try again in a minute.' },
    { status: 429, headers: { 'retry-after': '60' } },
  )

const linesAtOnce = 500

/** The file's lines, through a cursor: as it was when it was asked for, whoever changes what meanwhile. */
async function* linesOf(scope: Scope, chosen: SQL, order: SQL[], columns: readonly ExportColumn[]): AsyncGenerator<string> {
  const client = await scope.db.$client.connect()
  try {
    const db = drizzle(client)
    await db.execute(sql`begin isolation level repeatable read read only`)
    await db.execute(sql`
      declare lines no scroll cursor for
      select contacts.id, ${cellsOf(columns, scope.env.PRACTICE_TIME_ZONE)} as cells
      from contacts where contacts.id in (${chosen}) order by ${sql.join(order, sql`, `)}`)
    yield csvLine(columns.map((id) => exportColumns[id].label))
    for (;;) {
      const { rows } = await db.execute<{ id: string; cells: string[] }>(sql`fetch ${sql.raw(String(linesAtOnce))} from lines`)
      if (rows.length === 0) return
      await recordChange(scope.db, scope, {
        action: 'exported',
        kind: 'contact',
        contactIds: rows.map(({ id }) => id),
        after: { patients: rows.length, columns },
      })
      yield rows.map(({ cells }) => csvLine(cells)).join('')
    }
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}
