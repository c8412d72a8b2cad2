import { useState } from 'react'
import { client, type Client, messageOf } from '../../../ui/client/api.ts'
import { fieldErrorsOf } from '../../../ui/client/form-errors.ts'
import { CheckboxLine } from '../../../ui/Checkbox.tsx'
import { ActionDialog } from '../../../ui/ActionDialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { type HookEvent, hookEvents } from '../rules.ts'
import { eventLabels } from './labels.ts'

export type WebhookData = Awaited<ReturnType<Client['webhooks']['list']>>[number]
export type Made = Awaited<ReturnType<Client['webhooks']['create']>>

interface WebhookDialogProps {
  /** Null: a new one. */
  webhook: WebhookData | null
  onClose: () => void
  /** `made`: of a new one, with its secret. */
  onSaved: (made: Made | null) => void
}

/** Where to, and what is told. */
export default function WebhookDialog({ webhook, onClose, onSaved }: WebhookDialogProps) {
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState<readonly HookEvent[]>(hookEvents.filter((event) => webhook?.events.includes(event)))
  const [isOn, setOn] = useState(webhook?.disabledAt == null)
  const [tries, setTries] = useState(0)
  const [isBusy, setBusy] = useState(false)
  /** What the server said of the address, until it is typed again; or of the whole. */
  const [refused, setRefused] = useState<{ url?: string; form?: string }>({})
  const problems = {
    url: refused.url ?? (tries > 0 && url.trim() === '' ? 'Type an address' : undefined),
    events: tries > 0 && events.length === 0 ? 'Choose what is told' : undefined,
  }

  async function save() {
    setTries(tries + 1)
    if (url.trim() === '' || events.length === 0 || isBusy) return
    setBusy(true)
    setRefused({})
    try {
      const fields = { url, events: [...events] }
      if (webhook) await client.webhooks.change({ ...fields, id: webhook.id, isOn })
      onSaved(webhook ? null : await client.webhooks.create(fields))
    } catch (error) {
      setBusy(false)
      const { url: wrong } = fieldErrorsOf(error)
      setRefused(wrong ? { url: wrong } : { form: messageOf(error) })
      setTries((count) => count + 1)
    }
  }

  return (
    <ActionDialog
      title={webhook ? 'Edit webhook' : 'Add webhook'}
      description="It is told what happened and to which, never more: no names, no values."
      action={{ isBusy, tries }}
      problems={refused.form ? { form: refused.form } : {}}
      label={webhook ? 'Save webhook' : 'Add webhook'}
      busyLabel="Saving..."
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Field label="Address" hint="On the public internet, beginning with https://" error={problems.url}>
        <Input
          type="url"
          value={url}
          maxLength={2_000}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            setUrl(target.value)
            setRefused({})
          }}
        />
      </Field>
      <fieldset className="flex flex-col gap-2.5">
        <legend className="pb-1.5 text-sm font-medium text-fg">Events</legend>
        {hookEvents.map((event) => (
          <CheckboxLine
            key={event}
            checked={events.includes(event)}
            onCheckedChange={(on) => setEvents(on ? [...events, event] : events.filter((one) => one !== event))}
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
        <CheckboxLine checked={isOn} onCheckedChange={setOn} hint="While it is off, nothing is noted for it, and what waits stays.">
          On
        </CheckboxLine>
      )}
    </ActionDialog>
  )
}
