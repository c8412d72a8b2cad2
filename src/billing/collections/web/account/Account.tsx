import { useState } from 'react'
import { dayAt } from '../../../../shared/zoned-time.ts'
import { AutomaticPayments } from '../../../cards/web/embed/AutomaticPayments.tsx'
import { SavedCards } from '../../../cards/web/embed/SavedCards.tsx'
import { formatSplit } from '../../../prepaid/rules.ts'
import { PrepaidBalances } from '../../../prepaid/web/embed/PrepaidBalances.tsx'
import { messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { type Clock, formatDay, formatMoney, today } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import type { AccountData, AccountPatient } from '../account-data.ts'
import { describeUse, formatDue, receiptName } from '../account-labels.ts'
import type { Action, Do } from '../actions/action.ts'
import { useAccount, usePeople } from '../useAccount.ts'
import { AccountHead } from './AccountHead.tsx'
import { Charges } from './Charges.tsx'
import { History, Notes } from './History.tsx'
import { Line, Section } from './Section.tsx'

const ActionDialogs = lazyDialog(
  () => import('../actions/ActionDialogs.tsx'),
  ({ onClose }) => onClose(),
)

/** A patient's ledger with its actions. */
export function Account({ patient }: { patient: AccountPatient }) {
  const account = useAccount(patient.id)
  const [action, setAction] = useState<Action | null>(null)
  const { data } = account
  if (!data) {
    return account.error ? (
      <ErrorState title="Couldn’t load the account" onRetry={() => void account.refetch()} retrying={account.isFetching}>
        {messageOf(account.error)}
      </ErrorState>
    ) : (
      <div role="status" aria-label="Loading" className="flex flex-col gap-4 py-2">
        {['h-7 w-1/3', 'w-2/3', 'w-1/2', 'w-3/4', 'w-2/5'].map((size) => (
          <Skeleton key={size} className={size} />
        ))}
      </div>
    )
  }
  return (
    <>
      <AccountHead account={data} patient={patient} act={setAction} />
      <Parts account={data} patient={patient} act={setAction} />
      <SavedCards contactId={patient.id} />
      <AutomaticPayments contactId={patient.id} />
      {action && <ActionDialogs action={action} contactId={patient.id} account={data} onClose={() => setAction(null)} />}
    </>
  )
}

/** The open charge that is paid first. */
const nextToPay = ({ portions, charges }: AccountData) => charges.find(({ id }) => id === portions[0]?.chargeId) ?? null

function Parts({ account, patient, act }: { account: AccountData; patient: AccountPatient; act: Do }) {
  const clock = useClock()
  const people = usePeople()
  const isEmpty = account.charges.length === 0 && account.payments.length === 0 && account.notes.length === 0
  return (
    <>
      {isEmpty && (
        <p className="border-t border-line py-4 text-sm text-fg-2">No charges yet. Charges, payments and deposits appear here.</p>
      )}
      {account.portions.length > 0 && <Open account={account} day={today(clock)} />}
      {account.charges.length > 0 && <Charges account={account} patient={patient} act={act} />}
      {account.payments.length > 0 && <Payments account={account} act={act} clock={clock} />}
      {!isEmpty && <Deposits account={account} act={act} />}
      <PrepaidBalances contactId={patient.id} charge={nextToPay(account)} />
      {account.notes.length > 0 && <Notes notes={account.notes} people={people} clock={clock} />}
      {!isEmpty && account.entries.length > 0 && (
        <History entries={account.entries} charges={account.charges} people={people} clock={clock} />
      )}
    </>
  )
}

function Open({ account, day }: { account: AccountData; day: string }) {
  const nameOf = (chargeId: string) => account.charges.find(({ id }) => id === chargeId)?.description
  return (
    <Section title="Outstanding charges">
      <ul>
        {account.portions.map(({ chargeId, dueOn, openCents, isBeforeSurgery }) => (
          <li key={`${chargeId} ${dueOn} ${openCents}`}>
            <Line
              title={
                <>
                  {nameOf(chargeId)} <DueBadge dueOn={dueOn} day={day} />
                </>
              }
              facts={
                <>
                  Due {formatDay(dueOn)}
                  {isBeforeSurgery && ' · before surgery'}
                </>
              }
              amount={formatMoney(openCents)}
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function DueBadge({ dueOn, day }: { dueOn: string; day: string }) {
  const { label, tone } = formatDue(dueOn, day)
  return <Badge tone={tone}>{label}</Badge>
}

/** Payments received, each with how it was used. */
function Payments({ account, act, clock }: { account: AccountData; act: Do; clock: Clock }) {
  const may = usePermission()
  const canApply = account.portions.length > 0 && may('collections.applyAll')
  return (
    <Section title="Payments">
      <ul aria-label="Payments">
        {account.payments.map((payment) => (
          <li key={payment.receiptId}>
            <Line
              title={[receiptName(payment), formatSplit(payment) ?? payment.paymentMethod].filter(Boolean).join(', ')}
              facts={[
                payment.completedAt && formatDay(dayAt(new Date(payment.completedAt), clock.timeZone)),
                payment.items.join(', '),
                describeUse(payment),
              ]
                .filter(Boolean)
                .join(' · ')}
              amount={formatMoney(payment.totalCents)}
              below={
                canApply &&
                payment.leftCents > payment.creditCents && (
                  <Button
                    size="sm"
                    variant="quiet"
                    className="-ml-2.5"
                    aria-label={`Apply ${receiptName(payment)} to a charge`}
                    onClick={() => act({ do: 'apply-all', deposit: payment })}
                  >
                    Apply to a charge
                  </Button>
                )
              }
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Deposits({ account: { deposits, portions }, act }: { account: AccountData; act: Do }) {
  const may = usePermission()
  return (
    <Section title="Deposits and credits">
      {deposits.length === 0 && <Line title="None" facts="Money held for future treatment appears here." amount={formatMoney(0)} />}
      <ul>
        {deposits.map((deposit) => (
          <li key={deposit.receiptId}>
            <Line
              title={receiptName(deposit)}
              facts={deposit.leftCents === deposit.totalCents ? 'Unapplied' : `Unapplied of ${formatMoney(deposit.totalCents)}`}
              amount={formatMoney(deposit.leftCents)}
              action={
                portions.length > 0 &&
                may('collections.applyAll') && (
                  <Button size="sm" aria-label={`Apply ${receiptName(deposit)}`} onClick={() => act({ do: 'apply-all', deposit })}>
                    Apply
                  </Button>
                )
              }
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}
