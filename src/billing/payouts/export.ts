import type { ListExport } from '../../platform/list-export.ts'
import { amountOfCents } from '../../shared/money.ts'
import type { InstantPlace } from '../../shared/page-lists.ts'
import { payoutFilters, type PayoutFilters } from './contract.ts'
import { differenceLabels, payoutStateLabels } from './rules.ts'
import { readPayouts } from './service.ts'

const linesAtOnce = 200

type PayoutRecord = Awaited<ReturnType<typeof readPayouts>>['data'][number]

const dollars = (cents: number): string => amountOfCents(cents).toFixed(2)

const columns: Record<string, (row: PayoutRecord) => string> = {
  'Arrives on': ({ arrivesOn }) => arrivesOn,
  Payout: ({ stripePayoutId }) => stripePayoutId,
  State: ({ state }) => payoutStateLabels[state],
  Payments: ({ grossCents }) => dollars(grossCents),
  Refunds: ({ refundCents }) => dollars(refundCents),
  Disputes: ({ disputeCents }) => dollars(disputeCents),
  Other: ({ otherCents }) => dollars(otherCents),
  Fees: ({ feeCents }) => dollars(-feeCents),
  'Paid out': ({ amountCents }) => dollars(amountCents),
  Differences: ({ differences }) => differences.map(({ kind }) => differenceLabels[kind]).join('; '),
  'Accepted because': ({ acceptedReason }) => acceptedReason ?? '',
  'QuickBooks id': ({ deposit }) => deposit?.qbId ?? '',
}

/** GET /api/payouts.csv or .xlsx with the list's filters. */
export const payoutsExport: ListExport<PayoutFilters> = {
  name: 'payouts',
  kind: 'payout',
  input: payoutFilters,
  head: () => Object.keys(columns),
  async *read({ db }, filters) {
    for (let cursor: InstantPlace | undefined; ;) {
      const { data, nextCursor } = await readPayouts(db, { ...filters, cursor, limit: linesAtOnce })
      yield { rows: data.map((row) => Object.values(columns).map((cell) => cell(row))), contactIds: [] }
      if (nextCursor === null) return
      cursor = nextCursor
    }
  },
}
