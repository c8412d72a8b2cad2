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
  /** Of the charge, as typed. */
  amount: string
  problems: Problems
}

/** When a charge is due: on a day, or in instalments, which are equal until they are edited. */
export function DaysFields({ value, onValueChange, amount, problems }: DaysFieldsProps) {
  const replan = (part: Partial<DaysDraft>) => onValueChange(planned({ ...value, ...part }, amount))
  const edit = (at: number, part: Partial<DaysDraft['parts'][number]>) =>
    onValueChange({ ...value, parts: value.parts.map((was, index) => (index === at ? { ...was, ...part } : was)) })
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
            // oxlint-disable-next-line no-array-index-key -- an instalment is what it is by its place
            <div key={index} className="grid grid-cols-2 items-start gap-3">
              <Field label={`Day of instalment ${index + 1}`} hideLabel error={problems[`day${index}`]}>
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
              {problems.plan}: they are {formatMoney(sumOfParts(value))}
            </p>
          ) : (
            <p className="text-sm text-fg-3 tabular-nums">Together {formatMoney(sumOfParts(value))}</p>
          )}
        </fieldset>
      )}
      <CheckboxLine
        checked={value.isBeforeSurgery}
        onCheckedChange={(isBeforeSurgery) => onValueChange({ ...value, isBeforeSurgery })}
        hint="It comes before everything else that is open."
      >
        Due before surgery
      </CheckboxLine>
    </>
  )
}
