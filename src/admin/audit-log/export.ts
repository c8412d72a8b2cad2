import type { ListExport } from '../../platform/list-export.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { type AuditFilters, auditFilters } from './contract.ts'
import { aboutOf, type AuditRow, namesOf, readEntries } from './read.ts'

const linesAtOnce = 500
/** So many patients are named in a line; all of them are counted. */
const named = 20

/** GET /api/audit.csv or .xlsx with the list's filters. That it was exported is in the log itself, and not yet in this file. */
export const auditExport: ListExport<AuditFilters> = {
  name: 'audit-log',
  kind: 'audit-log',
  input: auditFilters,
  head: () => heads,
  note: (filters) => filters,
  async *read(scope, filters) {
    const timeZone = scope.env.PRACTICE_TIME_ZONE
    for (let cursor: number | undefined; ; ) {
      const { data, nextCursor } = await readEntries(scope.db, timeZone, filters, {
        limit: linesAtOnce,
        ...(cursor === undefined ? {} : { cursor }),
      })
      const contactIds = data.flatMap((row) => row.contactIds.slice(0, named))
      const names = await namesOf(scope.db, contactIds)
      yield { rows: data.map((row) => cellsOf(row, names, timeZone)), contactIds }
      if (nextCursor === null) return
      cursor = nextCursor
    }
  },
}

const heads = [
  'Number',
  'Date',
  'Time',
  'Who',
  'Role',
  'Action',
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
