import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { dayAt } from '../../../shared/zoned-time.ts'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { rowsOf, usePages } from '../../../ui/client/usePages.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { formatDay, formatMoney } from '../../../ui/format.ts'
import { differenceLabels } from '../rules.ts'
import { lineLabels } from './labels.tsx'
import type { PayoutData, PayoutLineData } from './payout-data.ts'

/** What a payout holds, newest first, with the patients whose money it is. */
export function PayoutLines({ payout }: { payout: PayoutData }) {
  const { list, older } = usePages(orpc.payouts.lines, { id: payout.id })
  const lines = rowsOf(list.data)
  if (!list.data) {
    return list.error ? (
      <ErrorState title="Couldn’t load the transactions" onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {messageOf(list.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={4} />
    )
  }
  if (lines.length === 0) return null
  return (
    <section aria-labelledby="payout-lines" className="pt-5">
      <h3 id="payout-lines" className="border-b border-line pb-2 text-title font-semibold">
        Transactions
      </h3>
      <ul aria-label="Transactions">
        {lines.map((line) => (
          <Line key={line.id} line={line} differences={payout.differences.filter(({ transactionId }) => transactionId === line.id)} />
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

function Line({ line, differences }: { line: PayoutLineData; differences: PayoutData['differences'] }) {
  const clock = useClock()
  const { contact, feeCents } = line
  const facts = [
    lineLabels[line.kind],
    formatDay(dayAt(new Date(line.createdAt), clock.timeZone)),
    feeCents !== 0 && `fee ${formatMoney(feeCents)}`,
  ]
  return (
    <li className="flex items-baseline gap-3 border-b border-line py-2 text-sm last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium text-fg">
          {contact ? (
            <Link to="/contacts/$id" params={{ id: contact.id }} className="rounded-xs text-accent-fg hover:underline">
              {`${contact.firstName} ${contact.lastName}`.trim()}
            </Link>
          ) : line.kind === 'fee' ? (
            'Stripe'
          ) : (
            'Not recorded here'
          )}
        </p>
        <p className="truncate text-xs text-fg-3 tabular-nums">{facts.filter(Boolean).join(' · ')}</p>
        {differences.map(({ kind }) => (
          <p key={kind} className="flex items-center gap-1.5 pt-0.5 text-xs text-warning-fg">
            <TriangleAlert aria-hidden="true" className="size-3.5 flex-none" />
            {differenceLabels[kind]}
          </p>
        ))}
      </div>
      <span className="text-fg tabular-nums">{formatMoney(line.amountCents)}</span>
    </li>
  )
}
