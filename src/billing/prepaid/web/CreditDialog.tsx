import { client } from '../../../ui/client/api.ts'
import { placeProblems } from '../../../ui/client/refusal.ts'
import { Input } from '../../../ui/controls/Input.tsx'
import { MoneyInput } from '../../../ui/controls/MoneyInput.tsx'
import { formatMoney } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { textToCents } from '../../../shared/money.ts'
import { prepaidMessages } from '../contract.ts'
import type { BalanceData } from './labels.ts'

interface CreditDialogProps {
  contactId: string
  onClose: () => void
  onDone: (balances: BalanceData[]) => void
}

/** Gives store credit, which the practice pays for. */
export default function CreditDialog({ contactId, onClose, onDone }: CreditDialogProps) {
  const form = useActionForm({
    initial: { amount: '', reason: '' },
    check: ({ amount, reason }) => ({
      amount: (textToCents(amount) ?? 0) < 1 ? prepaidMessages.amount : undefined,
      reason: reason.trim() === '' ? prepaidMessages.reason : undefined,
    }),
    send: ({ amount, reason }, idempotencyKey) =>
      client.prepaid.giveCredit({ contactId, amountCents: textToCents(amount)!, reason, idempotencyKey }),
    done: (_, { amount }) => `${formatMoney(textToCents(amount)!)} of credit given`,
    onDone: (balances) => onDone(balances),
    onRefused: (_, problems) => placeProblems(problems, ['amountCents', 'reason']),
  })
  return (
    <ActionDialog
      title="Give store credit"
      description="The patient can use it for any sale or deposit. It is recorded in QuickBooks as goodwill. To keep the money of a refund as credit, refund the receipt to store credit instead."
      form={form}
      action={{ label: 'Give credit' }}
      onClose={onClose}
    >
      <Field label="Amount" error={form.problems.amount ?? form.problems.amountCents} className="md:w-1/2">
        <MoneyInput {...form.bind('amount')} />
      </Field>
      <Field label="Reason" error={form.problems.reason}>
        <Input {...form.text('reason')} maxLength={300} autoComplete="off" placeholder="Long wait on 28 November" />
      </Field>
    </ActionDialog>
  )
}
