import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { dayAt } from '../../../shared/zoned-time.ts'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { rowsOf, usePages } from '../../../ui/client/usePages.ts'
import { cn } from '../../../ui/cn.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { formatDay, formatMoney } from '../../../ui/format.ts'
import { differenceLabels } from '../rules.ts'
import { transactionLabels } from './labels.tsx'
import type { PayoutData, PayoutTransactionData } from './payout-data.ts'

/** What a payout holds, newest first, with the patients whose money it is. */
export function PayoutTransactions({ payout }: { payout: PayoutData }) {
  const { list, older } = usePages(orpc.payouts.transactions, { id: payout.id })
  const transactions = rowsOf(list.data)
  if (!list.data) {
    return list.error ? (
      <ErrorState title="Couldn’t load the transactions" onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {messageOf(list.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={4} />
    )
  }
  if (transactions.length === 0) return null
  return (
    <section aria-labelledby="payout-transactions" className="pt-5">
      <h3 id="payout-transactions" className="border-b border-line pb-2 text-title font-semibold">
        Transactions
      </h3>
      <ul aria-label="Transactions">
        {transactions.map((transaction) => (
          <Transaction
            key={transaction.id}
            transaction={transaction}
            differences={payout.differences.filter(({ transactionId }) => transactionId === transaction.id)}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button className="mt-3" busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
          Show more
        </Button>
      )}
    </section>
  )
}

function Transaction({ transaction, differences }: { transaction: PayoutTransactionData; differences: PayoutData['differences'] }) {
  const clock = useClock()
  const { contact, kind, feeCents } = transaction
  const facts = [
    transactionLabels[kind],
    formatDay(dayAt(new Date(transaction.createdAt), clock.timeZone)),
    feeCents !== 0 && `fee ${formatMoney(feeCents)}`,
  ].filter(Boolean)
  return (
    <li className="flex items-baseline gap-3 border-b border-line py-2 text-sm last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium text-fg">
          {contact ? (
            <Link to="/contacts/$id" params={{ id: contact.id }} className={linkStyle}>
              {`${contact.firstName} ${contact.lastName}`.trim()}
            </Link>
          ) : kind === 'fee' ? (
            'Stripe'
          ) : (
            'Not recorded here'
          )}
        </p>
        <p className="text-xs text-fg-3 tabular-nums">{facts.join(' · ')}</p>
        {differences.map((difference) => (
          <p key={difference.kind} className="flex items-center gap-1.5 pt-0.5 text-xs text-warning-fg">
            <TriangleAlert aria-hidden="true" className="size-3.5 flex-none" />
            {differenceLabels[difference.kind]}
          </p>
        ))}
      </div>
      <div className="flex-none text-right tabular-nums">
        <p className="text-fg">{formatMoney(transaction.amountCents)}</p>
        <RecordLink transaction={transaction} />
      </div>
    </li>
  )
}

const linkStyle = 'rounded-xs text-accent-fg hover:underline'

/** Opens the dispute, or the receipt above the payout. */
function RecordLink({ transaction: { kind, disputeId, receiptId, receiptNumber } }: { transaction: PayoutTransactionData }) {
  const style = cn(linkStyle, 'text-xs')
  if (disputeId)
    return (
      <Link to="/collections" search={{ tab: 'disputes', dispute: disputeId }} className={style}>
        View dispute
      </Link>
    )
  if (!receiptId) return null
  return (
    <Link from="/collections" to="/collections" search={(before) => ({ ...before, receipt: receiptId })} className={style}>
      {[kind === 'refund' ? 'Refund' : 'Receipt', receiptNumber].filter(Boolean).join(' ')}
    </Link>
  )
}
