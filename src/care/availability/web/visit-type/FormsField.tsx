import { useQuery } from '@tanstack/react-query'
import { openDays } from '../../../../chart/forms/status-rules.ts'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { IdsInput } from './controls.tsx'
import type { VisitTypeForm } from './useVisitTypeForm.ts'

/** The published forms that a booking by the patient sends. */
export function FormsField({ form }: { form: VisitTypeForm }) {
  const templates = useQuery(orpc.forms.templates.queryOptions({ staleTime: 0 }))
  const sendable = templates.data?.filter(({ isActive, publishedNumber }) => isActive && publishedNumber !== null) ?? []
  return (
    <Field
      label="Forms that patients fill in"
      optional
      error={form.problems.formIds ?? (templates.error ? messageOf(templates.error) : undefined)}
      hint={
        templates.data && sendable.length === 0
          ? 'No form is published yet. Publish one under Settings, Forms.'
          : `Sent with the booking. A form that a patient submitted in the last ${openDays} days is not sent again.`
      }
    >
      <IdsInput
        form={form}
        name="formIds"
        listLabel="Chosen forms"
        placeholder="Add a form"
        options={sendable.map(({ id, title }) => ({ value: id, label: title.en }))}
        labelOf={(id) => templates.data?.find((one) => one.id === id)?.title.en ?? 'Form'}
      />
    </Field>
  )
}
