import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { centsToText, textToCents } from '../../../../../shared/money.ts'
import { orpc } from '../../../../../ui/client/api.ts'
import { applyFieldErrors } from '../../../../../ui/client/form-errors.ts'
import { Alert } from '../../../../../ui/Alert.tsx'
import { Button } from '../../../../../ui/Button.tsx'
import { CheckboxLine } from '../../../../../ui/Checkbox.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../../ui/Dialog.tsx'
import { Form, FormField } from '../../../../../ui/Form.tsx'
import { formatMoney } from '../../../../../ui/format.ts'
import { Input } from '../../../../../ui/Input.tsx'
import { MoneyInput } from '../../../../../ui/MoneyInput.tsx'
import { Select } from '../../../../../ui/Select.tsx'
import { checked } from '../../payment/check-customer.ts'
import { otherWays, commonWays } from '../../payment/sale.ts'
import { NotLoaded } from '../../payment/SideFields.tsx'
import { numberOf } from '../ReceiptRow.tsx'
import type { ReceiptDetails } from '../receipt-data.ts'
import { contentOf, openOf, type RefundForm, wrongIn } from './refund.ts'
import { useRefund } from './useRefund.ts'

/** Gives back what was paid, by line and amount, and records it in QuickBooks. */
export default function RefundDialog({ receipt, onClose }: { receipt: ReceiptDetails; onClose: () => void }) {
  const left = receipt.leftOfLines
  const places = [...left.keys()].filter((place) => left[place]! > 0)
  const form = useForm<RefundForm, unknown, RefundForm>({
    defaultValues: {
      lines: places,
      amountCents: centsToText(openOf(receipt, places)),
      reason: '',
      depositAccount: receipt.depositAccountId,
      paymentMethod: receipt.paymentMethod,
    },
    resolver: (values) => checked(values, wrongIn(values, receipt)),
  })
  const { isSubmitting } = form.formState
  const { send, problem } = useRefund(receipt.id, onClose)
  const [lines, amount] = form.watch(['lines', 'amountCents'])
  const cents = textToCents(amount) ?? 0

  function choose(chosen: number[]) {
    form.setValue('lines', chosen)
    form.setValue('amountCents', centsToText(openOf(receipt, chosen)), { shouldValidate: form.formState.isSubmitted })
  }
  async function submit(values: RefundForm) {
    const refusal = await send(contentOf(values))
    if (refusal) applyFieldErrors(form, refusal)
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Refund receipt ${numberOf(receipt) ?? ''}`.trim()}
      description={`To ${receipt.customerName}. QuickBooks gets a refund receipt; give the money back on the terminal or in cash yourself.`}
      dismissible={!isSubmitting}
    >
      <Form form={form} onSubmit={submit} className={dialogForm}>
        <DialogBody className="flex flex-col gap-4">
          {problem && <Alert tone="danger">{problem}</Alert>}
          {receipt.appliedCents > 0 && (
            <Alert tone="info">
              {formatMoney(receipt.appliedCents)} of it pays what the patient owes. Take it off there first to refund it.
            </Alert>
          )}
          <fieldset>
            <legend className="pb-1 text-sm font-medium text-fg">What is refunded</legend>
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
                  <span className="text-sm text-fg-2 tabular-nums">
                    {left[place] === 0 ? 'Refunded' : `${formatMoney(left[place]!)} left`}
                  </span>
                </li>
              ))}
            </ul>
            {form.formState.errors.lines && (
              <p role="alert" className="pt-1 text-sm text-danger-fg">
                {form.formState.errors.lines.message}
              </p>
            )}
          </fieldset>
          <div className="grid gap-4 md:grid-cols-2">
            <FormField control={form.control} name="amountCents" label="Amount" hint="Tax included">
              {({ value, onChange, ref }) => <MoneyInput ref={ref} value={value} onValueChange={onChange} />}
            </FormField>
            <FormField control={form.control} name="paymentMethod" label="Paid back by">
              {({ value, onChange }) => (
                <Select value={value} onValueChange={onChange} options={waysWith(value)} placeholder="Choose how" />
              )}
            </FormField>
          </div>
          <FormField control={form.control} name="depositAccount" label="Out of">
            {({ value, onChange }) => <Accounts value={value} onChange={onChange} />}
          </FormField>
          <FormField control={form.control} name="reason" label="Reason">
            {(field) => <Input {...field} maxLength={300} autoComplete="off" />}
          </FormField>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="danger-filled" busy={isSubmitting} busyLabel="Refunding...">
            {cents > 0 ? `Refund ${formatMoney(cents)}` : 'Refund'}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  )
}

/** The usual ways, and the one it was paid by should it be another. */
const waysWith = (value: string | null) =>
  [...new Set([...commonWays, ...otherWays, ...(value === null ? [] : [value])])].map((way) => ({ value: way, label: way }))

function Accounts({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const accounts = useQuery(orpc.pos.accounts.queryOptions({ staleTime: 60_000 }))
  if (accounts.error && !accounts.data) return <NotLoaded what="Accounts" error={accounts.error} onRetry={() => void accounts.refetch()} />
  const options = accounts.data?.accounts.map(({ Id, Name }) => ({ value: Id, label: Name })) ?? []
  return <Select value={value} onValueChange={onChange} options={options} placeholder="Choose an account" disabled={accounts.isPending} />
}
