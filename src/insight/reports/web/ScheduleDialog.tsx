import { useState } from 'react'
import { client, messageOf } from '../../../ui/client/api.ts'
import { useSession } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { TimeInput } from '../../../ui/controls/DateInput.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
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

/** Schedule of a report: frequency, time and recipients. */
export default function ScheduleDialog({ saved, onClose, onSaved }: ScheduleDialogProps) {
  const { user } = useSession()
  const people = (useChoices().data?.people ?? []).filter(({ mayRead }) => mayRead)
  const { schedule } = saved
  // Recipients who left or lost access cannot be kept.
  const chosenOf = (recipients: readonly string[]) => recipients.filter((id) => people.some((person) => person.id === id))
  const form = useActionForm({
    initial: {
      every: schedule?.every ?? 'week',
      weekday: String(schedule?.weekday ?? 1),
      monthDay: String(schedule?.monthDay ?? 1),
      time: schedule?.time ?? '08:00',
      recipients: schedule?.recipientIds ?? (user ? [user.id] : []),
    },
    check: ({ time, recipients }) => ({
      time: time === '' ? 'Choose a time' : undefined,
      recipients: chosenOf(recipients).length === 0 ? savedReportMessages.recipients : undefined,
    }),
    async send({ every, weekday, monthDay, time, recipients }) {
      const on = { weekday: every === 'week' ? Number(weekday) : null, monthDay: every === 'month' ? Number(monthDay) : null }
      await client.reports.schedule({ id: saved.id, every, ...on, time, recipientIds: chosenOf(recipients) })
    },
    done: `${saved.name} will be sent`,
    onDone: onSaved,
    failed: (message) => toast.error('Nothing was changed', message),
  })
  const { problems } = form
  const { every } = form.values
  const chosen = chosenOf(form.values.recipients)
  const [isStopping, setStopping] = useState(false)
  async function stop() {
    setStopping(true)
    try {
      await client.reports.unschedule({ id: saved.id })
      toast.success(`${saved.name} is no longer sent`)
      onSaved()
    } catch (error) {
      toast.error('Nothing was changed', messageOf(error))
      setStopping(false)
    }
  }

  return (
    <ActionDialog
      title="Send by email"
      form={{ ...form, isBusy: form.isBusy || isStopping }}
      action={{ label: 'Send by email' }}
      onClose={onClose}
      footer={{
        start: schedule && (
          <Button size="lg" variant="danger" disabled={form.isBusy || isStopping} className="mr-auto" onClick={() => void stop()}>
            Stop sending
          </Button>
        ),
      }}
    >
      <Field label="How often">
        <SegmentedControl<Every>
          {...form.bind('every')}
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
            <Select {...form.choice('weekday')} options={weekdays.map((label, index) => ({ value: String(index + 1), label }))} />
          </Field>
        )}
        {every === 'month' && (
          <Field label="Day of the month">
            <Select
              {...form.choice('monthDay')}
              options={Array.from({ length: latestMonthDay }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }))}
            />
          </Field>
        )}
        <Field label="At" error={problems.time}>
          <TimeInput {...form.bind('time')} />
        </Field>
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-1 text-md font-medium text-fg">Recipients</legend>
        {people.map(({ id, name }) => (
          <CheckboxLine
            key={id}
            checked={chosen.includes(id)}
            onCheckedChange={(checked) => form.set({ recipients: checked ? [...chosen, id] : chosen.filter((one) => one !== id) })}
          >
            {name}
          </CheckboxLine>
        ))}
        {problems.recipients && (
          <p role="alert" className="text-sm text-danger-fg">
            {problems.recipients}
          </p>
        )}
      </fieldset>
    </ActionDialog>
  )
}
