import { useState, type SubmitEvent } from 'react'
import { client, messageOf } from '../../../ui/client/api.ts'
import { useSession } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxLine } from '../../../ui/Checkbox.tsx'
import { TimeInput } from '../../../ui/DateInput.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { SegmentedControl } from '../../../ui/SegmentedControl.tsx'
import { Select } from '../../../ui/Select.tsx'
import { toast } from '../../../ui/toast.ts'
import { savedReportMessages } from '../saved-contract.ts'
import { latestMonthDay } from '../schedule-rules.ts'
import type { Saved } from './saved-data.ts'
import { weekdays } from './schedule-labels.ts'
import { useChoices } from './useReport.ts'

interface ScheduleDialogProps {
  saved: Saved
  onClose: () => void
  onSaved: () => void
}

type Every = NonNullable<Saved['schedule']>['every']

/** How often a report is sent, at which hour, and to whom. */
export default function ScheduleDialog({ saved, onClose, onSaved }: ScheduleDialogProps) {
  const { user } = useSession()
  const people = (useChoices().data?.people ?? []).filter(({ mayRead }) => mayRead)
  const { schedule } = saved
  const [every, setEvery] = useState<Every>(schedule?.every ?? 'week')
  const [weekday, setWeekday] = useState(schedule?.weekday ?? 1)
  const [monthDay, setMonthDay] = useState(schedule?.monthDay ?? 1)
  const [time, setTime] = useState(schedule?.time ?? '08:00')
  const [recipients, setRecipients] = useState<readonly string[]>(schedule?.recipientIds ?? (user ? [user.id] : []))
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  // Someone who has left, or may not read reports any more, cannot be kept.
  const chosen = recipients.filter((id) => people.some((person) => person.id === id))

  async function run(action: () => Promise<unknown>, done: string) {
    setBusy(true)
    try {
      await action()
      toast.success(done)
      onSaved()
    } catch (error) {
      toast.error('Nothing was changed', messageOf(error))
      setBusy(false)
    }
  }
  function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    event.stopPropagation()
    setTried(true)
    if (isBusy || chosen.length === 0 || time === '') return
    const on = { weekday: every === 'week' ? weekday : null, monthDay: every === 'month' ? monthDay : null }
    void run(() => client.reports.schedule({ id: saved.id, every, ...on, time, recipientIds: chosen }), `${saved.name} will be sent`)
  }

  return (
    <Dialog open onOpenChange={onClose} title="Send by email" dismissible={!isBusy}>
      <form noValidate className={dialogForm} onSubmit={save}>
        <DialogBody className="flex flex-col gap-4">
          <Field label="How often">
            <SegmentedControl<Every>
              value={every}
              onValueChange={setEvery}
              options={[
                { value: 'day', label: 'Daily' },
                { value: 'week', label: 'Weekly' },
                { value: 'month', label: 'Monthly' },
              ]}
            />
          </Field>
          <div className="grid grid-cols-2 gap-4">
            {every === 'week' && (
              <Field label="Day">
                <Select
                  value={String(weekday)}
                  onValueChange={(value) => setWeekday(Number(value ?? 1))}
                  options={weekdays.map((label, index) => ({ value: String(index + 1), label }))}
                />
              </Field>
            )}
            {every === 'month' && (
              <Field label="Day of the month">
                <Select
                  value={String(monthDay)}
                  onValueChange={(value) => setMonthDay(Number(value ?? 1))}
                  options={Array.from({ length: latestMonthDay }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }))}
                />
              </Field>
            )}
            <Field label="At" error={isTried && time === '' ? 'Choose a time' : undefined}>
              <TimeInput value={time} onValueChange={setTime} />
            </Field>
          </div>
          <fieldset className="flex flex-col gap-2">
            <legend className="pb-1 text-md font-medium text-fg">Who gets it</legend>
            {people.map(({ id, name }) => (
              <CheckboxLine
                key={id}
                checked={chosen.includes(id)}
                onCheckedChange={(checked) => setRecipients(checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
              >
                {name}
              </CheckboxLine>
            ))}
            {isTried && chosen.length === 0 && (
              <p role="alert" className="text-sm text-danger-fg">
                {savedReportMessages.recipients}
              </p>
            )}
          </fieldset>
        </DialogBody>
        <DialogFooter>
          {schedule && (
            <Button
              size="lg"
              variant="danger"
              disabled={isBusy}
              className="mr-auto"
              onClick={() => void run(() => client.reports.unschedule({ id: saved.id }), `${saved.name} is not sent any more`)}
            >
              Stop sending
            </Button>
          )}
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button size="lg" variant="filled" type="submit" busy={isBusy} busyLabel="Saving...">
            Send by email
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
