import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/Checkbox.tsx'
import { TimeInput } from '../../../ui/DateInput.tsx'
import { ActionDialog, type Problems } from '../../../ui/ActionDialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { useAction } from '../../../ui/useAction.ts'
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
  const [draft, setDraft] = useState(() => draftOf(hours))
  const action = useAction({ onDone: onClose })
  const change = (weekday: number, part: Partial<DayDraft>) =>
    action.typed(setDraft)(draft.map((day) => (day.weekday === weekday ? { ...day, ...part } : day)))

  const wrongDay = draft.map(dayProblem).find((problem) => problem !== undefined)
  const wrong: Problems = wrongDay ? { days: wrongDay } : {}

  async function save() {
    cache.setQueryData(orpc.practice.hours.queryKey(), await client.practice.setHours({ days: hoursOf(draft) }))
  }

  return (
    <ActionDialog
      title="Practice hours"
      action={action}
      problems={action.problems(wrong)}
      label="Save hours"
      busyLabel="Saving..."
      onSubmit={() => void action.send({ wrong, call: save, done: () => 'Practice hours saved' })}
      onClose={onClose}
    >
      {draft.map((day) => {
        const name = weekdays[day.weekday - 1]!
        const problem = action.tries > 0 ? dayProblem(day) : undefined
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
