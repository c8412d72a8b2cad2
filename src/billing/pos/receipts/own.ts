import { desc, eq } from 'drizzle-orm'
import { frenchTitle } from '../../../crm/procedures/rules.ts'
import { frenchProcedures } from '../../../crm/procedures/service.ts'
import { asPatient } from '../../../kernel/as-patient.ts'
import type { Scope, VerifiedContactId } from '../../../kernel/scope.ts'
import { ownReceipts, salesReceipts } from '../../payments/table.ts'
import { receipts } from './receipt-list.ts'

/*
 * The receipts of a patient whom a code has proved, in the portal: sales and refunds that QuickBooks has.
 */

type OwnScope = Scope & { patient: VerifiedContactId }

/** More than a patient has. */
const maxShown = 200

const readOwn = ({ db, env, patient }: OwnScope, id?: string) =>
  db.transaction((tx) =>
    asPatient(tx, env, patient, (own) =>
      own
        .select()
        .from(ownReceipts)
        .where(id === undefined ? undefined : eq(ownReceipts.id, id))
        .orderBy(desc(ownReceipts.createdAt), desc(ownReceipts.id))
        .limit(maxShown),
    ),
  )

/** Newest first; a refund's total is negative. */
export async function listOwnReceipts(scope: OwnScope) {
  const [rows, french] = await Promise.all([readOwn(scope), frenchProcedures(scope.db)])
  return rows.map(({ lines, qbId, docNumber, ...row }) => ({
    ...row,
    number: docNumber ?? qbId,
    // What was bought, without amounts.
    items: [...new Set(lines.map(({ name }) => name))].map((name) => ({ name, nameFr: frenchTitle(name, french) })),
  }))
}

export const countOwnReceipts = ({ db, env, patient }: OwnScope) =>
  db.transaction((tx) => asPatient(tx, env, patient, (own) => own.$count(ownReceipts)))

/** The receipt as it is printed. Null: the patient has no such receipt. */
export async function findOwnReceipt(scope: OwnScope, id: string) {
  const [own] = await readOwn(scope, id)
  const [row] = own ? await receipts(scope.db).where(eq(salesReceipts.id, own.id)) : []
  return row ?? null
}
