import { useState } from 'react'
import { centsToText } from '../../../../shared/money.ts'
import { client } from '../../../../ui/client/api.ts'
import { Field } from '../../../../ui/Field.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { Input } from '../../../../ui/Input.tsx'
import { collectionMessages } from '../../contract.ts'
import type { ChargeData } from '../account-data.ts'
import { amountProblem, centsOf, wrongs } from './checks.ts'
import { ActionDialog } from '../../../../ui/ActionDialog.tsx'
import { MoneyInput } from '../../../../ui/MoneyInput.tsx'
import { useAccountAction } from './useAccountAction.ts'

interface DialogProps {
  contactId: string
  charge: ChargeData
  onClose: () => void
}

const reasonProblem = (reason: string) => (reason.trim() === '' ? collectionMessages.reason : undefined)

/** Gives up a part of what is open. */
export function WriteOffDialog({ contactId, charge, onClose }: DialogProps) {
  const action = useAccountAction(contactId, onClose)
  const [amount, setAmount] = useState(() => centsToText(charge.openCents))
  const [reason, setReason] = useState('')
  const wrong = wrongs({ amount: amountProblem(amount), reason: reasonProblem(reason) })
  const problems = action.problems(wrong)
  const isKnown = !amountProblem(amount)
  return (
    <ActionDialog
      title="Write off?"
      description={`${formatMoney(charge.openCents)} of ${charge.description} is open. What is written off is owed no more, and this cannot be undone.`}
      action={action}
      problems={problems}
      label={isKnown ? `Write off ${formatMoney(centsOf(amount))}` : 'Write off'}
      busyLabel="Writing off..."
      danger
      onClose={onClose}
      onSubmit={() =>
        void action.send(
          wrong,
          (idempotencyKey) => client.collections.writeOff({ id: charge.id, amountCents: centsOf(amount), reason, idempotencyKey }),
          `${formatMoney(centsOf(amount))} written off`,
        )
      }
    >
      <Field label="Amount" error={problems.amount} className="md:w-1/2">
        <MoneyInput value={amount} onValueChange={action.typed(setAmount)} />
      </Field>
      <Reason value={reason} onChange={action.typed(setReason)} problem={problems.reason} />
    </ActionDialog>
  )
}

/** Makes a charge void that was a mistake. */
export function VoidDialog({ contactId, charge, onClose }: DialogProps) {
  const action = useAccountAction(contactId, onClose)
  const [reason, setReason] = useState('')
  const wrong = wrongs({ reason: reasonProblem(reason) })
  const problems = action.problems(wrong)
  return (
    <ActionDialog
      title="Make this charge void?"
      description={`${charge.description}, ${formatMoney(charge.amountCents)}. It is owed no more, and this cannot be undone.`}
      action={action}
      problems={problems}
      label="Void"
      busyLabel="Making void..."
      danger
      onClose={onClose}
      onSubmit={() =>
        void action.send(
          wrong,
          (idempotencyKey) => client.collections.void({ id: charge.id, reason, idempotencyKey }),
          'The charge is void',
        )
      }
    >
      <Reason value={reason} onChange={action.typed(setReason)} problem={problems.reason} />
    </ActionDialog>
  )
}

function Reason({ value, onChange, problem }: { value: string; onChange: (text: string) => void; problem: string | undefined }) {
  return (
    <Field label="Reason" error={problem}>
      <Input value={value} maxLength={300} autoComplete="off" onChange={({ target }) => onChange(target.value)} />
    </Field>
  )
}
