import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkedLabels,
  depositParts,
  type Difference,
  type Known,
  type KnownRecord,
  overdueAfterDays,
  payoutStates,
  type PayoutStatus,
  postingOf,
  reconcile,
  sumsOf,
  type Transaction,
} from './rules.ts'

const currency = 'cad'
const transaction = (
  id: string,
  category: string,
  amountCents: number,
  feeCents = 0,
  sourceId: string | null = `of_${id}`,
): Transaction => ({
  id,
  category,
  amountCents,
  feeCents,
  netCents: amountCents - feeCents,
  currency,
  sourceId,
})
const known = (amountCents: number, given: Partial<KnownRecord> = {}): KnownRecord => ({
  amountCents,
  hasHappened: true,
  isInOtherPayout: false,
  ...given,
})
const noneKnown = (): { [Kind in keyof Known]: Map<string, KnownRecord> } => ({
  charges: new Map(),
  refunds: new Map(),
  disputes: new Map(),
})
const netOf = (all: readonly Transaction[]) => all.reduce((sum, { netCents }) => sum + netCents, 0)
const payoutOf = (all: readonly Transaction[]) => ({ amountCents: netOf(all), currency, isAutomatic: true })
const names = ({ differences }: { differences: readonly Difference[] }) =>
  differences.map(({ kind, transactionId }) => [kind, transactionId])

const cents = fc.integer({ min: 50, max: 99_999_999 })
/** Transactions that are ours to the cent, and our records of them. */
const honest = fc
  .record({
    charges: fc.array(fc.record({ amount: cents, fee: fc.integer({ min: 1, max: 5_000 }) }), { minLength: 1, maxLength: 12 }),
    refunds: fc.array(cents, { maxLength: 4 }),
    failedRefunds: fc.array(cents, { maxLength: 2 }),
    disputes: fc.array(fc.record({ amount: cents, isWon: fc.boolean() }), { maxLength: 2 }),
    fees: fc.array(fc.integer({ min: 1, max: 90_000 }), { maxLength: 2 }),
  })
  .map(({ charges, refunds, failedRefunds, disputes, fees }) => {
    const ours = noneKnown()
    const transactions: Transaction[] = []
    charges.forEach(({ amount, fee }, index) => {
      transactions.push(transaction(`c${index}`, 'charge', amount, fee))
      ours.charges.set(`of_c${index}`, known(amount))
    })
    refunds.forEach((amount, index) => {
      transactions.push(transaction(`r${index}`, 'refund', -amount))
      ours.refunds.set(`of_r${index}`, known(amount))
    })
    failedRefunds.forEach((amount, index) => {
      transactions.push(transaction(`f${index}`, 'refund_failure', amount))
      ours.refunds.set(`of_f${index}`, known(amount, { hasHappened: false }))
    })
    disputes.forEach(({ amount, isWon }, index) => {
      transactions.push(transaction(`d${index}`, 'dispute', -amount, 1_500, `dp_${index}`))
      if (isWon) transactions.push(transaction(`w${index}`, 'dispute_reversal', amount, 0, `dp_${index}`))
      ours.disputes.set(`dp_${index}`, known(amount))
    })
    fees.forEach((amount, index) => transactions.push(transaction(`s${index}`, 'fee', -amount, 0, null)))
    return { transactions, ours }
  })

describe('reconciling a payout', () => {
  it('finds nothing in payouts that add up, in any order, and sums them to the cent (issue 29)', () => {
    fc.assert(
      fc.property(honest, fc.nat(), ({ transactions, ours }, turn) => {
        const payout = payoutOf(transactions)
        const turned = transactions.map((_, index) => transactions[(index + turn) % transactions.length]!)
        const { sums, differences } = reconcile(payout, turned, ours)
        expect(differences.filter(({ kind }) => kind !== 'negative-payout')).toEqual([])
        expect(differences).toHaveLength(payout.amountCents < 0 ? 1 : 0)
        const { grossCents, refundCents, disputeCents, otherCents, feeCents } = sums
        expect(grossCents + refundCents + disputeCents + otherCents - feeCents).toBe(payout.amountCents)
        expect(depositParts(sums, payout.amountCents).reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(payout.amountCents)
      }),
      { numRuns: 2_000 },
    )
  })

  it('names the one thing that was changed, and nothing else (issue 29)', () => {
    const planted = fc.constantFrom('one cent', 'missing fee', 'foreign charge', 'lost transaction', 'unpaid', 'again', 'currency', 'net')
    fc.assert(
      fc.property(honest, planted, fc.nat(), ({ transactions, ours }, what, at) => {
        const charges = transactions.filter(({ category }) => category === 'charge')
        const { id, amountCents, feeCents, sourceId } = charges[at % charges.length]!
        const replace = (part: Partial<Transaction>) => transactions.map((one) => (one.id === id ? { ...one, ...part } : one))
        const found = (given: Transaction[], payout = payoutOf(given)) =>
          names(reconcile(payout, given, ours)).filter(([kind]) => kind !== 'negative-payout')
        if (what === 'one cent') {
          expect(found(replace({ amountCents: amountCents + 1, netCents: amountCents + 1 - feeCents }))).toEqual([['amount', id]])
        } else if (what === 'missing fee') {
          expect(found(replace({ feeCents: 0, netCents: amountCents }))).toEqual([['missing-fee', id]])
        } else if (what === 'foreign charge') {
          expect(found([...transactions, transaction('x', 'charge', 5_000, 175, 'ch_x')])).toEqual([['foreign-charge', 'x']])
        } else if (what === 'lost transaction') {
          const kept = transactions.filter((one) => one.id !== id)
          expect(found(kept, payoutOf(transactions))).toEqual([['sum', null]])
        } else if (what === 'unpaid') {
          ours.charges.set(sourceId!, known(amountCents, { hasHappened: false }))
          expect(found(transactions)).toEqual([['state', id]])
        } else if (what === 'again') {
          expect(found([...transactions, transaction('x', 'charge', amountCents, feeCents, sourceId)])).toEqual([['paid-twice', 'x']])
        } else if (what === 'currency') {
          expect(found(replace({ currency: 'usd' }))).toEqual([['currency', id]])
        } else {
          const wrong = replace({ netCents: amountCents - feeCents - 1 })
          expect(found(wrong)).toEqual([['net', id]])
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('names refunds, disputes and transactions that are not ours, and says by how much (issue 29)', () => {
    const transactions = [
      transaction('r', 'refund', -2_000),
      transaction('d', 'dispute', -9_000, 1_500),
      transaction('o', 'other_adjustment', 400),
      transaction('p', 'payout_reversal', 30_000),
    ]
    const { differences, sums } = reconcile({ amountCents: 17_899, currency, isAutomatic: true }, transactions, noneKnown())
    expect(differences).toEqual([
      { kind: 'sum', transactionId: null, expectedCents: 17_899, actualCents: 17_900 },
      { kind: 'foreign-refund', transactionId: 'r', expectedCents: null, actualCents: -2_000 },
      { kind: 'foreign-dispute', transactionId: 'd', expectedCents: null, actualCents: -9_000 },
      { kind: 'other-transaction', transactionId: 'o', expectedCents: null, actualCents: 400 },
    ])
    expect(sums).toEqual({ grossCents: 0, refundCents: -2_000, disputeCents: -9_000, otherCents: 30_400, feeCents: 1_500 })
    // The deposit is what the bank shows, to the cent.
    expect(depositParts(sums, 17_899)).toEqual([
      { account: 'clearing', description: 'Refunds to cards', amountCents: -2_000 },
      { account: 'clearing', description: 'Other transactions', amountCents: 30_399 },
      { account: 'fee', description: 'Stripe fees', amountCents: -1_500 },
      { account: 'dispute', description: 'Disputed payments', amountCents: -9_000 },
    ])
  })

  it('names refunds that failed here or at the bank, money that was paid out before, and payouts without a list (issue 29)', () => {
    const ours = noneKnown()
    ours.refunds.set('of_r', known(2_000, { hasHappened: false }))
    ours.refunds.set('of_f', known(1_000))
    ours.charges.set('of_c', known(5_000, { isInOtherPayout: true }))
    const transactions = [
      transaction('r', 'refund', -2_000),
      transaction('f', 'refund_failure', 1_000),
      transaction('c', 'charge', 5_000, 175),
    ]
    expect(names(reconcile(payoutOf(transactions), transactions, ours))).toEqual([
      ['state', 'r'],
      ['state', 'f'],
      ['paid-twice', 'c'],
    ])
    expect(names(reconcile({ amountCents: 5_000, currency, isAutomatic: false }, [], ours))).toEqual([['manual-payout', null]])
    expect(names(reconcile({ amountCents: -5, currency, isAutomatic: true }, [transaction('s', 'fee', -5)], ours))).toEqual([
      ['negative-payout', null],
    ])
  })

  it('counts fees that come with payments and on their own (issue 29)', () => {
    expect(sumsOf([transaction('c', 'charge', 10_000, 320), transaction('s', 'fee', -500), transaction('t', 'tax', -65)]).feeCents).toBe(
      885,
    )
  })
})

it.each([
  ['daily, with weekends', 3, 10],
  ['weekly', 7, 14],
  ['monthly', 31, 38],
  ['after a long pause', 90, 38],
  ['not known yet', null, 38],
])('waits for the next payout and a week: %s (issue 29)', (_, gap, days) => {
  expect(overdueAfterDays(gap)).toBe(days)
})

describe('what staff read about a payout', () => {
  it('says that it adds up only if it does (issue 29)', () => {
    expect(payoutStates.filter((state) => checkedLabels[state].includes('adds up'))).toEqual(['in-transit', 'matched', 'empty', 'posted'])
  })

  it('says when accepted differences reach QuickBooks (issue 29)', () => {
    const posting = (status: PayoutStatus, amountCents = 5_000) => postingOf({ status, amountCents })
    expect([posting('paid'), posting('in_transit'), posting('pending')]).toEqual(['now', 'later', 'later'])
    expect([posting('failed'), posting('canceled'), posting('paid', -5), posting('in_transit', 0)]).toEqual(Array(4).fill('never'))
  })
})
