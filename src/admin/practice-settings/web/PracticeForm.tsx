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
/** The product's default hue. */
const defaultHue = 176

/** Everything but the logo. If someone else saves in the meantime, the form says so and sends only the fields edited here. */
export function PracticeForm({ settings }: { settings: SettingsData }) {
  const { form, isOlder } = usePracticeForm(settings)
  const { values: draft, problems, isDirty, set: change } = form
  const { otherwise } = settings
  const guard = useUnsavedGuard(() => isDirty)
  useHuePreview(draft.brandHue ?? otherwise.brandHue)

  return (
    <Form form={form} className="flex flex-col gap-4">
      {problems.form && (
        <Alert tone="danger" title="The practice was not saved.">
          {problems.form}
        </Alert>
      )}
      {isOlder && isDirty && (
        <Alert tone="info" title="Someone else changed these settings while you were editing.">
          Saving changes only the fields you edited.
        </Alert>
      )}
      <IdentityFields form={form} />
      <Field
        label="Time zone"
        error={problems.timeZone}
        hint="Booked appointments stay at the same moment. Tasks stay due at the same time of day."
      >
        <Combobox
          value={draft.timeZone}
          onValueChange={(timeZone) => change({ timeZone })}
          options={zones}
          search={{ placeholder: 'Search cities', empty: 'No time zone matches.' }}
        />
      </Field>
      <CheckboxLine
        checked={draft.brandHue !== null}
        onCheckedChange={(isCustom) => change({ brandHue: isCustom ? (otherwise.brandHue ?? defaultHue) : null })}
      >
        Custom brand colour
      </CheckboxLine>
      {draft.brandHue !== null && (
        <Field label="Hue" error={problems.brandHue} hint={`${draft.brandHue}°. Text stays readable at every hue.`}>
          <HueInput value={draft.brandHue} onValueChange={(brandHue) => change({ brandHue })} />
        </Field>
      )}
      <EmailFields form={form} />
      <CheckboxLine
        {...form.tick('photoWatermark')}
        hint="Drawn over each photo that staff open at screen size, so that a saved or photographed screen says where it came from. Thumbnails, printed photos, links and the gallery have none."
      >
        Show the viewer’s name and the time on photos
      </CheckboxLine>
      <TextFields form={form} />
      <Button type="submit" variant="filled" className="self-start" disabled={!isDirty} busy={form.isBusy} busyLabel="Saving…">
        Save practice
      </Button>
      {guard.dialog}
    </Form>
  )
}

type PracticeFormState = ReturnType<typeof usePracticeForm>['form']

/** The form's values follow what others save as long as nothing has been edited; after that, `isOlder` says that someone else saved. */
function usePracticeForm(settings: SettingsData) {
  const cache = useQueryClient()
  const [base, setBase] = useState(settings)
  const form = useActionForm({ initial: () => draftOf(settings), send: save, done: 'The practice was saved' })
  const isOlder = JSON.stringify(settings.set) !== JSON.stringify(base.set)
  if (isOlder && !form.isDirty) {
    setBase(settings)
    form.reset(draftOf(settings))
  }

  async function save(typed: PracticeDraft): Promise<void> {
    const after = await client.practice.changeSettings(changesOf(typed, draftOf(base)))
    cache.setQueryData(orpc.practice.settings.queryKey(), after)
    setBase(after)
    form.reset(draftOf(after))
    await renewSession()
  }

  return { form, isOlder }
}

/** Previews the colour, and reverts it if it is not saved. */
function useHuePreview(hue: SettingsData['otherwise']['brandHue']): void {
  const { brandHue: hueNow } = usePractice()
  useEffect(() => {
    setBrandHue(hue)
    return () => setBrandHue(hueNow)
  }, [hue, hueNow])
}

type TextName =
  | 'name'
  | 'subtitle'
  | 'subtitleFr'
  | 'address'
  | 'phone'
  | 'hours'
  | 'hoursFr'
  | 'hstNumber'
  | 'domains'
  | 'mailFrom'
  | 'mailReplyTo'
  | 'textQuietFrom'
  | 'textQuietTo'
  | 'textsPerPatient'
  | 'textsPerDay'
  | 'textSegmentPrice'

function textProps(form: PracticeFormState, name: TextName, maxLength: number) {
  return { ...form.text(name), maxLength, autoComplete: 'off' }
}

/** The name and contact details that appear on documents. */
function IdentityFields({ form }: { form: PracticeFormState }) {
  return (
    <>
      <Field label="Name" error={form.problems.name}>
        <Input {...textProps(form, 'name', 80)} />
      </Field>
      <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
        <Field label="Subtitle" optional error={form.problems.subtitle}>
          <Input {...textProps(form, 'subtitle', 80)} />
        </Field>
        <Field label="Subtitle in French" optional error={form.problems.subtitleFr}>
          <Input {...textProps(form, 'subtitleFr', 80)} lang="fr" />
        </Field>
      </div>
      <Field label="Postal address" optional error={form.problems.address} hint="On one line. Required in marketing emails.">
        <Input {...textProps(form, 'address', 200)} />
      </Field>
      <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
        <Field label="Phone" optional error={form.problems.phone} className="sm:col-span-2">
          <Input {...textProps(form, 'phone', 40)} />
        </Field>
        <Field label="Hours (as shown to patients)" optional error={form.problems.hours}>
          <Input {...textProps(form, 'hours', 120)} />
        </Field>
        <Field label="Hours in French" optional error={form.problems.hoursFr}>
          <Input {...textProps(form, 'hoursFr', 120)} lang="fr" />
        </Field>
      </div>
      <Field
        label="HST registration number"
        optional
        error={form.problems.hstNumber}
        hint="Like 123456789 RT0001. Appears on receipts, statements and quotes."
      >
        <Input {...textProps(form, 'hstNumber', 40)} />
      </Field>
    </>
  )
}

/** The addresses that staff sign up with and that email is sent from. */
function EmailFields({ form }: { form: PracticeFormState }) {
  return (
    <>
      <Field
        label="Company domains"
        optional
        error={form.problems.companyDomains ?? Object.entries(form.problems).find(([path]) => path.startsWith('companyDomains.'))?.[1]}
        hint="People who sign up with an address at one of these domains join as front desk, and only they can be assigned tasks. Separate several with commas."
      >
        <Input {...textProps(form, 'domains', 1_000)} />
      </Field>
      <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
        <Field
          label="Send email from"
          error={form.problems.mailFrom}
          hint="An address confirmed in Postmark. You can test it under Integrations."
        >
          <Input type="email" {...textProps(form, 'mailFrom', 254)} />
        </Field>
        <Field
          label="Reply-to"
          error={form.problems.mailReplyTo}
          hint="Patients’ replies go to this address and are forwarded to the inbox."
        >
          <Input type="email" {...textProps(form, 'mailReplyTo', 254)} />
        </Field>
      </div>
    </>
  )
}

/** When and how many text messages are sent automatically, and what one costs. */
function TextFields({ form }: { form: PracticeFormState }) {
  const { problems } = form
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="pb-1 text-sm font-semibold text-fg">Automatic text messages</legend>
      <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
        <Field
          label="No texts from"
          error={problems.textQuietFrom}
          hint="On the patient’s own clock. Texts that staff write are never held back."
        >
          <Input type="time" {...textProps(form, 'textQuietFrom', 5)} />
        </Field>
        <Field label="Until" error={problems.textQuietTo} hint="The same time twice: no quiet hours.">
          <Input type="time" {...textProps(form, 'textQuietTo', 5)} />
        </Field>
        <Field label="Texts to one patient a day" error={problems.textsPerPatient}>
          <Input inputMode="numeric" {...textProps(form, 'textsPerPatient', 3)} />
        </Field>
        <Field label="Texts to all patients a day" error={problems.textsPerDay}>
          <Input inputMode="numeric" {...textProps(form, 'textsPerDay', 7)} />
        </Field>
        <Field
          label="Price of a segment, in cents"
          error={problems.textSegmentPrice}
          hint="Like 0.79. Shown while a text is typed; 0 shows no price."
        >
          <Input inputMode="decimal" {...textProps(form, 'textSegmentPrice', 6)} />
        </Field>
      </div>
    </fieldset>
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
