import { drizzle } from 'drizzle-orm/node-postgres'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { z } from 'zod'
import type { AuditKind } from '../features/audit/rules.ts'
import { recordChange } from '../features/audit/service.ts'
import type { Cells } from '../shared/csv.ts'
import { dayAt } from '../shared/zoned-time.ts'
import type { Database } from './database.ts'
import { type Scope, staff } from './scope.ts'
import { formatIn, tableAnswer } from './table-answer.ts'

/** Some rows of a list, and whose they are. */
export type ExportedRows = { rows: Cells[]; contactIds: readonly string[] }

/** A list as a file: what may be asked of it, and how it is read. */
export type ListExport<Input> = {
  /** Begins the name of the file: 'tasks' makes tasks-2026-11-23.csv. */
  name: string
  /** The kind of information, for the audit log. */
  kind: AuditKind
  input: z.ZodType<Input>
  head: (input: Input) => Cells
  /** All rows, some at a time. Everything that `scope.db` reads is as it was at one moment. */
  read: (scope: Scope, input: Input) => AsyncIterable<ExportedRows>
  /** What the audit log is told besides how many rows there were. */
  note?: (input: Input) => object
}

/** Each holds a connection for as long as it is sent. */
const mostAtOnce = 2
const perHour = 60

/**
 * Answers with a list as CSV or XLSX, read and sent bit by bit. Who was exported is in the audit log before their line leaves. Two at a time of
 * each list per process, sixty an hour for each person.
 */
export function createListExport<Input>(list: ListExport<Input>): (scope: Scope, request: Request) => Promise<Response> {
  const limiter = new RateLimiterMemory({ points: perHour, duration: 3600 })
  let running = 0

  return async (scope, request) => {
    const parsed = list.input.safeParse(Object.fromEntries(await givenIn(request)))
    if (!parsed.success) return invalid(parsed.error)
    const isWithin = await limiter.consume(staff(scope).id).then(
      () => true,
      () => false,
    )
    if (!isWithin || running >= mostAtOnce) return tooMany()
    running++
    const name = `${list.name}-${dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)}`
    const rows = rowsOf(scope, list, parsed.data, formatIn(request))
    return tableAnswer({ name, format: formatIn(request), rows, onEnd: () => running-- })
  }
}

const givenIn = async (request: Request): Promise<URLSearchParams> =>
  request.method === 'GET' ? new URL(request.url).searchParams : new URLSearchParams(await request.text())

export function invalid(error: z.ZodError): Response {
  const fields = Object.fromEntries(error.issues.map((issue) => [issue.path.join('.') || 'query', issue.message]))
  return Response.json({ code: 'INVALID_INPUT', message: 'Please check the marked fields', data: { fields } }, { status: 422 })
}

const tooMany = () =>
  Response.json(
    { code: 'TOO_MANY_REQUESTS', message: 'Other exports are under way. Please try again in a minute.' },
    { status: 429, headers: { 'retry-after': '60' } },
  )

async function* rowsOf<Input>(scope: Scope, list: ListExport<Input>, input: Input, format: string): AsyncGenerator<Cells[]> {
  const client = await scope.db.$client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    // What is read here is told as exported, row by row, and not as viewed besides.
    const still: Scope = { ...scope, db: drizzle(client) as unknown as Database, recordView: async () => {} }
    yield [[...list.head(input)]]
    for await (const { rows, contactIds } of list.read(still, input)) {
      if (rows.length === 0) continue
      await recordChange(scope.db, scope, {
        action: 'exported',
        kind: list.kind,
        contactIds: [...new Set(contactIds)],
        after: { rows: rows.length, format, ...list.note?.(input) },
      })
      yield rows
    }
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}
