import { client } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { formatMoney, today } from '../../../../ui/format.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { collectionMessages } from '../../account-contract.ts'
import { centsToText } from '../../../../shared/money.ts'
import type { ChargeData } from '../account-data.ts'
import { amountProblem, centsOf } from './checks.ts'
import { daysOf, daysOfCharge, daysProblems, noDays, planned } from './days.ts'
import { DaysFields } from './DaysFields.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { MoneyInput } from '../../../../ui/controls/MoneyInput.tsx'
import { useAccountAction } from './useAccountAction.ts'

/** Adds a charge with its due dates. */
export function ChargeDialog({ contactId, onClose }: { contactId: string; onClose: () => void }) {
  const clock = useClock()
  const form = useAccountAction(
    { contactId, onClose },
    {
      initial: () => ({ description: '', amount: '', days: noDays(today(clock)) }),
      check: ({ description, amount, days }) => ({
        description: description.trim() === '' ? collectionMessages.description : undefined,
        amount: amountProblem(amount),
        ...daysProblems(days, centsOf(amount)),
      }),
      send: ({ description, amount, days }, idempotencyKey) =>
        client.collections.addCharge({ contactId, description, amountCents: centsOf(amount), ...daysOf(days), idempotencyKey }),
      done: 'Charge added',
    },
  )
  const { amount, days } = form.values
  return (
    <ActionDialog title="Add charge" form={form} action={{ label: 'Add charge', busyLabel: 'Adding…' }} onClose={onClose}>
      <Field label="Description" error={form.problems.description}>
        <Input {...form.text('description')} maxLength={300} autoComplete="off" />
      </Field>
      <Field label="Amount" error={form.problems.amount} className="md:w-1/2 md:pr-1.5">
        <MoneyInput value={amount} onValueChange={(text) => form.set({ amount: text, days: planned(days, text) })} />
      </Field>
      <DaysFields {...form.bind('days')} amount={amount} problems={form.problems} />
    </ActionDialog>
  )
}

/** Changes the due dates of an existing charge. */
export function DaysDialog({ contactId, charge, onClose }: { contactId: string; charge: ChargeData; onClose: () => void }) {
  const form = useAccountAction(
    { contactId, onClose },
    {
      initial: () => ({ days: daysOfCharge(charge) }),
      check: ({ days }) => daysProblems(days, charge.amountCents),
      send: ({ days }) => client.collections.setPlan({ id: charge.id, ...daysOf(days) }),
      done: 'Due dates changed',
    },
  )
  return (
    <ActionDialog
      title="Change due dates"
      description={`${charge.description}, ${formatMoney(charge.amountCents)}. Payments cover the earliest due dates first.`}
      form={form}
      action={{ label: 'Save due dates' }}
      onClose={onClose}
    >
      <DaysFields {...form.bind('days')} amount={centsToText(charge.amountCents)} problems={form.problems} />
    </ActionDialog>
  )
}
