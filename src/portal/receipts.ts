import { isPayable, payPath, portalLinkMs, unbookedCents } from '../billing/cards/service.ts'
import { appliedByReceipt, owedByContacts } from '../billing/collections/service.ts'
import { findOwnReceipt, listOwnReceipts } from '../billing/pos/service.ts'
import type { Scope } from '../kernel/scope.ts'
import { openSigned, signedQuery } from './file-links.ts'
import type { OwnAccount } from './receipts-contract.ts'
import type { PatientScope } from './sessions.ts'

/** What the patient owes and has paid, newest first, each receipt with a link to its PDF that works for one minute. */
export async function getAccount(scope: PatientScope): Promise<OwnAccount> {
  const [rows, portions, underWayCents] = await Promise.all([
    listOwnReceipts(scope),
    openPortions(scope),
    unbookedCents(scope.db, scope.patient),
  ])
  const applied = await appliedByReceipt(
    scope.db,
    rows.map(({ id }) => id),
  )
  const owedCents = portions.reduce((sum, { openCents }) => sum + openCents, 0)
  if (rows.length > 0) await scope.recordView({ kind: 'sales receipt', contactIds: [scope.patient] })
  if (portions.length > 0) await scope.recordView({ kind: 'ledger', contactIds: [scope.patient] })
  return {
    portions: [...Map.groupBy(portions, ({ dueOn, isBeforeSurgery }) => `${dueOn} ${isBeforeSurgery}`).values()].map((ofDay) => ({
      cents: ofDay.reduce((sum, { openCents }) => sum + openCents, 0),
      dueOn: ofDay[0]!.dueOn,
      isBeforeSurgery: ofDay[0]!.isBeforeSurgery,
    })),
    underWayCents,
    payPath: payPathOf(scope, owedCents - underWayCents),
    receipts: rows.map((row) => ({
      ...row,
      appliedCents: applied.get(row.id) ?? 0,
      fileUrl: `/api/functions/patient-receipt-file/${row.id}?${signedQuery(scope, { id: row.id, as: 'receipt' })}`,
    })),
  }
}

/** The page where the session's patient can pay this much by card. Null: the practice takes no cards, or it is too little. */
export const payPathOf = (scope: PatientScope, cents: number): string | null =>
  isPayable(scope.env, cents) ? payPath(scope, { kind: 'balance', id: scope.patient, isFromPortal: true }, portalLinkMs) : null

/** What the patient owes, by due date. It takes the application's role: charges, payments, quotes and surgeries make it up. */
export async function openPortions({ db, env, patient }: PatientScope) {
  const portions = (await owedByContacts(db, env, [patient])).get(patient)?.portions ?? []
  return portions.toSorted((one, other) => one.dueOn.localeCompare(other.dueOn))
}

/** The receipt of a link, if link and session are valid and it is the patient's; otherwise null. */
export async function openReceiptLink(scope: Scope, id: string, query: URLSearchParams) {
  const own = await openSigned(scope, { id, as: 'receipt' }, query)
  const row = own && (await findOwnReceipt(own, id))
  return row && { scope: own, row }
}
