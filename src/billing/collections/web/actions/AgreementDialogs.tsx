import { useState } from 'react'
import { centsToText } from '../../../../shared/money.ts'
import { client } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { DateInput } from '../../../../ui/DateInput.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { today } from '../../../../ui/format.ts'
import { Textarea } from '../../../../ui/Textarea.tsx'
import { collectionMessages } from '../../contract.ts'
import type { AccountData } from '../account-data.ts'
import { amountProblem, centsOf, dayProblem, wrongs } from './checks.ts'
import { ActionDialog } from '../../../../ui/ActionDialog.tsx'
import { MoneyInput } from '../../../../ui/MoneyInput.tsx'
import { useAccountAction } from './useAccountAction.ts'

interface DialogProps {
  contactId: string
  account: AccountData
  onClose: () => void
}

const maxWords = 500

/** How much a patient promises to pay, and by when. */
export function PromiseDialog({ contactId, account, onClose }: DialogProps) {
  const clock = useClock()
  const action = useAccountAction(contactId, onClose)
  const [amount, setAmount] = useState(() => (account.balanceCents > 0 ? centsToText(account.balanceCents) : ''))
  const [dueOn, setDueOn] = useState('')
  const [note, setNote] = useState('')
  const isPast = dueOn !== '' && dueOn < today(clock)
  const wrong = wrongs({ amount: amountProblem(amount), dueOn: dayProblem(dueOn) ?? (isPast ? collectionMessages.past : undefined) })
  const problems = action.problems(wrong)
  return (
    <ActionDialog
      title="Promise to pay"
      action={action}
      problems={problems}
      label="Save promise"
      busyLabel="Saving..."
      onClose={onClose}
      onSubmit={() =>
        void action.send(
          wrong,
          (idempotencyKey) => client.collections.promise({ contactId, amountCents: centsOf(amount), dueOn, note, idempotencyKey }),
          'Promise saved',
        )
      }
    >
      <div className="grid grid-cols-2 items-start gap-3">
        <Field label="Amount" error={problems.amount}>
          <MoneyInput value={amount} onValueChange={action.typed(setAmount)} />
        </Field>
        <Field label="By" error={problems.dueOn}>
          <DateInput value={dueOn} min={today(clock)} onValueChange={action.typed(setDueOn)} />
        </Field>
      </div>
      <Note value={note} onChange={action.typed(setNote)} />
    </ActionDialog>
  )
}

/** A surgery waits for what is owed, or waits no longer. */
export function HoldDialog({ contactId, account, onClose }: DialogProps) {
  const action = useAccountAction(contactId, onClose)
  const [note, setNote] = useState('')
  const { isHeld } = account
  return (
    <ActionDialog
      title={isHeld ? 'Release hold?' : 'Hold the surgery?'}
      description={
        isHeld
          ? 'It waits no longer for what is owed. The balance stays as it is.'
          : 'It waits until what is owed is paid, or until it is let go. Nothing that is booked is moved.'
      }
      action={action}
      problems={action.problems({})}
      label={isHeld ? 'Let go' : 'Hold surgery'}
      busyLabel="Saving..."
      onClose={onClose}
      onSubmit={() =>
        void action.send(
          {},
          (idempotencyKey) => client.collections.hold({ contactId, isHeld: !isHeld, note, idempotencyKey }),
          isHeld ? 'The surgery may go ahead' : 'The surgery is on hold',
        )
      }
    >
      <Note value={note} onChange={action.typed(setNote)} />
    </ActionDialog>
  )
}

function Note({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <Field label="Note" optional>
      <Textarea value={value} maxLength={maxWords} onChange={({ target }) => onChange(target.value)} />
    </Field>
  )
}
