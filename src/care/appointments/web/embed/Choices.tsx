import type { ReactNode, Ref } from 'react'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'

/** What a patient may choose several of. `note`: after the legend. */
export function Choices({ legend, note, children }: { legend: string; note: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="pb-1 text-portal font-semibold">
        {legend} <span className="font-normal text-fg-3">{note}</span>
      </legend>
      <div className="flex flex-wrap gap-2 pt-1">{children}</div>
    </fieldset>
  )
}

interface ChoiceProps {
  checked: boolean
  onChange: (isChecked: boolean) => void
  children: ReactNode
  ref?: Ref<HTMLInputElement> | undefined
}

export const Choice = ({ checked, onChange, children, ref }: ChoiceProps) => (
  <label className="flex min-h-12 items-center gap-3 rounded-lg border border-line-control bg-raised px-3.5 select-none has-checked:border-accent has-checked:bg-accent-soft">
    <Checkbox large checked={checked} onCheckedChange={onChange} {...(ref && { ref })} />
    <span className="first-letter:uppercase">{children}</span>
  </label>
)
