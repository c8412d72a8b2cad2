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

/** Writes what differs of a locked version, with its version for anyone who has read it, and audit. */
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

/** Anyone who has been sent a quote is at Quote Sent, unless they are further than that. Their record is locked. */
export async function moveToQuoteSent(tx: Db, scope: Scope, { contact }: Locked): Promise<void> {
  const funnelStageId = await stageAhead(tx, contact.funnelStageId, 'quote_sent')
  if (funnelStageId) await writeChange(tx, scope, contact, { funnelStageId })
}

/**
 * A line on the patient's timeline. Everyone who reads the record reads it, also providers, who see a patient's revenue and surgery prices but no
 * quotes: it names no amount.
 * Announces the quote to those who may see it.
 */
export async function tell(tx: Db, scope: Scope, row: Row, description: string | null): Promise<void> {
  if (description !== null) {
    const metadata = { quoteId: row.id, quoteNumber: row.number }
    await addInteraction(tx, scope, { contactId: row.contactId, type: 'contact_updated', description, metadata })
    await publish(tx, 'contact', row.contactId)
  }
  await publish(tx, 'quote', row.id, { accounts: [], roles: permissions['quotes.ofContact'] })
}
