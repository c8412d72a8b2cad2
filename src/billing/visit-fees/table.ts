import { sql } from 'drizzle-orm'
import { bigint, check, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { appointments } from '../../care/appointments/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { FeeKind, FeeState } from './rules.ts'

/** Fees of visits that were missed or cancelled late: at most one for each appointment. The money is in the ledger. */
export const visitFees = pgTable(
  'visit_fees',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    appointmentId: uuid('appointment_id')
      .notNull()
      .unique()
      .references(() => appointments.id),
    kind: text('kind').$type<FeeKind>().notNull(),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    state: text('state').$type<FeeState>().notNull(),
    /** The charge of the ledger, which is void if it was waived later; null if nothing was charged. */
    chargeId: uuid('charge_id'),
    /** The key of the current attempt to charge the card. */
    attemptKey: uuid('attempt_key'),
    /** Why the card was refused: Stripe's code, or 'no_card'. */
    failureCode: text('failure_code'),
    /** The task of billing since the card was refused. Not a foreign key, because a task may be deleted permanently. */
    taskId: uuid('task_id'),
    /** Why it was waived. */
    reason: text('reason'),
    /** Null: the patient, by cancelling late. */
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('visit_fees_kind', sql`${t.kind} in ('late_cancel', 'no_show')`),
    check('visit_fees_state', sql`${t.state} in ('charging', 'settled', 'refused', 'waived')`),
    check('visit_fees_charged', sql`${t.state} = 'waived' or ${t.chargeId} is not null`),
  ],
)
