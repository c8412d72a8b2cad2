import type { ReactNode } from 'react'
import { useClock } from '../../../ui/client/session.ts'
import { cn } from '../../../ui/cn.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Fact, Facts } from '../../../ui/display/Facts.tsx'
import { formatDateTime, formatMoney } from '../../../ui/format.ts'
import { usePeople } from '../../../crm/contacts/web/embed/useDirectory.ts'
import { formatDifference, formatDifferenceCount, formatPayer } from './labels.tsx'
import type { PayoutData, PayoutDetails } from './payout-data.ts'

/** Sums, differences and the way to QuickBooks. */
export function PayoutFacts({ payout }: { payout: PayoutDetails }) {
  const clock = useClock()
  const people = usePeople().data
  const { state, deposit, differences, acceptedAt } = payout
  const acceptedBy = people?.find(({ id }) => id === payout.acceptedBy)?.fullName
  return (
    <>
      <Notice payout={payout} />
      {differences.length > 0 && (
        <section aria-label="Differences" className="mb-4 rounded-md border border-line px-3 py-2.5 text-sm">
          <h3 className="font-semibold text-fg">{formatDifferenceCount(differences.length)}</h3>
          <ul className="list-disc pt-1 pl-4 marker:text-fg-3">
            {differences.map((difference) => (
              <li key={`${difference.kind} ${difference.transactionId}`} className="py-0.5 break-words">
                {formatDifference(difference)}
                {formatPayer(difference) && <span className="block text-fg-2">{formatPayer(difference)}</span>}
                {difference.transactionId && <span className="block text-xs text-fg-3">{difference.transactionId}</span>}
              </li>
            ))}
          </ul>
          {acceptedAt && (
            <p className="mt-2 border-t border-line pt-2 text-fg-2">
              Accepted {formatDateTime(acceptedAt, clock)}
              {acceptedBy && ` by ${acceptedBy}`}: {payout.acceptedReason}
            </p>
          )}
        </section>
      )}
      {state !== 'reading' && (
        <dl>
          <Sum label="Card payments" cents={payout.grossCents} />
          {payout.refundCents !== 0 && <Sum label="Refunds to cards" cents={payout.refundCents} />}
          {payout.disputeCents !== 0 && <Sum label="Disputed payments" cents={payout.disputeCents} />}
          {payout.otherCents !== 0 && <Sum label="Other transactions" cents={payout.otherCents} />}
          <Sum label="Stripe fees" cents={-payout.feeCents} />
          <Sum label="Paid out" cents={payout.amountCents} isStrong />
        </dl>
      )}
      <Facts className="pt-4">
        <Fact label="Stripe">
          <span className="text-xs text-fg-3">{payout.stripePayoutId}</span>
        </Fact>
        {deposit?.completedAt && <Fact label="QuickBooks">Deposit posted {formatDateTime(deposit.completedAt, clock)}</Fact>}
      </Facts>
    </>
  )
}

function Sum({ label, cents, isStrong = false }: { label: ReactNode; cents: number; isStrong?: boolean }) {
  return (
    <div className={cn('flex min-h-6 items-baseline gap-3 text-sm', isStrong && 'mt-2 border-t border-line pt-2 font-semibold text-fg')}>
      <dt className="min-w-0 flex-1">{label}</dt>
      <dd className="tabular-nums">{formatMoney(cents)}</dd>
    </div>
  )
}

/** What someone should know or do. */
function Notice({ payout: { state, deposit, postingProblem, amountCents } }: { payout: PayoutData }) {
  if (state === 'returned')
    return (
      <Alert tone="danger" className="mb-4" title="The bank returned this payout.">
        {deposit?.state === 'complete' ? 'Delete its deposit in QuickBooks. ' : ''}Stripe adds the money to a later payout. Check the bank
        account in Stripe.
      </Alert>
    )
  if (state === 'reading')
    return (
      <Alert tone="info" className="mb-4">
        Stripe has not listed yet what this payout holds. It is compared as soon as Stripe has.
      </Alert>
    )
  if (state === 'unequal' && deposit?.qbTotalCents != null)
    return (
      <Alert tone="danger" className="mb-4" title="QuickBooks has another total.">
        {`The deposit in QuickBooks is ${formatMoney(deposit.qbTotalCents)}, and the bank shows ${formatMoney(amountCents)}. Correct the deposit in QuickBooks.`}
      </Alert>
    )
  if (state === 'accepted' && amountCents < 0)
    return (
      <Alert tone="info" className="mb-4">
        Stripe took this from the bank account. Record it in QuickBooks as an expense.
      </Alert>
    )
  if (state === 'in-transit')
    return (
      <Alert tone="info" className="mb-4">
        It adds up and is on its way to the bank. It is posted to QuickBooks once it arrives.
      </Alert>
    )
  if (state === 'empty')
    return (
      <Alert tone="info" className="mb-4">
        Refunds, disputes and fees take up the payments, so nothing reaches the bank and nothing is posted to QuickBooks.
      </Alert>
    )
  if (state !== 'matched') return null
  if (deposit?.state === 'failed')
    return (
      <Alert tone="danger" className="mb-4" title="QuickBooks refused it.">
        {deposit.problem}
      </Alert>
    )
  const problem = deposit?.problem ?? (deposit ? null : postingProblem)
  return problem ? (
    <Alert tone="warning" className="mb-4" title="Not in QuickBooks yet.">
      {problem}. {deposit ? 'It is retried automatically and never recorded twice.' : 'It is tried again every day.'}
    </Alert>
  ) : null
}
