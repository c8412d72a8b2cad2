import { eq } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { readPatient } from './read.ts'
import type { Answer } from './rules.ts'
import { recallAttempts, recallPatients } from './table.ts'

async function lock(tx: Db, id: string) {
  const [row] = await tx.select().from(recallPatients).where(eq(recallPatients.id, id)).for('no key update')
  return row ?? null
}

async function finish(tx: Db, { id, recallId }: { id: string; recallId: string }) {
  await publish(tx, 'recall', recallId)
  return (await readPatient(tx, id))!
}

/** Records a call or a conversation. Null: the patient is in no such recall. */
export const addAttempt = (
  scope: Scope,
  { id, ...given }: { id: string; channel: 'phone' | 'in_person'; state: 'reached' | 'no_answer'; note: string | null },
) =>
  scope.db.transaction(async (tx) => {
    const row = await lock(tx, id)
    if (!row) return null
    const [contact] = await tx.select({ phone: contacts.phone }).from(contacts).where(eq(contacts.id, row.contactId))
    const address = given.channel === 'phone' ? (contact?.phone ?? null) : null
    await tx.insert(recallAttempts).values({ ...given, recallPatientId: id, address, by: staff(scope).id, at: scope.now() })
    await recordChange(tx, scope, {
      action: 'created',
      kind: 'recall',
      contactIds: [row.contactId],
      after: { recallId: row.recallId, ...given },
    })
    return finish(tx, row)
  })

/** Records what came of it. Null: the patient is in no such recall. */
export const setAnswer = (
  scope: Scope,
  { id, version, answer, note }: { id: string; version: number; answer: Answer; note: string | null },
) =>
  scope.db.transaction(async (tx) => {
    const row = await lock(tx, id)
    if (!row) return null
    if (row.version !== version) return refuse('CHANGED_MEANWHILE')
    const by = answer === 'open' ? { answeredBy: null, answeredAt: null } : { answeredBy: staff(scope).id, answeredAt: scope.now() }
    await tx
      .update(recallPatients)
      .set({ answer, note, version: version + 1, ...by })
      .where(eq(recallPatients.id, id))
    const [before, after] = [row, { answer, note }].map((one) => ({ recallId: row.recallId, answer: one.answer, note: one.note }))
    await recordChange(tx, scope, { action: 'changed', kind: 'recall', contactIds: [row.contactId], before, after })
    return finish(tx, row)
  })
