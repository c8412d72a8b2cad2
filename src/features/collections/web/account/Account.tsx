import { useState } from 'react'
import { messageOf } from '../../../../web/api.ts'
import { useClock } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { ErrorState } from '../../../../web/ui/EmptyState.tsx'
import { formatDay, formatMoney, today } from '../../../../web/ui/format.ts'
import { lazyLayer } from '../../../../web/ui/lazy-layer.tsx'
import { Skeleton } from '../../../../web/ui/Skeleton.tsx'
import { useMay } from '../../../../web/useMay.ts'
import type { AccountData, AccountPatient } from '../account-data.ts'
import { receiptName } from '../account-words.ts'
import type { Deed, Do } from '../deeds/deed.ts'
import { useAccount, usePeople } from '../useAccount.ts'
import { AccountHead } from './AccountHead.tsx'
import { Charges } from './Charges.tsx'
import { History, Notes } from './History.tsx'
import { Line, Section } from './Section.tsx'

const DeedLayer = lazyLayer(
  () => import('../deeds/DeedLayer.tsx'),
  ({ onClose }) => onClose(),
)

/** A patient's ledger, and what can be done with it. */
export function Account({ patient }: { patient: AccountPatient }) {
  const account = useAccount(patient.id)
  const [deed, setDeed] = useState<Deed | null>(null)
  const { data } = account
  if (!data) {
    return account.error ? (
      <ErrorState title="The account did not load" onRetry={() => void account.refetch()} retrying={account.isFetching}>
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
      <AccountHead account={data} patient={patient} act={setDeed} />
      <Parts account={data} patient={patient} act={setDeed} />
      {deed && <DeedLayer deed={deed} contactId={patient.id} account={data} onClose={() => setDeed(null)} />}
    </>
  )
}

function Parts({ account, patient, act }: { account: AccountData; patient: AccountPatient; act: Do }) {
  const clock = useClock()
  const people = usePeople()
  if (account.charges.length === 0 && account.deposits.length === 0 && account.notes.length === 0) {
    return (
      <p className="border-t border-line py-4 text-sm text-fg-2">
        Nothing is charged yet. Charges, what was paid of them and deposits stand here.
      </p>
    )
  }
  return (
    <>
      {account.portions.length > 0 && <Open account={account} day={today(clock)} />}
      <Deposits account={account} act={act} />
      {account.charges.length > 0 && <Charges account={account} patient={patient} act={act} />}
      {account.notes.length > 0 && <Notes notes={account.notes} people={people} clock={clock} />}
      {account.entries.length > 0 && <History entries={account.entries} charges={account.charges} people={people} clock={clock} />}
    </>
  )
}

function Open({ account, day }: { account: AccountData; day: string }) {
  const nameOf = (chargeId: string) => account.charges.find(({ id }) => id === chargeId)?.description
  return (
    <Section title="Open, most urgent first">
      <ul>
        {account.portions.map(({ chargeId, dueOn, openCents, isBeforeSurgery }) => (
          <li key={`${chargeId} ${dueOn} ${openCents}`}>
            <Line
              title={nameOf(chargeId)}
              facts={
                <>
                  <span className={dueOn < day ? 'font-medium text-danger-fg' : undefined}>
                    {dueOn < day ? 'Late, due' : 'Due'} {formatDay(dueOn)}
                  </span>
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

function Deposits({ account, act }: { account: AccountData; act: Do }) {
  const may = useMay()
  const deposits = account.deposits.filter(({ leftCents }) => leftCents > 0)
  if (deposits.length === 0) return null
  return (
    <Section title="Deposits">
      <ul>
        {deposits.map((deposit) => (
          <li key={deposit.receiptId}>
            <Line
              title={receiptName(deposit)}
              facts={deposit.leftCents === deposit.totalCents ? 'Nothing of it is applied' : `Of ${formatMoney(deposit.totalCents)}`}
              amount={formatMoney(deposit.leftCents)}
              action={
                account.portions.length > 0 &&
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
