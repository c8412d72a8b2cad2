import type { ListExport } from '../../platform/list-export.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { type AuditFilters, auditFilters } from './contract.ts'
import { formatAbout, type AuditRow, findNames, readEntries } from './read.ts'

const batchSize = 500
/** How many patients are named in a row; all of them are counted. */
const namesPerRow = 20

/** GET /api/audit.csv or .xlsx with the list's filters. The export itself is logged, but is not part of this file. */
export const auditExport: ListExport<AuditFilters> = {
  name: 'audit-log',
  kind: 'audit-log',
  input: auditFilters,
  head: () => heads,
  note: (filters) => filters,
  async *read(scope, filters) {
    const timeZone = scope.env.PRACTICE_TIME_ZONE
    for (let cursor: number | undefined; ;) {
      const { data, nextCursor } = await readEntries(scope.db, timeZone, filters, {
        limit: batchSize,
        ...(cursor === undefined ? {} : { cursor }),
      })
      const contactIds = data.flatMap((row) => row.contactIds.slice(0, namesPerRow))
      const names = await findNames(scope.db, contactIds)
      yield { rows: data.map((row) => toCells(row, names, timeZone)), contactIds }
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

function toCells(row: AuditRow, names: ReadonlyMap<string, string>, timeZone: string): string[] {
  const { day, time } = toLocal(row.at, timeZone)
  const { contactIds } = row
  return [
    String(row.id),
    day,
    time,
    row.byName ?? row.by ?? '',
    row.byRole,
    row.action,
    formatAbout(row),
    contactIds
      .slice(0, namesPerRow)
      .map((id) => names.get(id) ?? id)
      .join('; '),
    String(contactIds.length),
    toText(row.before),
    toText(row.after),
    row.address ?? '',
    row.requestId,
  ]
}

const toText = (side: unknown): string => (side === null || side === undefined ? '' : JSON.stringify(side))
