import { useClock } from '../../../../ui/client/session.ts'
import { DateInput } from '../../../../ui/DateInput.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { today } from '../../../../ui/format.ts'

interface DayFieldProps {
  /** '' where nothing is typed yet. */
  value: string
  onValueChange: (day: string) => void
  error: string | undefined
  takesFocus: boolean
}

/** The day of what is booked. One that has passed may be meant, to write down what took place, or be the slip of a year. */
export function DayField({ value, onValueChange, error, takesFocus }: DayFieldProps) {
  const clock = useClock()
  const isOver = value !== '' && value < today(clock)
  return (
    <Field label="Date" error={error} hint={isOver ? <span className="text-warning-fg">This date has passed.</span> : undefined}>
      <DateInput value={value} onValueChange={onValueChange} data-autofocus={takesFocus || undefined} />
    </Field>
  )
}
