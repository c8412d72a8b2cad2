import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { permissions } from '../../kernel/access/policy.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { writeChange } from '../../crm/contacts/service.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { stageAhead } from '../../crm/pipeline/service.ts'
import type { Locked, Row } from './lock.ts'
import { quotes } from './table.ts'

/** Updates a locked quote with a new row version and an audit entry. */
export async function write(tx: Db, scope: Scope, before: Row, changed: Partial<Row>): Promise<Row> {
  const changes = difference(before, { ...before, ...changed })
  const [row] = await tx
    .update(quotes)
    .set({ ...changed, version: before.version + 1, updatedAt: scope.now() })
    .where(eq(quotes.id, before.id))
    .returning()
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'quote',
    contactIds: [before.contactId],
    before: { id: before.id, ...changes.before },
    after: { id: before.id, ...changes.after },
  })
  return row!
}

/** Moves the patient to Quote Sent unless they are in a later stage. The caller has locked the patient. */
export async function moveToQuoteSent(tx: Db, scope: Scope, { contact }: Locked): Promise<void> {
  const funnelStageId = await stageAhead(tx, contact.funnelStageId, 'quote_sent')
  if (funnelStageId) await writeChange(tx, scope, contact, { funnelStageId })
}

/**
 * Adds a timeline entry. Everyone who can read the record sees it, including providers, who see revenue and surgery prices but no
 * quotes, so it names no amount.
 * Publishes the quote event to users who may see quotes.
 */
export async function announce(tx: Db, scope: Scope, row: Row, description: string | null): Promise<void> {
  if (description !== null) {
    const metadata = { quoteId: row.id, quoteNumber: row.number }
    await addInteraction(tx, scope, { contactId: row.contactId, type: 'contact_updated', description, metadata })
    await publish(tx, 'contact', row.contactId)
  }
  await publish(tx, 'quote', row.id, { accounts: [], roles: permissions['quotes.ofContact'] })
}
