import { and, desc, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm'
import type { Scope } from '../../../kernel/scope.ts'
import { cursorPage } from '../../../shared/page-lists.ts'
import { apiKeys } from '../../../platform/api-keys/table.ts'
import { auditLog } from '../../../platform/audit/table.ts'
import { type HistoryEntry, historyActions } from '../history-contract.ts'
import { refusedFields } from '../policy.ts'
import { fieldLabels } from '../derived-fields.ts'
import { readOfPatient } from '../of-patient.ts'

interface HistoryPage {
  id: string
  cursor?: number | undefined
  limit: number
}

/** Changes of a patient that the actor may see, newest first. Returns null for an unknown patient. */
export async function historyOf(scope: Scope, { id, cursor, limit }: HistoryPage) {
  const read = scope.db
    .select({ ...getTableColumns(auditLog), byKey: apiKeys.name })
    .from(auditLog)
    .leftJoin(apiKeys, eq(apiKeys.id, auditLog.actorId))
    .where(
      and(
        sql`${auditLog.contactIds}[1] = ${id}`,
        // Matches the predicate of the index.
        sql`${auditLog.action} <> 'viewed'`,
        inArray(auditLog.action, [...historyActions]),
        eq(auditLog.kind, 'contact'),
        cursor === undefined ? undefined : lt(auditLog.id, cursor),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit + 1)
  const rows = await readOfPatient(scope, 'contact', id, read)
  if (!rows) return null
  const page = cursorPage(rows, limit, (last) => last.id)
  const data = page.data.map((row) => ({ ...row, by: row.actorId, byRole: row.actorRole, changes: changesOf(scope, row) }) as HistoryEntry)
  return {
    // Leaves out changes with only clinical fields that the actor may not see, or only internal columns.
    data: data.filter(({ action, changes }) => action !== 'changed' || changes.length > 0),
    nextCursor: page.nextCursor,
  }
}

type Row = typeof auditLog.$inferSelect

function changesOf({ actor }: Pick<Scope, 'actor'>, { action, before, after }: Row): HistoryEntry['changes'] {
  if (action !== 'changed') return []
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  // In the order of the screens, because the audit log has none.
  const changed = Object.keys(fieldLabels).filter((field) => field in is)
  const hidden = refusedFields(actor, changed)
  return changed
    .filter((field) => !hidden.includes(field))
    .map((field) => ({ field, before: was[field] ?? null, after: is[field] ?? null }))
}

const fieldsOf = (side: unknown): Record<string, unknown> => (typeof side === 'object' && side !== null ? { ...side } : {})
