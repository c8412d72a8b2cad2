import type { ComponentProps } from 'react'
import { centsToText } from '../../../../shared/money.ts'
import { client } from '../../../../ui/client/api.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { collectionMessages } from '../../account-contract.ts'
import type { ChargeData } from '../account-data.ts'
import { amountProblem, centsOf } from './checks.ts'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { MoneyInput } from '../../../../ui/controls/MoneyInput.tsx'
import { useAccountAction } from './useAccountAction.ts'

interface DialogProps {
  contactId: string
  charge: ChargeData
  onClose: () => void
}

const reasonProblem = (reason: string) => (reason.trim() === '' ? collectionMessages.reason : undefined)

/** Writes off part of a charge's open amount. */
export function WriteOffDialog({ contactId, charge, onClose }: DialogProps) {
  const form = useAccountAction(
    { contactId, onClose },
    {
      initial: { amount: centsToText(charge.openCents), reason: '' },
      check: ({ amount, reason }) => ({ amount: amountProblem(amount), reason: reasonProblem(reason) }),
      send: ({ amount, reason }, idempotencyKey) =>
        client.collections.writeOff({ id: charge.id, amountCents: centsOf(amount), reason, idempotencyKey }),
      done: (_, { amount }) => `${formatMoney(centsOf(amount))} written off`,
    },
  )
  const { amount } = form.values
  return (
    <ActionDialog
      title="Write off?"
      description={`${formatMoney(charge.openCents)} of ${charge.description} is open. The patient will no longer owe the amount you write off. This can’t be undone.`}
      form={form}
      action={{
        label: amountProblem(amount) ? 'Write off' : `Write off ${formatMoney(centsOf(amount))}`,
        busyLabel: 'Writing off…',
        isDanger: true,
      }}
      onClose={onClose}
    >
      <Field label="Amount" error={form.problems.amount} className="md:w-1/2">
        <MoneyInput {...form.bind('amount')} />
      </Field>
      <Reason {...form.text('reason')} problem={form.problems.reason} />
    </ActionDialog>
  )
}

/** Voids a charge that was added by mistake. */
export function VoidDialog({ contactId, charge, onClose }: DialogProps) {
  const form = useAccountAction(
    { contactId, onClose },
    {
      initial: { reason: '' },
      check: ({ reason }) => ({ reason: reasonProblem(reason) }),
      send: ({ reason }, idempotencyKey) => client.collections.void({ id: charge.id, reason, idempotencyKey }),
      done: 'Charge voided',
    },
  )
  return (
    <ActionDialog
      title="Void this charge?"
      description={`${charge.description}, ${formatMoney(charge.amountCents)}. The patient will no longer owe it. This can’t be undone.`}
      form={form}
      action={{ label: 'Void charge', busyLabel: 'Voiding…', isDanger: true }}
      onClose={onClose}
    >
      <Reason {...form.text('reason')} problem={form.problems.reason} />
    </ActionDialog>
  )
}

interface ReasonProps {
  value: string
  onChange: ComponentProps<'input'>['onChange']
  problem: string | undefined
}

function Reason({ problem, ...field }: ReasonProps) {
  return (
    <Field label="Reason" error={problem}>
      <Input {...field} maxLength={300} autoComplete="off" />
    </Field>
  )
}
