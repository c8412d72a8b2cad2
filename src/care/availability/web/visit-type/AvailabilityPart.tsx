import { useDirectory } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useEquipment } from '../embed/useAvailability.ts'
import { IdsInput, NumberInput } from './controls.tsx'
import type { VisitTypeForm } from './useVisitTypeForm.ts'

/** What else has to be free for the visit, and how many there may be. */
export function AvailabilityPart({ form }: { form: VisitTypeForm }) {
  const { people } = useDirectory()
  const equipment = useEquipment().data ?? []
  const { problems, values } = form
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-x-3 gap-y-4">
        <Field label="Buffer before" error={problems.bufferBefore}>
          <NumberInput form={form} name="bufferBefore" unit="min" />
        </Field>
        <Field label="Buffer after" error={problems.bufferAfter}>
          <NumberInput form={form} name="bufferAfter" unit="min" />
        </Field>
      </div>
      <Field label="Daily maximum of one provider" optional error={problems.maxPerDay} className="md:w-1/2 md:pr-1.5">
        <NumberInput form={form} name="maxPerDay" unit="visits" />
      </Field>
      <Field label="Second person" optional error={problems.secondIds} hint="One of them takes part too, such as a nurse.">
        <IdsInput
          form={form}
          name="secondIds"
          listLabel="Chosen second persons"
          placeholder="Add a person"
          options={people.map(({ id, fullName }) => ({ value: id, label: fullName }))}
          labelOf={(id) => people.find((one) => one.id === id)?.fullName ?? 'Former staff'}
        />
      </Field>
      {(equipment.length > 0 || values.equipmentIds.length > 0) && (
        <Field label="Equipment" optional error={problems.equipmentIds} hint="A piece of each has to be free.">
          <IdsInput
            form={form}
            name="equipmentIds"
            listLabel="Chosen equipment"
            placeholder="Add equipment"
            options={equipment.filter(({ isActive }) => isActive).map(({ id, name }) => ({ value: id, label: name }))}
            labelOf={(id) => equipment.find((one) => one.id === id)?.name ?? 'Former equipment'}
          />
        </Field>
      )}
    </>
  )
}
