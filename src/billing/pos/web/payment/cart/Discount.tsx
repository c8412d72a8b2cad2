import { Input } from '../../../../../ui/controls/Input.tsx'
import { discountOfText, discountToText } from './typed-amounts.ts'

/** Spec 5: 0 to 100 percent in steps of 0.01. */
export function Discount({ text, error, onChange }: { text: string; error: string | undefined; onChange: (text: string) => void }) {
  const hundredths = discountOfText(text)
  return (
    <span className="flex flex-wrap items-center gap-2">
      <label htmlFor="payment-discount">Discount</label>
      <Input
        id="payment-discount"
        inputMode="decimal"
        autoComplete="off"
        placeholder="0.00"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => hundredths !== null && text !== '' && onChange(hundredths === 0 ? '' : discountToText(hundredths))}
        aria-invalid={error !== undefined || hundredths === null}
        aria-describedby={hundredths === null ? 'payment-discount-error' : undefined}
        className="w-18 border-line-2 px-2 text-right tabular-nums md:h-7 md:w-18 md:text-md"
      />
      <span>%</span>
      {hundredths === null && (
        <span id="payment-discount-error" role="alert" className="basis-full pb-1 text-sm text-danger-fg">
          {error ?? 'The discount must be between 0 and 100 percent, in steps of 0.01'}
        </span>
      )}
    </span>
  )
}
