import { useState } from 'react'
import { useClock } from '../../../../../ui/client/session.ts'
import { Button } from '../../../../../ui/Button.tsx'
import { DateInput } from '../../../../../ui/DateInput.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../../ui/Dialog.tsx'
import { Field } from '../../../../../ui/Field.tsx'
import { today } from '../../../../../ui/format.ts'
import { toInstant } from '../../../../../shared/zoned-time.ts'
import { defaultTime } from '../../embed/follow-up-choices.ts'
import type { WantedChange } from './useBulkChange.ts'

interface FollowUpDayDialogProps {
  /** '20 patients' */
  who: string
  onChoose: (wanted: WantedChange) => void
  onClose: () => void
}

/** Any day from today on, in the practice's calendar. */
export default function FollowUpDayDialog({ who, onChoose, onClose }: FollowUpDayDialogProps) {
  const clock = useClock()
  const first = today(clock)
  const [day, setDay] = useState('')
  const [problem, setProblem] = useState<string>()

  function choose() {
    const wrong = day === '' ? 'Enter a date' : day < first ? 'Choose today or a later day' : undefined
    setProblem(wrong)
    if (wrong) return
    const date = toInstant({ day, time: defaultTime }, clock.timeZone)
    onClose()
    onChoose({ kind: 'followUp', date })
  }

  return (
    <Dialog open onOpenChange={onClose} title="When to follow up" description={`The same day for ${who}.`}>
      <form
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          choose()
        }}
      >
        <DialogBody>
          <Field label="Date" error={problem}>
            <DateInput
              value={day}
              min={first}
              onValueChange={(next) => {
                setDay(next)
                setProblem(undefined)
              }}
            />
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled">
            Set follow-up
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
