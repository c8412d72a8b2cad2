import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { amountOfCents, centsOfAmount } from '../../shared/money.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { enqueue } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { createSettling, findConnection, listOf } from '../quickbooks/service.ts'
import { depositParts, isDepositable } from './rules.ts'
import { payoutDeposits, payouts } from './table.ts'

type PayoutRow = typeof payouts.$inferSelect

const settling = createSettling({
  table: payoutDeposits,
  jobName: 'payouts.settle-deposit',
  record: (quickBooks, { requestId, body }) => quickBooks.createDeposit(requestId, body),
  recorded: (_, { Id, TotalAmt }) => ({ qbId: Id, qbTotalCents: centsOfAmount(TotalAmt) }),
  onComplete(tx, scope, { id, totalCents, qbId, qbTotalCents }) {
    if (qbTotalCents !== totalCents) scope.log.error({ payoutId: id }, "QuickBooks' total of a payout is not what reached the bank")
    return recordChange(tx, scope, { action: 'changed', kind: 'payout', contactIds: [], after: { id, state: 'posted', qbId, totalCents } })
  },
  onRefused: (tx, scope, { id }) =>
    recordChange(tx, scope, { action: 'changed', kind: 'payout', contactIds: [], after: { id, state: 'refused' } }),
  publish: (tx, id) => publish(tx, 'payout', id),
})
export const { settle: settleDeposit, job: settleDepositJob } = settling

/**
 * Keeps the deposit of a payout that adds up (or whose differences were accepted) as pending, with the job that records it in QuickBooks; once. Does nothing for a payout
 * that can't be a deposit. If QuickBooks is not connected or lacks an account, the payout says so and is tried again every day, or by staff.
 */
export async function preparePosting(tx: Db, scope: Scope, payout: PayoutRow): Promise<void> {
  if (!isDepositable(payout)) return
  const made = await makeDeposit(tx, scope, payout)
  const problem = 'problem' in made ? made.problem : null
  if (problem !== payout.postingProblem) await tx.update(payouts).set({ postingProblem: problem }).where(eq(payouts.id, payout.id))
  if ('problem' in made) return
  const { id } = payout
  const row = { ...made, id, requestId: randomUUID(), createdBy: scope.actor?.id ?? null, createdAt: scope.now() }
  const [kept] = await tx.insert(payoutDeposits).values(row).onConflictDoNothing().returning()
  if (!kept) return
  await enqueue(tx, settleDepositJob, { id }, `settle ${id}`)
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'payout',
    contactIds: [],
    after: { id, state: 'pending', totalCents: kept.totalCents },
  })
  await publish(tx, 'payout', id)
}

/** Has a deposit that QuickBooks refused sent again, as its accounts are now. QuickBooks kept nothing under the id of a refused request, so there is a new one. */
export async function repeatPosting(tx: Db, scope: Scope, payout: PayoutRow): Promise<void> {
  const made = await makeDeposit(tx, scope, payout)
  const set =
    'problem' in made
      ? { problem: made.problem }
      : { ...made, state: 'pending' as const, requestId: randomUUID(), problem: null, attempts: 0 }
  await tx.update(payoutDeposits).set(set).where(eq(payoutDeposits.id, payout.id))
  if ('problem' in made) return
  await settling.enqueueLater(tx, scope, payout.id)
}

/** The deposit as QuickBooks takes it, or why it can't be made. */
async function makeDeposit(tx: Db, scope: Scope, payout: PayoutRow) {
  const { CARD_PAYOUT_ACCOUNT, CARD_PAYMENT_ACCOUNT, CARD_FEE_ACCOUNT, CARD_DISPUTE_ACCOUNT } = scope.env
  const connection = await findConnection({ db: tx })
  if (!connection) return { problem: 'QuickBooks is not connected' }
  const accounts = new Map((await listOf(tx, 'account')).map(({ id, name }) => [name, { value: id, name }]))
  const wanted = { CARD_PAYOUT_ACCOUNT, CARD_PAYMENT_ACCOUNT, CARD_FEE_ACCOUNT, CARD_DISPUTE_ACCOUNT }
  for (const [setting, name] of Object.entries(wanted)) {
    if (!accounts.has(name)) return { problem: `QuickBooks has no account “${name}” (${setting})` }
  }
  const accountOf = { clearing: CARD_PAYMENT_ACCOUNT, fee: CARD_FEE_ACCOUNT, dispute: CARD_DISPUTE_ACCOUNT }
  const body = {
    TxnDate: payout.arrivesOn,
    DepositToAccountRef: accounts.get(CARD_PAYOUT_ACCOUNT)!,
    GlobalTaxCalculation: 'NotApplicable',
    Line: depositParts(payout, payout.amountCents).map(({ account, description, amountCents }) => ({
      DetailType: 'DepositLineDetail',
      Amount: amountOfCents(amountCents),
      Description: description,
      DepositLineDetail: { AccountRef: accounts.get(accountOf[account])! },
    })),
    PrivateNote: `Stripe payout ${payout.stripePayoutId}`,
  }
  return { realmId: connection.realmId, body, totalCents: payout.amountCents }
}
