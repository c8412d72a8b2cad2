import { client, type Client } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { hookEvents } from '../rules.ts'
import { eventLabels } from './labels.ts'

export type WebhookData = Awaited<ReturnType<Client['webhooks']['list']>>[number]
export type Made = Awaited<ReturnType<Client['webhooks']['create']>>

interface WebhookDialogProps {
  /** Null for a new one. */
  webhook: WebhookData | null
  onClose: () => void
  /** `made`: the new webhook with its secret. */
  onSaved: (made: Made | null) => void
}

/** Address and events of a webhook. */
export default function WebhookDialog({ webhook, onClose, onSaved }: WebhookDialogProps) {
  const form = useActionForm({
    initial: {
      url: webhook?.url ?? '',
      events: hookEvents.filter((event) => webhook?.events.includes(event)),
      isOn: webhook?.disabledAt == null,
    },
    check: ({ url, events }) => ({
      url: url.trim() === '' ? 'Enter an address' : undefined,
      events: events.length === 0 ? 'Choose at least one event' : undefined,
    }),
    async send({ isOn, ...fields }) {
      if (!webhook) return client.webhooks.create(fields)
      await client.webhooks.change({ ...fields, id: webhook.id, isOn })
      return null
    },
    onDone: onSaved,
  })
  const { problems } = form
  const { events } = form.values

  return (
    <ActionDialog
      title={webhook ? 'Edit webhook' : 'Add webhook'}
      description="Payloads contain the event and IDs only: no names, no values."
      form={form}
      action={{ label: webhook ? 'Save webhook' : 'Add webhook' }}
      onClose={onClose}
    >
      <Field label="Address" hint="A public address that starts with https://" error={problems.url}>
        <Input type="url" {...form.text('url')} maxLength={2_000} autoComplete="off" spellCheck={false} />
      </Field>
      <fieldset className="flex flex-col gap-2.5">
        <legend className="pb-1.5 text-sm font-medium text-fg">Events</legend>
        {hookEvents.map((event) => (
          <CheckboxLine
            key={event}
            checked={events.includes(event)}
            onCheckedChange={(on) => form.set({ events: on ? [...events, event] : events.filter((one) => one !== event) })}
          >
            {eventLabels[event]} <span className="text-fg-3">{event}</span>
          </CheckboxLine>
        ))}
        {problems.events && (
          <p role="alert" className="text-sm text-danger-fg">
            {problems.events}
          </p>
        )}
      </fieldset>
      {webhook && (
        <CheckboxLine {...form.tick('isOn')} hint="While it is off, new events are not queued; pending deliveries are kept.">
          On
        </CheckboxLine>
      )}
    </ActionDialog>
  )
}
