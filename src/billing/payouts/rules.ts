/** What moves money in a payout. `return`: an earlier payout that the bank sent back. `other`: transactions that clinics don't have, such as reserves. */
export const transactionKinds = ['charge', 'refund', 'dispute', 'fee', 'return', 'other'] as const
export type TransactionKind = (typeof transactionKinds)[number]

/** Stripe's statuses of a payout. Money reaches the bank with `paid`, and comes back with `failed`. */
export const payoutStatuses = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const
export type PayoutStatus = (typeof payoutStatuses)[number]

/** What does not add up, by name. */
export const differenceKinds = [
  'sum',
  'amount',
  'missing-fee',
  'net',
  'foreign-charge',
  'foreign-refund',
  'foreign-dispute',
  'state',
  'paid-twice',
  'currency',
  'other-transaction',
  'manual-payout',
  'negative-payout',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/**
 * - `sum`: the transactions don't add up to the payout. - `amount`: a transaction of ours has another amount than our record. - `missing-fee`: a payment
 * without a fee. - `net`: a transaction's net amount is not its amount less its fee. - `foreign-…`: nothing here has this charge, refund or
 * dispute. - `state`: our record says that it did not happen, or was not taken back. - `paid-twice`: the same charge or refund is paid out twice.
 */
export interface Difference {
  kind: DifferenceKind
  /** Stripe's id of the transaction; null: the payout as a whole. */
  transactionId: string | null
  /** In cents: what our record (for `sum`, the payout) says, and what Stripe's transaction (the transactions) says. */
  expectedCents: number | null
  actualCents: number | null
}

/** A transaction of Stripe's balance, in cents. Money that leaves the balance is negative, a fee positive: net = amount - fee. */
export interface Transaction {
  id: string
  /** Stripe's reporting category. */
  category: string
  amountCents: number
  feeCents: number
  netCents: number
  currency: string
  /** The charge, refund, dispute or payout that it is about. */
  sourceId: string | null
}

export interface Payout {
  /** Negative: Stripe takes money from the bank account. */
  amountCents: number
  currency: string
  /** Whether Stripe made it by schedule. Only then it says what the payout holds. */
  isAutomatic: boolean
}

/** Our record of a charge, refund or dispute, in positive cents. */
export interface KnownRecord {
  amountCents: number
  /** Whether we have it as paid, or as given back. */
  hasHappened: boolean
  /** Whether another payout holds it. */
  isInOtherPayout: boolean
}

/** Our records by Stripe's ids. */
export interface Known {
  charges: ReadonlyMap<string, KnownRecord>
  refunds: ReadonlyMap<string, KnownRecord>
  disputes: ReadonlyMap<string, KnownRecord>
}

/** Sums of a payout in cents: gross + refunds + disputes + others - fees is what its transactions come to. */
export interface PayoutSums {
  grossCents: number
  /** Negative. */
  refundCents: number
  /** Negative, unless more disputes were won than lost. */
  disputeCents: number
  /** Returned payouts and other transactions. */
  otherCents: number
  /** Positive. */
  feeCents: number
}

const kindOfCategory: Record<string, TransactionKind> = {
  charge: 'charge',
  refund: 'refund',
  refund_failure: 'refund',
  charge_failure: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute',
  fee: 'fee',
  network_cost: 'fee',
  tax: 'fee',
  payout_reversal: 'return',
}

/** The kind of a transaction. */
export const transactionKindOf = (category: string): TransactionKind => kindOfCategory[category] ?? 'other'

/** Stripe lists the payout itself among its transactions. */
export const isPayoutItself = ({ category }: Pick<Transaction, 'category'>): boolean => category === 'payout'

export const sumsOf = (transactions: readonly Pick<Transaction, 'category' | 'amountCents' | 'feeCents'>[]): PayoutSums => {
  const of = (...kinds: TransactionKind[]) =>
    transactions
      .filter(({ category }) => kinds.includes(transactionKindOf(category)))
      .reduce((sum, { amountCents }) => sum + amountCents, 0)
  const fees = transactions.reduce((sum, { feeCents }) => sum + feeCents, 0)
  return {
    grossCents: of('charge'),
    refundCents: of('refund'),
    disputeCents: of('dispute'),
    otherCents: of('return', 'other'),
    feeCents: fees - of('fee'),
  }
}

/**
 * Compares a payout with its transactions and with our records, to the cent. `transactions`: all transactions of the payout without the payout itself, in
 * any order. A payout without differences holds exactly payments, refunds, disputes and fees that are ours.
 */
export function reconcile(
  payout: Payout,
  transactions: readonly Transaction[],
  known: Known,
): { sums: PayoutSums; differences: Difference[] } {
  const sums = sumsOf(transactions)
  const ofPayout = (kind: DifferenceKind, expectedCents: number | null = null, actualCents: number | null = null): Difference => ({
    kind,
    transactionId: null,
    expectedCents,
    actualCents,
  })
  // What a manual payout holds is not known.
  if (!payout.isAutomatic) return { sums, differences: [ofPayout('manual-payout')] }
  const seen = new Set<string>()
  const differences = transactions.flatMap((one) => differencesOf(one, payout, known, seen))
  const total = transactions.reduce((sum, { netCents }) => sum + netCents, 0)
  if (total !== payout.amountCents) differences.unshift(ofPayout('sum', payout.amountCents, total))
  if (payout.amountCents < 0) differences.unshift(ofPayout('negative-payout'))
  return { sums, differences }
}

function differencesOf(one: Transaction, payout: Payout, known: Known, seen: Set<string>): Difference[] {
  const { id, category, amountCents, feeCents, netCents, sourceId } = one
  const kind = transactionKindOf(category)
  const found: Difference[] = []
  const add = (name: DifferenceKind, expectedCents: number | null, actualCents: number | null) =>
    found.push({ kind: name, transactionId: id, expectedCents, actualCents })
  if (one.currency !== payout.currency) add('currency', null, amountCents)
  if (netCents !== amountCents - feeCents) add('net', amountCents - feeCents, netCents)
  if (kind === 'other') add('other-transaction', null, amountCents)
  if (kind !== 'charge' && kind !== 'refund' && kind !== 'dispute') return found

  const record = { charge: known.charges, refund: known.refunds, dispute: known.disputes }[kind].get(sourceId ?? '')
  if (!record) add(`foreign-${kind}`, null, amountCents)
  else {
    const isOutgoing = category === 'refund' || category === 'dispute'
    const expected = isOutgoing ? -record.amountCents : record.amountCents
    if (expected !== amountCents) add('amount', expected, amountCents)
    // A refund that the bank did not take is money again.
    const shouldHaveHappened = category !== 'refund_failure' && category !== 'charge_failure'
    if (record.hasHappened !== shouldHaveHappened) add('state', null, amountCents)
    // A dispute is withdrawn and given back, so it has several transactions.
    const isRepeated = seen.has(`${category} ${sourceId}`) || record.isInOtherPayout
    if (kind !== 'dispute' && isRepeated) add('paid-twice', null, amountCents)
  }
  seen.add(`${category} ${sourceId}`)
  if (kind === 'charge' && feeCents === 0) add('missing-fee', null, 0)
  return found
}

/**
 * What became of a payout. - `reading`: its transactions are not complete yet. - `differences`: someone has to look. - `in-transit`: it adds up, or its
 * differences are accepted, and the bank does not have it yet. - `empty`: it adds up, and no money is paid out. - `matched`: the bank
 * has it, and it waits for QuickBooks. - `posted`: QuickBooks has it. - `unequal`: QuickBooks has it with another total than the bank. - `accepted`: its differences are accepted, and there is nothing to post.
 * - `returned`: it failed or was cancelled, so that nothing reached the bank.
 */
export const payoutStates = [
  'reading',
  'differences',
  'in-transit',
  'matched',
  'empty',
  'posted',
  'unequal',
  'accepted',
  'returned',
] as const
export type PayoutState = (typeof payoutStates)[number]

/** What became of a payout when it was checked again, in a toast. */
export const checkedLabels: Record<PayoutState, string> = {
  reading: 'Checked: Stripe has not listed yet what the payout holds',
  differences: 'Checked: the differences remain',
  'in-transit': 'Checked: the payout adds up and is on its way to the bank',
  matched: 'Checked: the payout adds up',
  empty: 'Checked: the payout adds up, and no money is paid out',
  posted: 'Checked: the payout adds up and is in QuickBooks',
  unequal: 'Checked: the total in QuickBooks differs from the bank',
  accepted: 'Checked: the differences are accepted',
  returned: 'Checked: the bank returned the payout',
}

/** What accepting the differences of a payout leads to in QuickBooks: at once, once it reaches the bank, or never. */
export const postingOf = (payout: { amountCents: number; status: PayoutStatus }): 'now' | 'later' | 'never' => {
  if (isDepositable(payout)) return 'now'
  const isOnItsWay = payout.status === 'pending' || payout.status === 'in_transit'
  return isOnItsWay && payout.amountCents > 0 ? 'later' : 'never'
}

/** Whether a payout can be recorded in QuickBooks as a deposit, which can't be negative. */
export const isDepositable = ({ amountCents, status }: { amountCents: number; status: PayoutStatus }): boolean =>
  status === 'paid' && amountCents > 0

/** Stripe's longest schedule is a month. */
const maxDaysBetweenPayouts = 31
/** Stripe holds a payment for up to a week before it can be paid out. */
const settlementDays = 7

/**
 * Days after which a paid payment that no payout holds is overdue: the next payout, by the schedule that the payouts themselves show, should have held it.
 * @param maxGapDays the longest time between recent payouts; null: there are fewer than two
 */
export const overdueAfterDays = (maxGapDays: number | null): number =>
  Math.min(maxGapDays ?? maxDaysBetweenPayouts, maxDaysBetweenPayouts) + settlementDays

/** The parts of a QuickBooks deposit, in cents; their sum is what reached the bank. */
export interface DepositPart {
  account: 'clearing' | 'fee' | 'dispute'
  description: string
  amountCents: number
}

/**
 * How a payout is recorded: payments leave the account that they were recorded in, and fees and disputes are what is missing at the bank. Whatever else moved,
 * and what the transactions don't explain, stays with the clearing account, so that the deposit is what the bank shows.
 */
export function depositParts(
  { grossCents, refundCents, disputeCents, otherCents, feeCents }: PayoutSums,
  payoutCents: number,
): DepositPart[] {
  const unexplained = payoutCents - (grossCents + refundCents + disputeCents + otherCents - feeCents)
  const parts: DepositPart[] = [
    { account: 'clearing', description: 'Card payments', amountCents: grossCents },
    { account: 'clearing', description: 'Refunds to cards', amountCents: refundCents },
    { account: 'clearing', description: 'Other transactions', amountCents: otherCents + unexplained },
    { account: 'fee', description: 'Stripe fees', amountCents: -feeCents },
    { account: 'dispute', description: 'Disputed payments', amountCents: disputeCents },
  ]
  return parts.filter(({ amountCents }) => amountCents !== 0)
}

export const payoutStateLabels: Record<PayoutState, string> = {
  reading: 'Being read',
  differences: 'Differences',
  'in-transit': 'In transit',
  matched: 'Matched',
  empty: 'Nothing paid out',
  posted: 'Posted',
  unequal: 'Total differs',
  accepted: 'Accepted',
  returned: 'Returned',
}

export const differenceLabels: Record<DifferenceKind, string> = {
  sum: 'Transactions don’t add up to the payout',
  amount: 'Amount differs from our record',
  'missing-fee': 'Payment without a fee',
  net: 'Amount and fee don’t add up',
  'foreign-charge': 'Payment not recorded here',
  'foreign-refund': 'Refund not recorded here',
  'foreign-dispute': 'Dispute of a payment not recorded here',
  state: 'Our record says it did not go through',
  'paid-twice': 'Paid out twice',
  currency: 'Another currency',
  'other-transaction': 'Other transaction',
  'manual-payout': 'Manual payout, which Stripe doesn’t itemize',
  'negative-payout': 'Stripe took money from the bank account',
}
