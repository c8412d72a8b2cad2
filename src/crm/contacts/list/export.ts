import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { ListExport } from '../../../platform/list-export.ts'
import { listInput } from '../list-contract.ts'
import { cellsOf, type ExportColumn, exportColumns } from './export-columns.ts'
import { matchingContacts, orders } from './list.ts'

const columnIds = Object.keys(exportColumns) as ExportColumn[]
/** The same limit as for a bulk change by ids. */
const maxIds = 5_000

const list = <Item extends string>(item: z.ZodType<Item, string>, max: number) =>
  z
    .string()
    .transform((text) => text.split(',').filter(Boolean))
    .pipe(z.array(item).min(1).max(max))

/** The list's search, filters and order, or individually selected patients. */
const exportInput = listInput.omit({ page: true, limit: true }).extend({
  ids: list(z.uuid(), maxIds).optional(),
  columns: list(z.enum(columnIds), columnIds.length).default(columnIds),
})
type ExportInput = z.output<typeof exportInput>

/**
 * Exports patients: GET /api/contacts/export.csv or .xlsx with the list's query, or POST with a form, which has room for `ids`.
 */
export const contactsExport: ListExport<ExportInput> = {
  name: 'patients',
  kind: 'contact',
  input: exportInput,
  head: ({ columns }) => columns.map((id) => exportColumns[id].label),
  note: ({ columns }) => ({ columns }),
  async *read(scope, { ids, columns, sort, ...filters }) {
    const chosen = ids ? sql`select unnest(${sql.param(ids)}::uuid[])` : await matchingContacts(scope, filters)
    await scope.db.execute(sql`
      declare lines no scroll cursor for
      select contacts.id, ${cellsOf(columns, scope.env.PRACTICE_TIME_ZONE)} as cells
      from contacts where contacts.id in (${chosen}) order by ${sql.join(orders[sort], sql`, `)}`)
    for (;;) {
      const { rows } = await scope.db.execute<{ id: string; cells: string[] }>(sql`fetch ${sql.raw(String(batchSize))} from lines`)
      if (rows.length === 0) return
      yield { rows: rows.map(({ cells }) => cells), contactIds: rows.map(({ id }) => id) }
    }
  },
}

const batchSize = 500
