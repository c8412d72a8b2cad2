import { useState } from 'react'
import { daysLater, toInstant, toLocal } from '../../../../shared/zoned-time.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DateInput, TimeInput } from '../../../../ui/controls/DateInput.tsx'
import { today } from '../../../../ui/format.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../ui/overlays/Dialog.tsx'

interface MomentDialogProps {
  title: string
  /** 'Snooze' or 'Schedule'. */
  action: string
  /** The time so far, an ISO instant. */
  initial?: string | undefined
  onChoose: (at: string) => void
  onClose: () => void
}

/** Chooses a day and a time to come, in the practice's zone. */
export default function MomentDialog({ title, action, initial, onChoose, onClose }: MomentDialogProps) {
  const clock = useClock()
  const first = initial ? toLocal(initial, clock.timeZone) : { day: daysLater(today(clock), 1), time: '09:00' }
  const [day, setDay] = useState(first.day)
  const [time, setTime] = useState(first.time)
  const [isChecked, setChecked] = useState(false)
  const at = day && time ? toInstant({ day, time }, clock.timeZone) : null
  const problems = {
    day: day === '' ? 'Choose a day' : undefined,
    time:
      time === '' ? 'Choose a time' : at !== null && Date.parse(at) <= new Date(clock.now).getTime() ? 'Choose a time to come' : undefined,
  }
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          setChecked(true)
          if (at !== null && !problems.day && !problems.time) onChoose(at)
        }}
      >
        <DialogBody className="grid gap-4 md:grid-cols-2">
          <Field label="Day" error={isChecked ? problems.day : undefined}>
            <DateInput value={day} min={today(clock)} onValueChange={setDay} />
          </Field>
          <Field label="Time" error={isChecked ? problems.time : undefined}>
            <TimeInput value={time} onValueChange={setTime} />
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled">
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
