import { useDirectory } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { assignableRoles } from '../../../../crm/contacts/rules.ts'
import { useRooms } from '../../../../platform/practice/web/embed/usePractice.ts'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { appointmentTypes } from '../../../appointments/rules.ts'
import { typeLabels } from '../../../appointments/web/embed/labels.ts'
import { IdsInput, NumberInput } from './controls.tsx'
import type { VisitTypeForm } from './useVisitTypeForm.ts'

/** What almost every visit type sets: its name, how long it takes, who does it and where. */
export function VisitPart({ form, isNew }: { form: VisitTypeForm; isNew: boolean }) {
  const { people } = useDirectory()
  const rooms = useRooms().data ?? []
  const { problems } = form
  const providers = people.filter(({ role }) => assignableRoles.assignedProviderId.some((assignable) => assignable === role))
  return (
    <>
      <div className="grid gap-x-3 gap-y-4 md:grid-cols-2">
        <Field label="Name" error={problems.name}>
          <Input {...form.text('name')} maxLength={100} autoComplete="off" />
        </Field>
        <Field label="Name in French" optional error={problems.nameFr}>
          <Input {...form.text('nameFr')} maxLength={100} autoComplete="off" lang="fr" />
        </Field>
      </div>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Field label="Type" error={problems.type}>
          <Select {...form.choice('type')} options={appointmentTypes.map((value) => ({ value, label: typeLabels[value] }))} />
        </Field>
        <Field label="Duration" error={problems.minutes}>
          <NumberInput form={form} name="minutes" unit="min" />
        </Field>
      </div>
      <Field label="Providers" error={problems.providerIds} hint="One of them sees the patient.">
        <IdsInput
          form={form}
          name="providerIds"
          listLabel="Chosen providers"
          placeholder="Add a provider"
          options={providers.map(({ id, fullName }) => ({ value: id, label: fullName }))}
          labelOf={(id) => people.find((one) => one.id === id)?.fullName ?? 'Former staff'}
        />
      </Field>
      <Field label="Rooms" optional error={problems.roomIds} hint="Any that is free. Without one, no room is reserved.">
        <IdsInput
          form={form}
          name="roomIds"
          listLabel="Chosen rooms"
          placeholder="Add a room"
          options={rooms.filter(({ isActive }) => isActive).map(({ id, name }) => ({ value: id, label: name }))}
          labelOf={(id) => rooms.find((one) => one.id === id)?.name ?? 'Former room'}
        />
      </Field>
      {!isNew && (
        <CheckboxLine {...form.tick('isActive')} hint="Inactive visit types keep their appointments.">
          Active
        </CheckboxLine>
      )}
    </>
  )
}
