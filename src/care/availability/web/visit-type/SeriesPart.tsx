import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { NumberInput } from './controls.tsx'
import type { VisitTypeForm } from './useVisitTypeForm.ts'

/** How many visits are booked together, and how far apart. */
export function SeriesPart({ form }: { form: VisitTypeForm }) {
  const { problems, values } = form
  return (
    <>
      <CheckboxLine {...form.tick('isSeries')} hint="Staff book all visits at once. Patients who book themselves get the first.">
        Series of visits
      </CheckboxLine>
      {values.isSeries && (
        <div className="grid grid-cols-2 items-start gap-x-3 gap-y-4">
          <Field label="Number of visits" error={problems.seriesVisits}>
            <NumberInput form={form} name="seriesVisits" unit="visits" />
          </Field>
          <Field label="Time between visits" error={problems.seriesWeeks}>
            <NumberInput form={form} name="seriesWeeks" unit="weeks" />
          </Field>
        </div>
      )}
    </>
  )
}
