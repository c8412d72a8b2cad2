import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dayAt } from '../../../shared/zoned-time.ts'
import { orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Disclosure } from '../../../ui/display/Disclosure.tsx'
import { formatDay, formatMoney } from '../../../ui/format.ts'

/** Payments that no payout holds although they are old enough. Nothing without one. */
export function OverduePayments() {
  const clock = useClock()
  const { data } = useQuery(orpc.payouts.overdue.queryOptions({ input: {} }))
  if (!data || data.total === 0) return null
  const what = data.total === 1 ? '1 card payment is' : `${data.total} card payments are`
  return (
    <div className="border-b border-line bg-warning-soft px-4 py-1 md:px-6">
      <Disclosure
        summary={
          <span className="text-fg">
            {what} in no payout after {data.afterDays} days
          </span>
        }
      >
        <ul aria-label="Payments in no payout" className="max-w-xl pb-3">
          {data.data.map(({ id, contact, amountCents, paidAt }) => (
            <li key={id} className="flex min-h-7 items-baseline gap-3">
              <span className="min-w-0 flex-1 truncate">
                <Link to="/contacts/$id" params={{ id: contact.id }} className="rounded-xs font-medium text-accent-fg hover:underline">
                  {`${contact.firstName} ${contact.lastName}`.trim()}
                </Link>{' '}
                <span className="text-fg-2">paid {formatDay(dayAt(new Date(paidAt), clock.timeZone))}</span>
              </span>
              <span className="tabular-nums">{formatMoney(amountCents)}</span>
            </li>
          ))}
        </ul>
        <p className="pb-3 text-fg-2">Look the payments up in Stripe. Money that Stripe holds back is listed there under Balances.</p>
      </Disclosure>
    </div>
  )
}
