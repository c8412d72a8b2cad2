import { and, asc, eq, gt, gte, lte } from 'drizzle-orm'
import type { Scope } from '../../../kernel/scope.ts'
import { formatIn, spreadsheetResponse } from '../../../kernel/http/spreadsheet-response.ts'
import type { Cells } from '../../../shared/csv.ts'
import { recordChange } from '../../../platform/audit/service.ts'
import { importKinds } from '../kind-rules.ts'
import { templateHeaders } from '../rules.ts'
import { getImport } from '../service.ts'
import { importBatches, importFindings } from '../table.ts'

/** GET /api/imports/{id}/errors.csv: the rejected rows unchanged, each with the reason, so that they can be fixed and imported again. */
export async function errorsResponse(scope: Scope, id: string): Promise<Response> {
  const job = /^[0-9a-f-]{36}$/i.test(id) ? await getImport(scope, id) : null
  if (!job) return Response.json({ code: 'NOT_FOUND', message: 'This import does not exist' }, { status: 404 })
  await recordChange(scope.db, scope, { action: 'exported', kind: 'import', contactIds: [], after: { id, what: 'refused rows' } })
  const rows = errorRows(
    scope,
    id,
    job.columns.map(({ header }) => header),
  )
  const name = `${job.fileName.replace(/\.(csv|xlsx)$/i, '')} - not imported`
  return spreadsheetResponse({ name, format: 'csv', rows })
}

/** GET /api/import-templates/{kind}.csv or .xlsx: an empty table with headers that the import recognizes. */
export function templateResponse(request: Request): Response {
  const [, name] = /\/([a-z]+)\.(?:csv|xlsx)$/.exec(new URL(request.url).pathname) ?? []
  const kind = importKinds.find((known) => known === name)
  if (!kind) return Response.json({ code: 'NOT_FOUND', message: 'Template not found' }, { status: 404 })
  const rows = async function* () {
    yield [templateHeaders(kind)]
  }
  return spreadsheetResponse({ name: `${kind} to import`, format: formatIn(request), rows: rows() })
}

async function* errorRows({ db }: Scope, id: string, headers: string[]): AsyncGenerator<Cells[]> {
  yield [[...headers, 'Row', 'Reason']]
  let after = 0
  for (;;) {
    const [batch] = await db
      .select()
      .from(importBatches)
      .where(and(eq(importBatches.importId, id), gt(importBatches.firstRow, after)))
      .orderBy(asc(importBatches.firstRow))
      .limit(1)
    const last = batch?.rows.at(-1)?.[0]
    if (!batch || last === undefined) return
    after = last
    const found = await db
      .select()
      .from(importFindings)
      .where(
        and(
          eq(importFindings.importId, id),
          eq(importFindings.kind, 'error'),
          gte(importFindings.row, batch.firstRow),
          lte(importFindings.row, last),
        ),
      )
      .orderBy(asc(importFindings.row))
    const cellsByRow = new Map(batch.rows)
    yield found.map(({ row, problems }) => {
      const all = cellsByRow.get(row) ?? []
      const cells = headers.map((_, i) => all[i] ?? '')
      const reasons = problems.map(({ column, reason }) => `${column}: ${reason}`).join('; ')
      // Include cells beyond the last header, which are the reason for some rejections.
      return [...cells, String(row), reasons, ...all.slice(headers.length)]
    })
  }
}
