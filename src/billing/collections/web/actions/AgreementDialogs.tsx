import type { ComponentProps } from 'react'
import { centsToText } from '../../../../shared/money.ts'
import { client } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { DateInput } from '../../../../ui/controls/DateInput.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { today } from '../../../../ui/format.ts'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { collectionMessages } from '../../account-contract.ts'
import type { AccountData } from '../account-data.ts'
import { amountProblem, centsOf, dayProblem } from './checks.ts'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { MoneyInput } from '../../../../ui/controls/MoneyInput.tsx'
import { useAccountAction } from './useAccountAction.ts'

interface DialogProps {
  contactId: string
  account: AccountData
  onClose: () => void
}

const maxNoteLength = 500

/** Records how much a patient promises to pay, and by when. */
export function PromiseDialog({ contactId, account, onClose }: DialogProps) {
  const clock = useClock()
  const first = today(clock)
  const form = useAccountAction(
    { contactId, onClose },
    {
      initial: { amount: account.balanceCents > 0 ? centsToText(account.balanceCents) : '', dueOn: '', note: '' },
      check: ({ amount, dueOn }) => ({
        amount: amountProblem(amount),
        dueOn: dayProblem(dueOn) ?? (dueOn < first ? collectionMessages.past : undefined),
      }),
      send: ({ amount, ...given }, idempotencyKey) =>
        client.collections.promise({ ...given, contactId, amountCents: centsOf(amount), idempotencyKey }),
      done: 'Promise saved',
    },
  )
  return (
    <ActionDialog title="Promise to pay" form={form} action={{ label: 'Save promise' }} onClose={onClose}>
      <div className="grid grid-cols-2 items-start gap-3">
        <Field label="Amount" error={form.problems.amount}>
          <MoneyInput {...form.bind('amount')} />
        </Field>
        <Field label="By" error={form.problems.dueOn}>
          <DateInput {...form.bind('dueOn')} min={first} />
        </Field>
      </div>
      <Note {...form.text('note')} />
    </ActionDialog>
  )
}

/** Puts the surgery on hold until the balance is paid, or releases the hold. */
export function HoldDialog({ contactId, account, onClose }: DialogProps) {
  const { isHeld } = account
  const form = useAccountAction(
    { contactId, onClose },
    {
      initial: { note: '' },
      send: ({ note }, idempotencyKey) => client.collections.hold({ contactId, isHeld: !isHeld, note, idempotencyKey }),
      done: isHeld ? 'Hold released' : 'Surgery put on hold',
    },
  )
  return (
    <ActionDialog
      title={isHeld ? 'Release hold?' : 'Hold the surgery?'}
      description={
        isHeld
          ? 'The surgery can go ahead before the balance is paid. The balance does not change.'
          : 'The surgery stays on hold until the balance is paid or the hold is released. Bookings do not move.'
      }
      form={form}
      action={{ label: isHeld ? 'Release hold' : 'Hold surgery' }}
      onClose={onClose}
    >
      <Note {...form.text('note')} />
    </ActionDialog>
  )
}

function Note(field: { value: string; onChange: ComponentProps<'textarea'>['onChange'] }) {
  return (
    <Field label="Note" optional>
      <Textarea {...field} maxLength={maxNoteLength} />
    </Field>
  )
}
