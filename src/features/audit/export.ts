import { tableAnswer } from '../../server/table-answer.ts'
import type { Scope } from '../../server/scope.ts'
import { dayAt, toLocal } from '../../shared/zoned-time.ts'
import { auditFilters } from './contract.ts'
import { aboutOf, type AuditRow, namesOf, readEntries } from './read.ts'
import { recordChange } from './service.ts'

const linesAtOnce = 500
/** So many patients are named in a line; all of them are counted. */
const named = 20

/**
 * GET /api/audit.csv with the list's filters: its entries as a file, read and sent bit by bit. What was exported is in the log itself, before
 * the first line leaves: so that the file ends, it holds what was there when it was asked for.
 */
export function answerAuditCsv(scope: Scope, request: Request): Response {
  const parsed = auditFilters.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  if (!parsed.success) {
    const fields = Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.') || 'query', issue.message]))
    return Response.json({ code: 'INVALID_INPUT', message: 'Please check the marked fields', data: { fields } }, { status: 422 })
  }
  const filters = parsed.data
  const timeZone = scope.env.PRACTICE_TIME_ZONE
  const rows = async function* () {
    yield [heads]
    for (let cursor: number | undefined, isFirst = true; ; isFirst = false) {
      const { page, nextCursor } = await readEntries(scope.db, timeZone, filters, {
        limit: linesAtOnce,
        ...(cursor === undefined ? {} : { cursor }),
      })
      const told = page.flatMap(({ contactIds }) => contactIds.slice(0, named))
      const names = await namesOf(scope.db, told)
      if (isFirst || page.length > 0) {
        await recordChange(scope.db, scope, {
          action: 'exported',
          kind: 'audit-log',
          contactIds: [...new Set(told)],
          after: { ...filters, entries: page.length },
        })
      }
      yield page.map((row) => cellsOf(row, names, timeZone))
      if (nextCursor === null) return
      cursor = nextCursor
    }
  }
  return tableAnswer({ name: `audit-log-${dayAt(scope.now(), timeZone)}`, format: 'csv', rows: rows() })
}

const heads = [
  'Number',
  'Date',
  'Time',
  'Who',
  'Role',
  'Deed',
  'What',
  'Patients',
  'Number of patients',
  'Before',
  'After',
  'Address',
  'Request',
]

function cellsOf(row: AuditRow, names: ReadonlyMap<string, string>, timeZone: string): string[] {
  const { day, time } = toLocal(row.at, timeZone)
  const { contactIds } = row
  return [
    String(row.id),
    day,
    time,
    row.byName ?? row.by ?? '',
    row.byRole,
    row.action,
    aboutOf(row),
    contactIds
      .slice(0, named)
      .map((id) => names.get(id) ?? id)
      .join('; '),
    String(contactIds.length),
    textOf(row.before),
    textOf(row.after),
    row.address ?? '',
    row.requestId,
  ]
}

const textOf = (side: unknown): string => (side === null || side === undefined ? '' : JSON.stringify(side))
