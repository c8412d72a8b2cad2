import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { client, messageOf, orpc } from '../../../web/api.ts'
import { Alert } from '../../../web/ui/Alert.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { CheckboxLine } from '../../../web/ui/Checkbox.tsx'
import { TimeInput } from '../../../web/ui/DateInput.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../web/ui/Dialog.tsx'
import { Field } from '../../../web/ui/Field.tsx'
import { toast } from '../../../web/ui/toast.ts'
import type { DayHours } from '../rules.ts'
import { type DayDraft, dayProblem, draftOf, hoursOf } from './hours-draft.ts'
import { weekdays } from './words.ts'

interface HoursDialogProps {
  hours: readonly DayHours[]
  onClose: () => void
}

/** When the practice is open, day by day. */
export default function HoursDialog({ hours, onClose }: HoursDialogProps) {
  const cache = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(() => draftOf(hours))
  const [isTried, setTried] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const change = (weekday: number, part: Partial<DayDraft>) =>
    setDraft(draft.map((day) => (day.weekday === weekday ? { ...day, ...part } : day)))

  async function submit() {
    setTried(true)
    if (isBusy) return
    if (draft.some((day) => dayProblem(day) !== undefined)) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return
    }
    setBusy(true)
    setRefused(null)
    try {
      cache.setQueryData(orpc.practice.hours.queryKey(), await client.practice.setHours({ days: hoursOf(draft) }))
      toast.success('Practice hours saved')
      onClose()
    } catch (error) {
      setRefused(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title="Practice hours" dismissible={!isBusy}>
      <form
        ref={form}
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void submit()
        }}
      >
        <DialogBody className="flex flex-col gap-3">
          {refused && (
            <Alert tone="danger" title="The hours were not saved.">
              {refused}
            </Alert>
          )}
          {draft.map((day) => {
            const name = weekdays[day.weekday - 1]!
            const problem = isTried ? dayProblem(day) : undefined
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
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={isBusy} busyLabel="Saving...">
            Save hours
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
