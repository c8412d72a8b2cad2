import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { cn } from '../../../../ui/cn.ts'
import type { Question } from '../../definition-rules.ts'
import type { Language } from '../../../../shared/translations.ts'
import { formTexts } from '../embed/texts.ts'

const line =
  'relative flex min-h-12 cursor-pointer items-center gap-3 rounded-lg border border-line-control bg-raised px-4 py-2.5 text-portal select-none has-checked:border-accent has-checked:bg-accent-soft group-aria-invalid/question:border-danger'

interface ChoiceListProps {
  name: string
  options: readonly { value: string | boolean; label: string }[]
  value: unknown
  onChange: (value: unknown) => void
  /** Beside each other, for short answers. */
  isRow?: boolean
}

export function ChoiceList({ name, options, value, onChange, isRow = false }: ChoiceListProps) {
  return (
    <div className={cn('flex flex-col gap-2', isRow && 'grid grid-cols-2')}>
      {options.map((option) => (
        <label key={String(option.value)} className={line}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="size-6 flex-none appearance-none rounded-full border border-line-control bg-raised checked:border-7 checked:border-accent"
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">{option.label}</span>
        </label>
      ))}
    </div>
  )
}

interface ChoicesListProps {
  question: Question
  value: unknown
  onChange: (value: unknown) => void
  language: Language
}

/** Choosing an answer that excludes the others clears them, and the other way round. */
export function ChoicesList({ question: { options }, value, onChange, language }: ChoicesListProps) {
  const chosen = Array.isArray(value) ? (value as string[]) : []
  const exclusive = options.filter(({ isExclusive }) => isExclusive).map(({ id }) => id)
  function toggle(id: string, isChosen: boolean) {
    if (!isChosen) return onChange(chosen.filter((one) => one !== id))
    if (exclusive.includes(id)) return onChange([id])
    // In the order of the form.
    const next = [...chosen.filter((one) => !exclusive.includes(one)), id]
    onChange(options.map((option) => option.id).filter((one) => next.includes(one)))
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="text-title text-fg-2">{formTexts[language]('several')}</p>
      {options.map(({ id, label }) => (
        <label key={id} className={line}>
          <Checkbox large checked={chosen.includes(id)} onCheckedChange={(checked) => toggle(id, checked)} />
          <span className="min-w-0 [overflow-wrap:anywhere]">{label[language]}</span>
        </label>
      ))}
    </div>
  )
}
