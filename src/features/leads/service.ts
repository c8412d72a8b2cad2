import { and, desc, eq } from 'drizzle-orm'
import type { Scope } from '../../server/scope.ts'
import type { LeadEntryStatus } from './contract.ts'
import { leadEntries } from './table.ts'

/** The newest lead entries and what became of them, at most 100. */
export async function listLeadEntries(scope: Scope, filter: { status?: LeadEntryStatus | undefined; sourceId?: string | undefined }) {
  const rows = await scope.db
    .select()
    .from(leadEntries)
    .where(
      and(
        filter.status ? eq(leadEntries.status, filter.status) : undefined,
        filter.sourceId ? eq(leadEntries.sourceId, filter.sourceId) : undefined,
      ),
    )
    .orderBy(desc(leadEntries.receivedAt), desc(leadEntries.id))
    .limit(100)
  const contactIds = [...new Set(rows.flatMap((row) => row.contactId ?? []))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'lead-entry', contactIds })
  return rows
}
