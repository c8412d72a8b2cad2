import { CircleAlert, GripVertical } from 'lucide-react'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { MoneyInput } from '../../../../ui/controls/MoneyInput.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { quoteLimits } from '../../quote-contract.ts'
import { kindLabels, type LineKind, lineKinds } from '../../rules.ts'
import type { LineOrder } from '../../../../ui/hooks/useLineOrder.ts'

export interface LineValues {
  words: string
  kind: LineKind
  quantity: string
  price: string
}

interface LineCellsProps {
  /** The accessible name: 'line 2'. */
  name: string
  values: LineValues
  /** Whether a field is invalid. */
  isWrong: (field: keyof LineValues) => boolean
  handle: ReturnType<LineOrder['handle']>
  onChange: (change: Partial<LineValues>) => void
  /** Called when the price field loses focus. */
  onPriceBlur?: () => void
}

/** Cells shared by quote and price-list lines: handle, description, type, quantity, price; in a card on narrow screens. */
export function LineCells({ name, values, isWrong, handle, onChange, onPriceBlur }: LineCellsProps) {
  return (
    <>
      <IconButton
        label={`Move ${name}`}
        keys="Alt+↑ ↓"
        icon={<GripVertical />}
        className="cursor-grab max-lg:order-8 lg:w-full"
        {...handle}
      />
      <Input
        aria-label={`Description of ${name}`}
        aria-invalid={isWrong('words')}
        data-words
        value={values.words}
        maxLength={quoteLimits.words}
        autoComplete="off"
        onChange={({ target }) => onChange({ words: target.value })}
        className="max-lg:order-1 max-lg:col-span-3"
      />
      <Select
        aria-label={`Type of ${name}`}
        value={values.kind}
        onValueChange={(kind) => kind && onChange({ kind })}
        options={lineKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
        className="max-lg:order-2 max-lg:col-span-3"
      />
      <Input
        aria-label={`Quantity of ${name}`}
        aria-invalid={isWrong('quantity')}
        value={values.quantity}
        maxLength={4}
        inputMode="numeric"
        autoComplete="off"
        onChange={({ target }) => onChange({ quantity: target.value })}
        className="text-right tabular-nums max-lg:order-3"
      />
      <MoneyInput
        aria-label={`Unit price of ${name}`}
        aria-invalid={isWrong('price')}
        value={values.price}
        onValueChange={(price) => onChange({ price })}
        onBlur={onPriceBlur}
        className="max-lg:order-4 max-lg:col-span-2 [&>input]:text-right"
      />
    </>
  )
}

export const LineProblem = ({ children }: { children: string | undefined }) => (
  <p role="alert" className="flex gap-1.5 pt-1 text-sm text-danger-fg">
    <CircleAlert aria-hidden="true" className="mt-0.5" />
    {children}
  </p>
)
