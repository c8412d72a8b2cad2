import { and, desc, eq, getTableColumns } from 'drizzle-orm'
import { enqueue } from '../../kernel/jobs.ts'
import { refuse } from '../../kernel/refusal.ts'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import type { Scope } from '../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { inOneLine } from '../../shared/text.ts'
import { recordChange } from '../../platform/audit/service.ts'
import type { LeadEntryStatus } from './contract.ts'
import { processLead } from './jobs.ts'
import { publishLead } from './process.ts'
import { readLead } from './rules.ts'
import { flatten } from './reading/read-body.ts'
import { leadEntries } from './table.ts'

export { processAtOnce } from './process.ts'

interface EntriesPage {
  status?: LeadEntryStatus | undefined
  sourceId?: string | undefined
  cursor?: InstantPlace | undefined
  limit: number
}

/** A page of lead entries with their status, newest first. */
export async function listLeadEntries(scope: Scope, { status, sourceId, cursor, limit }: EntriesPage) {
  const rows = await scope.db
    .select({ ...getTableColumns(leadEntries), exact: exactInstant(leadEntries.receivedAt) })
    .from(leadEntries)
    .where(
      and(
        status ? eq(leadEntries.status, status) : undefined,
        sourceId ? eq(leadEntries.sourceId, sourceId) : undefined,
        isOlderThan(cursor, leadEntries.receivedAt, leadEntries.id),
      ),
    )
    .orderBy(desc(leadEntries.receivedAt), desc(leadEntries.id))
    .limit(limit + 1)
  const { data, nextCursor } = cursorPage(rows, limit, placeOf)
  const contactIds = [...new Set(data.flatMap((row) => row.contactId ?? []))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'lead-entry', contactIds })
  return { data: data.map(toLeadEntry), nextCursor }
}

type Row = typeof leadEntries.$inferSelect

/** Adds the sender's name and email from the form, because a failed lead has no patient. */
export function toLeadEntry(row: Row) {
  const { firstName, lastName, email } = readLead(flatten(row.rawData))
  const name = inOneLine([firstName, lastName].filter(Boolean).join(' ')).slice(0, 200)
  return { ...row, name: name === '' ? null : name, email: email?.slice(0, 254) ?? null }
}

/** Queues a failed lead for processing again. Null: the lead does not exist. */
export async function retryLeadEntry(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const [before] = await tx.select().from(leadEntries).where(eq(leadEntries.id, id)).for('update')
    if (!before) return null
    if (before.status !== 'error') return refuse('NOT_FAILED')
    const [row] = await tx
      .update(leadEntries)
      .set({ status: 'processing', errorMessage: null, processedAt: null, dismissedAt: null })
      .where(eq(leadEntries.id, id))
      .returning()
    await enqueue(tx, processLead, { entryId: id })
    const { status, errorMessage } = before
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'lead-entry',
      contactIds: [],
      before: { id, status, errorMessage },
      after: { id, status: row!.status },
    })
    await publishLead(tx, id)
    return toLeadEntry(row!)
  })
}
