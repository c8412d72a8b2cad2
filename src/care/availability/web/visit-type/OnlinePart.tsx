import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { patientKinds } from '../../rules.ts'
import { patientLabels } from '../availability-labels.ts'
import type { VisitTypeData } from '../embed/useAvailability.ts'
import { BookingLink } from './BookingLink.tsx'
import { NumberInput } from './controls.tsx'
import { FormsField } from './FormsField.tsx'
import type { VisitTypeForm } from './useVisitTypeForm.ts'

/** Whether patients may book the visit themselves, who, when, and what they read and fill in. */
export function OnlinePart({ form, before }: { form: VisitTypeForm; before: VisitTypeData | null }) {
  const { problems, values } = form
  return (
    <>
      <CheckboxLine {...form.tick('isOnline')} hint="For the page where patients book without a call.">
        Patients may book it themselves
      </CheckboxLine>
      {values.isOnline && (
        <>
          <div className="grid grid-cols-2 items-start gap-x-3 gap-y-4">
            <Field label="Who may book" error={problems.patients}>
              <Select {...form.choice('patients')} options={patientKinds.map((value) => ({ value, label: patientLabels[value] }))} />
            </Field>
            <Field label="Minimum notice" error={problems.noticeHours}>
              <NumberInput form={form} name="noticeHours" unit="hours" />
            </Field>
            <Field label="How far ahead" error={problems.horizonDays}>
              <NumberInput form={form} name="horizonDays" unit="days" />
            </Field>
            <Field label="Free changes until" error={problems.changeHours}>
              <NumberInput form={form} name="changeHours" unit="hours before" />
            </Field>
          </div>
          <div className="grid gap-x-3 gap-y-4 md:grid-cols-2">
            <Field label="Description for patients" optional error={problems.description}>
              <Textarea {...form.text('description')} rows={2} maxLength={1000} />
            </Field>
            <Field label="Description in French" optional error={problems.descriptionFr}>
              <Textarea {...form.text('descriptionFr')} rows={2} maxLength={1000} lang="fr" />
            </Field>
          </div>
          <FormsField form={form} />
          {before?.isOnline && <BookingLink visitType={before} />}
        </>
      )}
    </>
  )
}
