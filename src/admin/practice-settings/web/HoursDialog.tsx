import { useQueryClient } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { TimeInput } from '../../../ui/controls/DateInput.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import type { DayHours } from '../../../platform/practice/rules.ts'
import { type DayDraft, dayProblem, draftOf, hoursOf } from './hours-draft.ts'
import { weekdays } from '../../../platform/practice/web/embed/labels.ts'

interface HoursDialogProps {
  hours: readonly DayHours[]
  onClose: () => void
}

/** When the practice is open, day by day. */
export default function HoursDialog({ hours, onClose }: HoursDialogProps) {
  const cache = useQueryClient()
  const form = useActionForm({
    initial: () => ({ days: draftOf(hours) }),
    check: ({ days }) => ({ days: days.map(dayProblem).find((problem) => problem !== undefined) }),
    async send({ days }) {
      cache.setQueryData(orpc.practice.hours.queryKey(), await client.practice.setHours({ days: hoursOf(days) }))
    },
    done: 'Practice hours saved',
    onDone: onClose,
  })
  const { days } = form.values
  const change = (weekday: number, part: Partial<DayDraft>) =>
    form.set({ days: days.map((day) => (day.weekday === weekday ? { ...day, ...part } : day)) })

  return (
    <ActionDialog title="Practice hours" form={form} action={{ label: 'Save hours' }} onClose={onClose}>
      {days.map((day) => {
        const name = weekdays[day.weekday - 1]!
        const problem = form.tries > 0 ? dayProblem(day) : undefined
        return (
          <div key={day.weekday} className="grid min-h-11 grid-cols-[7.5rem_1fr_1fr] items-start gap-x-3 md:min-h-9">
            <CheckboxLine checked={day.isOpen} onCheckedChange={(isOpen) => change(day.weekday, { isOpen })} className="pt-3 md:pt-2">
              {name}
            </CheckboxLine>
            {day.isOpen ? (
              <>
                <Field label={`${name} opens`} hideLabel error={problem}>
                  <TimeInput value={day.opens} onValueChange={(opens) => change(day.weekday, { opens })} />
                </Field>
                <Field label={`${name} closes`} hideLabel>
                  <TimeInput value={day.closes} onValueChange={(closes) => change(day.weekday, { closes })} />
                </Field>
              </>
            ) : (
              <p className="col-span-2 pt-3 text-sm text-fg-3 md:pt-2">Closed</p>
            )}
          </div>
        )
      })}
    </ActionDialog>
  )
}
