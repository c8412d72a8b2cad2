import { centsToText } from '../../../../shared/money.ts'
import { client } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { Select } from '../../../../ui/controls/Select.tsx'
import { spread } from '../../rules.ts'
import type { AccountData, ChargeData, DepositData } from '../account-data.ts'
import { type PaymentData, receiptName } from '../account-labels.ts'
import { amountProblem, centsOf } from './checks.ts'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { MoneyInput } from '../../../../ui/controls/MoneyInput.tsx'
import { useAccountAction } from './useAccountAction.ts'

interface DialogProps {
  contactId: string
  account: AccountData
  onClose: () => void
}

/** Applies part of a deposit to one charge. */
export function ApplyDialog({ contactId, account, charge, onClose }: DialogProps & { charge: ChargeData }) {
  const { deposits } = account
  const maxAmountOf = (id: string | null) =>
    Math.min(charge.openCents, deposits.find((deposit) => deposit.receiptId === id)?.leftCents ?? charge.openCents)
  const form = useAccountAction(
    { contactId, onClose },
    {
      initial() {
        const receiptId = deposits[0]?.receiptId ?? null
        return { receiptId, amount: centsToText(maxAmountOf(receiptId)) }
      },
      check: ({ receiptId, amount }) => ({
        receipt: receiptId === null ? 'Choose a receipt' : undefined,
        amount: amountProblem(amount),
      }),
      send: ({ receiptId, amount }, idempotencyKey) =>
        client.collections.apply({ id: charge.id, receiptId: receiptId ?? '', amountCents: centsOf(amount), idempotencyKey }),
      done: (_, { amount }) => `${formatMoney(centsOf(amount))} applied`,
    },
  )
  return (
    <ActionDialog
      title="Apply a deposit"
      description={`To ${charge.description}, with ${formatMoney(charge.openCents)} open.`}
      form={form}
      action={{ label: 'Apply deposit', busyLabel: 'Applying…' }}
      onClose={onClose}
    >
      <Field label="Deposit" error={form.problems.receipt}>
        <Select
          value={form.values.receiptId}
          onValueChange={(receiptId) => form.set({ receiptId, amount: centsToText(maxAmountOf(receiptId)) })}
          options={deposits.map((deposit) => ({
            value: deposit.receiptId,
            label: `${receiptName(deposit)}, ${formatMoney(deposit.leftCents)} left`,
          }))}
        />
      </Field>
      <Field label="Amount" error={form.problems.amount} className="md:w-1/2">
        <MoneyInput {...form.bind('amount')} />
      </Field>
    </ActionDialog>
  )
}

/** Applies the rest of a deposit to the most urgent charges, and previews the allocation. */
export function ApplyAllDialog({ contactId, account, deposit, onClose }: DialogProps & { deposit: DepositData }) {
  const parts = spread(account.portions, deposit.leftCents)
  const sum = parts.reduce((cents, { amountCents }) => cents + amountCents, 0)
  const rest = deposit.leftCents - sum
  const form = useAccountAction(
    { contactId, onClose },
    {
      initial: {},
      send: () => client.collections.applyAll({ contactId, receiptId: deposit.receiptId }),
      done: `${formatMoney(sum)} applied`,
    },
  )
  return (
    <ActionDialog
      title={`Apply ${formatMoney(sum)}?`}
      description={`From ${receiptName(deposit)} to the most urgent charges.`}
      form={form}
      action={{ label: `Apply ${formatMoney(sum)}`, busyLabel: 'Applying…' }}
      onClose={onClose}
    >
      {form.problems.receipt && <Alert tone="danger">{form.problems.receipt}</Alert>}
      <ul aria-label="Destination" className="text-sm">
        {parts.map(({ chargeId, amountCents }) => (
          <li key={chargeId} className="flex items-baseline gap-3 border-b border-line py-2">
            <span className="min-w-0 flex-1 break-words">{account.charges.find(({ id }) => id === chargeId)?.description}</span>
            <span className="tabular-nums">{formatMoney(amountCents)}</span>
          </li>
        ))}
        {rest > 0 && (
          <li className="flex items-baseline gap-3 py-2 text-fg-2">
            <span className="min-w-0 flex-1">Keep as credit</span>
            <span className="tabular-nums">{formatMoney(rest)}</span>
          </li>
        )}
      </ul>
    </ActionDialog>
  )
}

/** Unapplies a payment that was applied to the wrong charge; it becomes a deposit again. */
export function UnapplyDialog({
  contactId,
  charge,
  payment,
  onClose,
}: Omit<DialogProps, 'account'> & { charge: ChargeData; payment: PaymentData }) {
  const form = useAccountAction(
    { contactId, onClose },
    {
      initial: { amount: centsToText(payment.paidCents) },
      check: ({ amount }) => ({ amount: amountProblem(amount) }),
      send: ({ amount }, idempotencyKey) =>
        client.collections.release({ id: charge.id, receiptId: payment.receiptId, amountCents: centsOf(amount), idempotencyKey }),
      done: (_, { amount }) => `${formatMoney(centsOf(amount))} unapplied`,
    },
  )
  return (
    <ActionDialog
      title="Unapply payment"
      description={`${receiptName(payment)} has paid ${formatMoney(payment.paidCents)} of ${charge.description}. The unapplied amount becomes open again and stays on the receipt as a deposit.`}
      form={form}
      action={{ label: 'Unapply payment', busyLabel: 'Unapplying…' }}
      onClose={onClose}
    >
      <Field label="Amount" error={form.problems.amount} className="md:w-1/2">
        <MoneyInput {...form.bind('amount')} />
      </Field>
    </ActionDialog>
  )
}
