import { client } from '../../../ui/client/api.ts'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { eventMessages } from '../contract.ts'
import { eventLimits } from '../rules.ts'
import type { EventData } from './event-data.ts'

/** Marks an event as recorded in error, with a reason. */
export default function VoidDialog({ event, onDone, onClose }: { event: EventData; onDone: () => void; onClose: () => void }) {
  const form = useActionForm({
    initial: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() ? undefined : eventMessages.reason }),
    send: ({ reason }) => client.adverseEvents.void({ id: event.id, version: event.version, reason }),
    done: 'Marked as recorded in error',
    onDone,
  })
  return (
    <ActionDialog
      title="Recorded in error?"
      form={form}
      action={{ label: 'Mark as recorded in error', busyLabel: 'Saving…', isDanger: true }}
      onClose={onClose}
    >
      <p className="text-md text-fg-2">
        The event stays in the register with your reason, counts nowhere and has no deadline. This can’t be undone.
      </p>
      <Field label="Reason" error={form.problems.reason}>
        <Textarea {...form.text('reason')} rows={3} maxLength={eventLimits.reason} />
      </Field>
    </ActionDialog>
  )
}
