import { toLocal } from '../../../shared/zoned-time.ts'
import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { DateInput } from '../../../ui/controls/DateInput.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { today } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { eventMessages } from '../contract.ts'
import { eventLimits } from '../rules.ts'
import type { EventData } from './event-data.ts'

/** Marks the report of an event as filed with the College. */
export default function FileDialog({ event, onDone, onClose }: { event: EventData; onDone: () => void; onClose: () => void }) {
  const clock = useClock()
  const form = useActionForm({
    initial: { filedOn: today(clock), reference: '' },
    check: ({ filedOn }) => ({ filedOn: filedOn ? undefined : eventMessages.filedOn }),
    send: ({ filedOn, reference }) =>
      client.adverseEvents.file({ id: event.id, version: event.version, filedOn, reference: reference.trim() || null }),
    done: 'Report marked as filed',
    onDone,
  })
  return (
    <ActionDialog title="Mark the report as filed?" form={form} action={{ label: 'Mark as filed', busyLabel: 'Saving…' }} onClose={onClose}>
      <p className="text-md text-fg-2">Its facts can no longer be changed then. What becomes known later is added to the narrative.</p>
      <Field label="Filed on" error={form.problems.filedOn}>
        <DateInput {...form.bind('filedOn')} min={toLocal(event.learnedAt, clock.timeZone).day} max={today(clock)} />
      </Field>
      <Field label="Confirmation number" optional error={form.problems.reference}>
        <Input {...form.text('reference')} maxLength={eventLimits.reference} autoComplete="off" />
      </Field>
    </ActionDialog>
  )
}
