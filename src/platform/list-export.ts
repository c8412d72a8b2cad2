import type { z } from 'zod'
import type { AuditKind } from '../kernel/audit/rules.ts'
import { recordChange } from './audit/service.ts'
import type { Cells } from '../shared/csv.ts'
import { dayAt } from '../shared/zoned-time.ts'
import { createConcurrencyLimit, exportsBusy } from '../kernel/workers/concurrency-limit.ts'
import { withSnapshot } from '../kernel/postgres/snapshot.ts'
import type { Scope } from '../kernel/scope.ts'
import { formatIn, spreadsheetResponse } from '../kernel/http/spreadsheet-response.ts'

/** Some rows of a list, and the patients in them. */
export type ExportedRows = { rows: Cells[]; contactIds: readonly string[] }

/** A list that can be exported: its query and how it is read. */
export type ListExport<Input> = {
  /** File name prefix: 'tasks' gives tasks-2026-11-23.csv. */
  name: string
  /** Kind of information, for the audit log. */
  kind: AuditKind
  input: z.ZodType<Input>
  head: (input: Input) => Cells
  /** All rows in batches. Everything that `scope.db` reads comes from one snapshot. */
  read: (scope: Scope, input: Input) => AsyncIterable<ExportedRows>
  /** Details for the audit log in addition to the row count. */
  note?: (input: Input) => object
  /** What does not exist and is answered with 404; null if it does. */
  missing?: (scope: Scope, input: Input) => Promise<string | null>
}

/** Each export holds a connection while it streams. */
const maxAtOnce = 2

/**
 * Responds with a list as CSV or XLSX, read and sent as a stream. Patients are audited before their rows are sent. Two at a time of each
 * list per process, sixty an hour per person.
 */
export function createListExport<Input>(list: ListExport<Input>): (scope: Scope, request: Request) => Promise<Response> {
  const acquire = createConcurrencyLimit({ maxConcurrent: maxAtOnce, limit: { name: 'listExport', of: list.name } })

  return async (scope, request) => {
    const parsed = list.input.safeParse(Object.fromEntries(await givenIn(request)))
    if (!parsed.success) return invalid(parsed.error)
    const missing = await list.missing?.(scope, parsed.data)
    if (missing) return Response.json({ code: 'NOT_FOUND', message: missing }, { status: 404 })
    const turn = await acquire(scope)
    if (!turn) return exportsBusy()
    const name = `${list.name}-${dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)}`
    const rows = rowsOf(scope, list, parsed.data, formatIn(request))
    return spreadsheetResponse({ name, format: formatIn(request), rows, onEnd: turn.end })
  }
}

const givenIn = async (request: Request): Promise<URLSearchParams> =>
  request.method === 'GET' ? new URL(request.url).searchParams : new URLSearchParams(await request.text())

export function invalid(error: z.ZodError): Response {
  const fields = Object.fromEntries(error.issues.map((issue) => [issue.path.join('.') || 'query', issue.message]))
  return Response.json({ code: 'INVALID_INPUT', message: 'Please check the marked fields', data: { fields } }, { status: 422 })
}

const rowsOf = <Input>(scope: Scope, list: ListExport<Input>, input: Input, format: string): AsyncGenerator<Cells[]> =>
  withSnapshot(scope, async function* (still) {
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
  })
