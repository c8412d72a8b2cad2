import { useQuery } from '@tanstack/react-query'
import { centsToText, textToCents } from '../../../../../shared/money.ts'
import { orpc } from '../../../../../ui/client/api.ts'
import { Alert } from '../../../../../ui/display/Alert.tsx'
import { ActionDialog } from '../../../../../ui/forms/ActionDialog.tsx'
import { CheckboxLine } from '../../../../../ui/controls/Checkbox.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { formatMoney } from '../../../../../ui/format.ts'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { MoneyInput } from '../../../../../ui/controls/MoneyInput.tsx'
import { Select } from '../../../../../ui/controls/Select.tsx'
import { prepaidMethods } from '../../../../prepaid/rules.ts'
import { ways } from '../../payment/sale.ts'
import { NotLoaded } from '../../payment/SideFields.tsx'
import { numberOf } from '../ReceiptRow.tsx'
import type { ReceiptDetails } from '../receipt-data.ts'
import { Sum } from '../Totals.tsx'
import { howReturned, moneyLabel, openOf, placesOf } from './refund.ts'
import { useRefund } from './useRefund.ts'

/** Refunds by line and amount, and records it in QuickBooks. */
export default function RefundDialog({ receipt, onClose }: { receipt: ReceiptDetails; onClose: () => void }) {
  const left = receipt.leftOfLines
  const places = [...left.keys()].filter((place) => left[place]! > 0)
  const form = useRefund(receipt, onClose, {
    lines: places,
    amountCents: centsToText(openOf(receipt, places)),
    reason: '',
    depositAccount: receipt.depositAccountId,
    paymentMethod: receipt.paymentMethod,
  })
  const { problems } = form
  const { lines, amountCents, paymentMethod } = form.values
  const cents = textToCents(amountCents) ?? 0
  const { parts, moneyCents } = placesOf(receipt, cents)

  const choose = (chosen: number[]) => form.set({ lines: chosen, amountCents: centsToText(openOf(receipt, chosen)) })

  return (
    <ActionDialog
      title={`Refund receipt ${numberOf(receipt) ?? ''}`.trim()}
      description={`To ${receipt.customerName}. This records a refund receipt in QuickBooks.`}
      form={form}
      action={{ label: cents > 0 ? `Refund ${formatMoney(cents)}` : 'Refund', busyLabel: 'Refunding…', isDanger: true }}
      onClose={onClose}
    >
      {receipt.appliedCents > 0 && (
        <Alert tone="info">{formatMoney(receipt.appliedCents)} is applied to charges. Unapply it before you refund it.</Alert>
      )}
      <fieldset>
        <legend className="pb-1 text-sm font-medium text-fg">Lines to refund</legend>
        <ul className="flex flex-col">
          {receipt.lines.map((line, place) => (
            // oxlint-disable-next-line no-array-index-key -- a receipt's lines never change
            <li key={place} className="flex min-h-10 items-center gap-3 border-b border-line last:border-b-0">
              <CheckboxLine
                className="min-w-0 flex-1"
                checked={lines.includes(place)}
                disabled={left[place] === 0}
                onCheckedChange={(isChosen) => choose(isChosen ? [...lines, place] : lines.filter((other) => other !== place))}
              >
                {line.name}
              </CheckboxLine>
              <span className="text-sm text-fg-2 tabular-nums">{describeLeft(left[place]!, receipt.usedOfLines[place]!)}</span>
            </li>
          ))}
        </ul>
        {problems.lines && (
          <p role="alert" className="pt-1 text-sm text-danger-fg">
            {problems.lines}
          </p>
        )}
      </fieldset>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Amount" hint={receipt.taxCents > 0 && 'Tax included'} error={problems.amountCents}>
          <MoneyInput {...form.bind('amountCents')} />
        </Field>
        <Field label="Refund method" error={problems.paymentMethod}>
          <Select {...form.bind('paymentMethod')} options={waysWith(paymentMethod)} placeholder="Choose how" />
        </Field>
      </div>
      {cents > 0 && (
        <dl aria-label="Where the refund goes" className="border-t border-line pt-2">
          {parts.map((part) => (
            <Sum key={part.label} label={part.label} cents={part.cents} />
          ))}
          {moneyCents > 0 && <Sum label={moneyLabel(paymentMethod)} cents={moneyCents} />}
        </dl>
      )}
      {cents > 0 && (
        <p className="text-sm text-fg-2">{moneyCents > 0 ? howReturned(paymentMethod, receipt) : 'There is no money to return.'}</p>
      )}
      <Field label="Refund from" error={problems.depositAccount}>
        <Accounts {...form.bind('depositAccount')} />
      </Field>
      <Field label="Reason" error={problems.reason}>
        <Input {...form.text('reason')} maxLength={300} autoComplete="off" />
      </Field>
    </ActionDialog>
  )
}

/** What is left of a line, in cents, and what was used of the gift card or the credit that it sold. */
function describeLeft(left: number, used: number): string {
  if (left === 0) return used > 0 ? 'Used' : 'Refunded'
  return used > 0 ? `${formatMoney(left)} left, ${formatMoney(used)} used` : `${formatMoney(left)} left`
}

/** The common payment methods, plus the original one if it is another. */
const waysWith = (value: string | null) =>
  [...new Set([...ways, prepaidMethods.credit, ...(value === null ? [] : [value])])].map((way) => ({
    value: way,
    label: way,
  }))

function Accounts({ value, onValueChange }: { value: string | null; onValueChange: (id: string | null) => void }) {
  const accounts = useQuery(orpc.pos.accounts.queryOptions({ staleTime: 60_000 }))
  if (accounts.error && !accounts.data) return <NotLoaded what="Accounts" error={accounts.error} onRetry={() => void accounts.refetch()} />
  const options = accounts.data?.accounts.map(({ Id, Name }) => ({ value: Id, label: Name })) ?? []
  return (
    <Select value={value} onValueChange={onValueChange} options={options} placeholder="Choose an account" disabled={accounts.isPending} />
  )
}
