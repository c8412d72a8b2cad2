import { useState } from 'react'
import { client } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Field } from '../../../../ui/Field.tsx'
import { formatMoney, today } from '../../../../ui/format.ts'
import { Input } from '../../../../ui/Input.tsx'
import { collectionMessages } from '../../contract.ts'
import { centsToText } from '../../../../shared/money.ts'
import type { ChargeData } from '../account-data.ts'
import { amountProblem, centsOf, wrongs } from './checks.ts'
import { daysOf, daysOfCharge, daysProblems, noDays, planned } from './days.ts'
import { DaysFields } from './DaysFields.tsx'
import { ActionDialog } from '../../../../ui/ActionDialog.tsx'
import { MoneyInput } from '../../../../ui/MoneyInput.tsx'
import { useAccountAction } from './useAccountAction.ts'

/** What a patient is to pay, and when. */
export function ChargeDialog({ contactId, onClose }: { contactId: string; onClose: () => void }) {
  const clock = useClock()
  const action = useAccountAction(contactId, onClose)
  const [description, setDescription] = useState('')
  const [amount, setAmount] = useState('')
  const [days, setDays] = useState(() => noDays(today(clock)))
  const wrong = wrongs({
    description: description.trim() === '' ? collectionMessages.description : undefined,
    amount: amountProblem(amount),
    ...daysProblems(days, centsOf(amount)),
  })
  const problems = action.problems(wrong)
  return (
    <ActionDialog
      title="Add charge"
      action={action}
      problems={problems}
      label="Add charge"
      busyLabel="Adding..."
      onClose={onClose}
      onSubmit={() =>
        void action.send(
          wrong,
          (idempotencyKey) =>
            client.collections.addCharge({ contactId, description, amountCents: centsOf(amount), ...daysOf(days), idempotencyKey }),
          'Charge added',
        )
      }
    >
      <Field label="Description" error={problems.description}>
        <Input
          value={description}
          maxLength={300}
          autoComplete="off"
          onChange={({ target }) => {
            action.edited()
            setDescription(target.value)
          }}
        />
      </Field>
      <Field label="Amount" error={problems.amount} className="md:w-1/2 md:pr-1.5">
        <MoneyInput
          value={amount}
          onValueChange={(text) => {
            action.edited()
            setAmount(text)
            setDays(planned(days, text))
          }}
        />
      </Field>
      <DaysFields value={days} onChange={action.typed(setDays)} amount={amount} problems={problems} />
    </ActionDialog>
  )
}

/** Other days for a charge that there is. */
export function DaysDialog({ contactId, charge, onClose }: { contactId: string; charge: ChargeData; onClose: () => void }) {
  const action = useAccountAction(contactId, onClose)
  const [days, setDays] = useState(() => daysOfCharge(charge))
  const wrong = wrongs(daysProblems(days, charge.amountCents))
  const problems = action.problems(wrong)
  return (
    <ActionDialog
      title="Change days"
      description={`${charge.description}, ${formatMoney(charge.amountCents)}. What was paid covers the earliest first.`}
      action={action}
      problems={problems}
      label="Save days"
      busyLabel="Saving..."
      onClose={onClose}
      onSubmit={() => void action.send(wrong, () => client.collections.setPlan({ id: charge.id, ...daysOf(days) }), 'Days changed')}
    >
      <DaysFields value={days} onChange={action.typed(setDays)} amount={centsToText(charge.amountCents)} problems={problems} />
    </ActionDialog>
  )
}
