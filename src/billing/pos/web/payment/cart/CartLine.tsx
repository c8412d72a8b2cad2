import { CircleAlert, Minus, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { centsToText } from '../../../../../shared/money.ts'
import { cn } from '../../../../../ui/cn.ts'
import { formatMoney } from '../../../../../ui/format.ts'
import { IconButton } from '../../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { Select } from '../../../../../ui/controls/Select.tsx'
import { usePhone } from '../../../../../ui/hooks/useMedia.ts'
import type { PosTaxCode } from '../../../contract.ts'
import type { CartAction, CartItem } from './cart.ts'
import { priceOfText } from './typed-amounts.ts'

/** Columns shared by the lines and the header: item, quantity, unit price, tax, amount, remove. */
export const lineGrid = 'md:grid md:grid-cols-[minmax(0,1fr)_5rem_6.25rem_6.25rem_5.5rem_2rem] md:gap-x-3'

interface CartLineProps {
  line: CartItem
  codes: readonly PosTaxCode[]
  /** In cents. */
  amount: number
  isExempt: boolean
  priceError?: string
  reasonError?: string
  onChange: (action: CartAction) => void
}

export function CartLine({ line, codes, amount, isExempt, priceError, reasonError, onChange }: CartLineProps) {
  const { itemId, name, description } = line
  const phone = usePhone()
  const [isAsking, setAsking] = useState(false)
  const asksReason = isExempt && (isAsking || line.exemptReason.trim() === '' || reasonError !== undefined)
  const change = (change: Partial<CartItem>) => onChange({ do: 'change', itemId, change })
  return (
    <li
      data-line={itemId}
      className={cn(
        lineGrid,
        'items-center border-b border-line py-4 max-md:grid max-md:grid-cols-[6.25rem_minmax(0,1fr)_5.75rem] max-md:gap-x-2.5 max-md:gap-y-2.5 md:min-h-14.5 md:py-2 md:last:border-b-0',
      )}
    >
      <div className="min-w-0 max-md:col-span-2">
        <p className="text-sm font-medium text-fg max-md:text-lg">{name}</p>
        {isExempt && !asksReason ? (
          <button
            type="button"
            title="Change the reason"
            onClick={() => setAsking(true)}
            className="relative block max-w-full truncate rounded-xs text-left text-xs text-fg-3 touch-target hover:text-fg"
          >
            Exempt: {line.exemptReason}
          </button>
        ) : (
          description && description !== name && <p className="truncate text-xs text-fg-3">{description}</p>
        )}
      </div>
      <Quantity
        name={name}
        quantity={line.quantity}
        phone={phone}
        onCommit={(quantity) => onChange({ do: 'quantity', itemId, quantity })}
      />
      <div className="max-md:row-start-2" data-field={`price ${itemId}`}>
        <UnitPrice name={name} cents={line.unitPrice} invalid={priceError !== undefined} onCommit={(unitPrice) => change({ unitPrice })} />
      </div>
      <Select
        aria-label={`Tax code of ${name}`}
        value={line.taxCodeId}
        onValueChange={(taxCodeId) => taxCodeId && change({ taxCodeId })}
        options={codes.map(({ Id, Name }) => ({ value: Id, label: Name }))}
        className="border-line-2 max-md:row-start-2 md:ml-1.5 md:h-(--control) md:w-[calc(100%-0.375rem)] md:px-2 md:text-sm"
      />
      <p className="text-right text-sm font-medium text-fg tabular-nums max-md:col-start-3 max-md:row-start-1 max-md:text-md">
        {formatMoney(amount)}
      </p>
      {!phone && <IconButton label={`Remove ${name}`} icon={<Trash2 />} data-removes onClick={() => onChange({ do: 'remove', itemId })} />}
      {priceError && <LineError>{priceError}</LineError>}
      {asksReason && (
        <div className="col-span-full md:pt-2" data-field={`reason ${itemId}`}>
          <ReasonInput
            name={name}
            value={line.exemptReason}
            invalid={reasonError !== undefined}
            focus={isAsking}
            onCommit={(exemptReason) => {
              setAsking(false)
              change({ exemptReason })
            }}
          />
          {reasonError && <LineError>{reasonError}</LineError>}
        </div>
      )}
    </li>
  )
}

const LineError = ({ children }: { children: string }) => (
  <p role="alert" className="col-span-full flex gap-1.5 pt-1 text-sm text-danger-fg">
    <CircleAlert aria-hidden="true" className="mt-0.5" />
    {children}
  </p>
)

/** A field that commits on blur or Enter; Esc resets it. */
function useTyped(shown: string, commit: (text: string) => void) {
  const [typed, setTyped] = useState<string | null>(null)
  function finish() {
    if (typed !== null && typed !== shown) commit(typed)
    setTyped(null)
  }
  return {
    value: typed ?? shown,
    onChange: (event: { target: { value: string } }) => setTyped(event.target.value),
    onFocus: (event: { currentTarget: HTMLInputElement }) => event.currentTarget.select(),
    onBlur: finish,
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
        event.preventDefault()
        finish()
      }
    },
  }
}

/** Spec 5: text, committed on blur; anything that is not a number becomes 0. */
function UnitPrice({
  name,
  cents,
  invalid,
  onCommit,
}: {
  name: string
  cents: number
  invalid: boolean
  onCommit: (cents: number) => void
}) {
  const field = useTyped(centsToText(cents), (text) => onCommit(priceOfText(text)))
  return (
    <Input
      {...field}
      aria-label={`Unit price of ${name}`}
      aria-invalid={invalid}
      inputMode="decimal"
      autoComplete="off"
      leading="$"
      className="border-line-2 text-right tabular-nums md:h-(--control) md:text-sm [&>input]:w-0 [&>input]:text-right"
    />
  )
}

/** Decreasing from 1 removes the line; the icon shows this on a phone, which has no other way to remove it. */
function Quantity({
  name,
  quantity,
  phone,
  onCommit,
}: {
  name: string
  quantity: number
  phone: boolean
  onCommit: (quantity: number) => void
}) {
  const field = useTyped(String(quantity), (text) => /^-?\d{1,6}$/.test(text.trim()) && onCommit(Number(text)))
  const removes = phone && quantity === 1
  const button =
    'relative flex h-full w-9 flex-none items-center justify-center text-fg-2 hover:text-fg md:w-6 [&>svg]:size-3.5 touch-target'
  return (
    <div className="field-edge flex h-11 items-center rounded-md border-line-2 max-md:row-start-2 md:h-(--control)">
      <button
        type="button"
        aria-label={removes ? `Remove ${name}` : `One less of ${name}`}
        data-removes={phone || undefined}
        onClick={() => onCommit(quantity - 1)}
        className={cn(button, 'rounded-l-md')}
      >
        {removes ? <Trash2 /> : <Minus />}
      </button>
      <input
        {...field}
        aria-label={`Quantity of ${name}`}
        inputMode="numeric"
        autoComplete="off"
        className="h-full w-0 min-w-0 flex-1 bg-transparent text-center text-lg font-medium tabular-nums outline-none md:text-sm"
      />
      <button
        type="button"
        aria-label={`One more of ${name}`}
        onClick={() => onCommit(quantity + 1)}
        className={cn(button, 'rounded-r-md')}
      >
        <Plus />
      </button>
    </div>
  )
}

function ReasonInput({
  name,
  value,
  invalid,
  focus,
  onCommit,
}: {
  name: string
  value: string
  invalid: boolean
  focus: boolean
  onCommit: (reason: string) => void
}) {
  const field = useTyped(value, onCommit)
  return (
    <Input
      {...field}
      onBlur={() => {
        field.onBlur()
        // Unchanged: show the text under the name again.
        if (field.value === value && value.trim() !== '') onCommit(value)
      }}
      aria-label={`Why ${name} is exempt`}
      aria-invalid={invalid}
      autoFocus={focus}
      autoComplete="off"
      maxLength={200}
      placeholder="Why it is exempt from tax"
      leading="Exempt:"
      className="border-line-2 md:h-(--control) md:text-sm"
    />
  )
}
