import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client, orpc } from '../../../ui/client/api.ts'
import { renewSession, usePractice } from '../../../ui/client/session.ts'
import { setBrandHue } from '../../../ui/client/theme.ts'
import { Form } from '../../../ui/forms/Form.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { Combobox } from '../../../ui/controls/Combobox.tsx'
import { Field, useFieldControl } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../ui/forms/useUnsavedGuard.tsx'
import { changesOf, draftOf, type PracticeDraft, type SettingsData } from './practice-draft.ts'

const zones = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
/** The hue that the product comes with (design). */
const ownHue = 176

/** Everything but the logo. What someone else saves in the meantime is told of, and stays where this form leaves it alone. */
export function PracticeForm({ settings }: { settings: SettingsData }) {
  const cache = useQueryClient()
  const { brandHue: hueNow } = usePractice()
  const [base, setBase] = useState(settings)
  const form = useActionForm({ initial: () => draftOf(settings), send: save, done: 'The practice was saved' })
  const { values: draft, problems: refused, isDirty, set: change } = form
  const { otherwise } = settings
  const guard = useUnsavedGuard(() => isDirty)
  const isOlder = JSON.stringify(settings.set) !== JSON.stringify(base.set)
  // Nothing is typed: it follows what others save.
  if (isOlder && !isDirty) {
    setBase(settings)
    form.reset(draftOf(settings))
  }

  // The colour shows while it is chosen, and goes back where it is not saved.
  const hue = draft.brandHue ?? otherwise.brandHue
  useEffect(() => {
    setBrandHue(hue)
    return () => setBrandHue(hueNow)
  }, [hue, hueNow])

  const text = (
    name: 'name' | 'subtitle' | 'address' | 'phone' | 'hours' | 'hstNumber' | 'domains' | 'mailFrom' | 'mailReplyTo',
    maxLength: number,
  ) => ({
    ...form.text(name),
    maxLength,
    autoComplete: 'off',
  })

  async function save(typed: PracticeDraft): Promise<void> {
    const after = await client.practice.changeSettings(changesOf(typed, draftOf(base)))
    cache.setQueryData(orpc.practice.settings.queryKey(), after)
    setBase(after)
    form.reset(draftOf(after))
    await renewSession()
  }

  return (
    <Form form={form} className="flex flex-col gap-4">
      {refused.form && (
        <Alert tone="danger" title="The practice was not saved.">
          {refused.form}
        </Alert>
      )}
      {isOlder && isDirty && (
        <Alert tone="info" title="Someone else has changed the practice in the meantime.">
          Saving changes only the fields that you have typed in.
        </Alert>
      )}
      <Field label="Name" error={refused.name}>
        <Input {...text('name', 80)} />
      </Field>
      <Field label="Subtitle" optional error={refused.subtitle}>
        <Input {...text('subtitle', 80)} />
      </Field>
      <Field label="Postal address" optional error={refused.address} hint="On one line. Email that advertises has to name it.">
        <Input {...text('address', 200)} />
      </Field>
      <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
        <Field label="Phone" optional error={refused.phone}>
          <Input {...text('phone', 40)} />
        </Field>
        <Field label="Hours (as shown to patients)" optional error={refused.hours}>
          <Input {...text('hours', 120)} />
        </Field>
      </div>
      <Field
        label="HST registration number"
        optional
        error={refused.hstNumber}
        hint="Like 123456789 RT0001. Appears on receipts, statements and quotes."
      >
        <Input {...text('hstNumber', 40)} />
      </Field>
      <Field label="Time zone" error={refused.timeZone} hint="What is booked stays at its moment. Tasks stay due at their time of day.">
        <Combobox
          value={draft.timeZone}
          onValueChange={(timeZone) => change({ timeZone })}
          options={zones}
          searchPlaceholder="City"
          empty="No time zone matches."
        />
      </Field>
      <CheckboxLine
        checked={draft.brandHue !== null}
        onCheckedChange={(isOwn) => change({ brandHue: isOwn ? (otherwise.brandHue ?? ownHue) : null })}
      >
        Custom brand colour
      </CheckboxLine>
      {draft.brandHue !== null && (
        <Field label="Hue" error={refused.brandHue} hint={`${draft.brandHue}°. Text stays readable at every hue.`}>
          <HueInput value={draft.brandHue} onValueChange={(brandHue) => change({ brandHue })} />
        </Field>
      )}
      <Field
        label="Company domains"
        optional
        error={refused.companyDomains ?? Object.entries(refused).find(([path]) => path.startsWith('companyDomains.'))?.[1]}
        hint="People who sign up with an address at one of these domains join as front desk, and only they can be assigned tasks. Separate several with commas."
      >
        <Input {...text('domains', 1_000)} />
      </Field>
      <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
        <Field
          label="Email is sent from"
          error={refused.mailFrom}
          hint="An address that is confirmed at Postmark: test it under Integrations."
        >
          <Input type="email" {...text('mailFrom', 254)} />
        </Field>
        <Field label="Reply-to" error={refused.mailReplyTo} hint="What patients answer goes here, and from here to the inbox.">
          <Input type="email" {...text('mailReplyTo', 254)} />
        </Field>
      </div>
      <Button type="submit" variant="filled" className="self-start" disabled={!isDirty} busy={form.isBusy} busyLabel="Saving...">
        Save practice
      </Button>
      {guard.dialog}
    </Form>
  )
}

function HueInput({ value, onValueChange }: { value: number; onValueChange: (hue: number) => void }) {
  const wiring = useFieldControl({})
  return (
    <input
      {...wiring}
      type="range"
      min={0}
      max={360}
      value={value}
      onChange={({ target }) => onValueChange(Number(target.value))}
      className="h-11 w-full accent-accent md:h-9"
    />
  )
}
