import { CircleAlert } from 'lucide-react'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { DateInput } from '../../../../ui/controls/DateInput.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { type DaysDraft, planned, sumOfParts } from './days.ts'
import { MoneyInput } from '../../../../ui/controls/MoneyInput.tsx'
import type { Problems } from '../../../../ui/forms/useActionForm.ts'

interface DaysFieldsProps {
  value: DaysDraft
  onValueChange: (value: DaysDraft) => void
  /** The charge's amount, as typed. */
  amount: string
  problems: Problems
}

/** Due dates of a charge: one day, or instalments, which are equal until edited. */
export function DaysFields({ value, onValueChange, amount, problems }: DaysFieldsProps) {
  const replan = (part: Partial<DaysDraft>) => onValueChange(planned({ ...value, ...part }, amount))
  const edit = (at: number, part: Partial<DaysDraft['parts'][number]>) =>
    onValueChange({ ...value, parts: value.parts.map((previous, index) => (index === at ? { ...previous, ...part } : previous)) })
  return (
    <>
      <CheckboxLine checked={value.isPlanned} onCheckedChange={(isPlanned) => replan({ isPlanned })}>
        In instalments
      </CheckboxLine>
      <div className="grid grid-cols-2 items-start gap-3">
        {value.isPlanned && (
          <Field label="Instalments" error={problems.count}>
            <Input
              value={value.count}
              inputMode="numeric"
              autoComplete="off"
              maxLength={2}
              onChange={({ target }) => replan({ count: target.value })}
            />
          </Field>
        )}
        <Field label={value.isPlanned ? 'First day' : 'Due on'} error={problems.dueOn}>
          <DateInput value={value.dueOn} onValueChange={(dueOn) => replan({ dueOn })} />
        </Field>
      </div>
      {value.isPlanned && value.parts.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="pb-1.5 text-sm font-medium">Each instalment</legend>
          {value.parts.map((part, index) => (
            // oxlint-disable-next-line no-array-index-key -- an instalment is identified by its position
            <div key={index} className="grid grid-cols-2 items-start gap-3">
              <Field label={`Due date of instalment ${index + 1}`} hideLabel error={problems[`day${index}`]}>
                <DateInput value={part.dueOn} onValueChange={(dueOn) => edit(index, { dueOn })} />
              </Field>
              <Field label={`Amount of instalment ${index + 1}`} hideLabel error={problems[`part${index}`]}>
                <MoneyInput value={part.amount} onValueChange={(text) => edit(index, { amount: text })} />
              </Field>
            </div>
          ))}
          {problems.plan ? (
            <p role="alert" className="flex gap-1.5 text-sm text-danger-fg">
              <CircleAlert aria-hidden="true" className="mt-0.5" />
              {problems.plan}. They sum to {formatMoney(sumOfParts(value))}.
            </p>
          ) : (
            <p className="text-sm text-fg-3 tabular-nums">Total {formatMoney(sumOfParts(value))}</p>
          )}
        </fieldset>
      )}
      <CheckboxLine
        checked={value.isBeforeSurgery}
        onCheckedChange={(isBeforeSurgery) => onValueChange({ ...value, isBeforeSurgery })}
        hint="Collected before all other open charges."
      >
        Due before surgery
      </CheckboxLine>
    </>
  )
}
