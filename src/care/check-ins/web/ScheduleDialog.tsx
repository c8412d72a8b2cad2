import { client, messageOf } from '../../../ui/client/api.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { checkInMessages } from '../contract.ts'
import { checkInLimits, defaultDays } from '../rules.ts'
import { parseDays, type ScheduleData } from './check-in-labels.ts'

interface ScheduleDialogProps {
  procedure: { id: string; name: string }
  /** Null for a new one. */
  schedule: ScheduleData | null
  /** Published forms. */
  forms: readonly { id: string; title: { en: string } }[]
  onDone: () => void
  onClose: () => void
}

/** Sets when patients are asked how they are after a procedure, and with which form. */
export default function ScheduleDialog({ procedure, schedule, forms, onDone, onClose }: ScheduleDialogProps) {
  const form = useActionForm({
    initial: { templateId: schedule?.templateId ?? null, days: (schedule?.days ?? defaultDays).join(', ') },
    check({ templateId, days }) {
      const parsed = parseDays(days)
      return {
        templateId: templateId ? undefined : checkInMessages.template,
        days:
          parsed === null || parsed.some((day) => day < 1 || day > checkInLimits.day)
            ? checkInMessages.day
            : parsed.length === 0 || parsed.length > checkInLimits.days
              ? checkInMessages.days
              : new Set(parsed).size < parsed.length
                ? checkInMessages.twice
                : undefined,
      }
    },
    send: ({ templateId, days }) =>
      client.checkIns.setSchedule({ id: procedure.id, templateId: templateId!, days: parseDays(days)!, version: schedule?.version ?? 0 }),
    done: 'Check-ins saved',
    onDone,
  })

  async function remove(current: ScheduleData) {
    try {
      await client.checkIns.removeSchedule({ id: procedure.id, version: current.version })
      toast.success('Check-ins turned off')
      onDone()
    } catch (error) {
      toast.error('The check-ins were not turned off', messageOf(error))
    }
  }

  return (
    <ActionDialog
      title={`Check-ins after ${procedure.name}`}
      form={form}
      action={{ label: 'Save check-ins', busyLabel: 'Saving…' }}
      footer={{
        start: schedule && (
          <Button size="lg" variant="danger" className="mr-auto" disabled={form.isBusy} onClick={() => void remove(schedule)}>
            Turn off
          </Button>
        ),
      }}
      onClose={onClose}
    >
      <p className="text-md text-fg-2">
        Patients get an email in their language at 9:00 a.m. on each of these days after a completed surgery. A red flag gives the surgeon a
        task at once. Someone is asked to call if there is no answer within two days.
      </p>
      <Field label="Form" error={form.problems.templateId}>
        <Select
          {...form.bind('templateId')}
          placeholder="Choose"
          options={forms.map(({ id, title }) => ({ value: id, label: title.en }))}
        />
      </Field>
      <Field label="Days after the surgery" hint="For example 1, 3, 7, 30" error={form.problems.days}>
        <Input {...form.text('days')} maxLength={60} autoComplete="off" inputMode="numeric" />
      </Field>
    </ActionDialog>
  )
}
