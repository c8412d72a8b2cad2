import { LengthField, PatientField, ProviderField, RoomField, TimeFields } from '../../../calendar/web/embed/booking/BookingFields.tsx'
import { type KnownNames, providerName } from '../../../calendar/web/embed/names.ts'
import type { Problems } from '../../../calendar/web/embed/booking/useBookingForm.ts'
import { Avatar } from '../../../../ui/display/Avatar.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { MoneyInput } from '../../../../ui/controls/MoneyInput.tsx'
import { MultiSelect } from '../../../../ui/controls/MultiSelect.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { anaesthesias } from '../../rules.ts'
import type { SurgeryPatient } from '../surgery-data.ts'
import { anaesthesiaLabels, statusLabels } from '../labels.ts'
import { isOffered, minutesOf, type OfferedProcedure, type SurgeryValues, withProcedures } from './surgery-values.ts'

interface SurgeryFieldsProps {
  values: SurgeryValues
  problems: Problems<SurgeryValues>
  onChange: (values: SurgeryValues) => void
  names: KnownNames
  /** The practice's procedures and those of the case, which may be retired. */
  procedures: readonly OfferedProcedure[]
  /** The patient, if they cannot be chosen. */
  patient: SurgeryPatient | null
  /** The current surgeon and room, which stay available even if disabled. */
  current: Pick<SurgeryValues, 'surgeonId' | 'roomId'>
  kind: 'new' | 'edit' | 'move'
}

export function SurgeryFields({ values, problems, onChange, names, procedures, patient, current, kind }: SurgeryFieldsProps) {
  const set = (part: Partial<SurgeryValues>) => onChange({ ...values, ...part })
  // The duration only follows the procedures of a new surgery; on an existing one it was set deliberately.
  const choose = (procedureIds: readonly string[]) => (kind === 'new' ? withProcedures(values, procedureIds, procedures) : { procedureIds })
  const minutes = minutesOf(values)
  const isMove = kind === 'move'
  return (
    <div className="grid grid-cols-2 content-start gap-x-3 gap-y-4">
      {!isMove && (
        <>
          <PatientField
            patient={patient}
            value={values.contactId}
            error={problems.contactId}
            onChange={(contactId, contact) => {
              const assigned = names.providers.find(({ id }) => id === contact?.assignedProviderId)
              const wanted = procedures.find((one) => one.id === contact?.procedureId && isOffered(one))
              set({
                contactId,
                surgeonId: values.surgeonId ?? assigned?.id ?? null,
                ...(values.procedureIds.length === 0 && wanted && choose([wanted.id])),
              })
            }}
          />
          <Field label="Procedures" error={problems.procedureIds} className="col-span-2">
            <MultiSelect
              picked={values.procedureIds.map((id) => ({ value: id, label: procedures.find((one) => one.id === id)?.name ?? 'Procedure' }))}
              options={procedures
                .filter((one) => isOffered(one) && !values.procedureIds.includes(one.id))
                .map(({ id, name }) => ({ value: id, label: name }))}
              onAdd={(id) => set(choose([...values.procedureIds, id]))}
              onRemove={(id) => set(choose(values.procedureIds.filter((other) => other !== id)))}
              listLabel="Chosen procedures"
              placeholder={values.procedureIds.length === 0 ? 'Choose a procedure' : 'Add a procedure'}
              search={{ placeholder: 'Procedure', empty: 'No matching procedures.' }}
            />
          </Field>
        </>
      )}
      <TimeFields values={values} problems={problems} minutes={minutes} onChange={set} takesFocus={isMove} />
      <LengthField value={values.minutes} error={problems.minutes} onChange={(next) => set({ minutes: next })} />
      <RoomField
        value={values.roomId}
        current={current.roomId}
        names={names}
        error={problems.roomId}
        onChange={(roomId) => set({ roomId })}
      />
      <ProviderField
        person="surgeon"
        value={values.surgeonId}
        current={current.surgeonId}
        names={names}
        error={problems.surgeonId}
        onChange={(surgeonId) => set({ surgeonId })}
      />
      {!isMove && (
        <>
          <Field label="Anaesthesia" error={problems.anaesthesia}>
            <Select
              value={values.anaesthesia}
              onValueChange={(anaesthesia) => set({ anaesthesia })}
              options={anaesthesias.map((value) => ({ value, label: anaesthesiaLabels[value] }))}
            />
          </Field>
          <Field label="Assistants" optional error={problems.assistantIds} className="col-span-2">
            <Assistants value={values.assistantIds} names={names} onChange={(assistantIds) => set({ assistantIds })} />
          </Field>
          <Field label="Implants" optional error={problems.implants} className="col-span-2">
            <Input
              value={values.implants}
              maxLength={1_000}
              autoComplete="off"
              onChange={({ target }) => set({ implants: target.value })}
            />
          </Field>
          <Field label="Price" optional error={problems.price}>
            <MoneyInput value={values.price} onValueChange={(price) => set({ price })} />
          </Field>
          {kind === 'new' && (
            <Field label="Status">
              <SegmentedControl
                value={values.status}
                onValueChange={(status) => set({ status })}
                options={(['tentative', 'confirmed'] as const).map((value) => ({ value, label: statusLabels[value] }))}
              />
            </Field>
          )}
          <Field label="Notes" optional error={problems.notes} className="col-span-2">
            <Textarea value={values.notes} rows={2} maxLength={5_000} onChange={({ target }) => set({ notes: target.value })} />
          </Field>
        </>
      )}
    </div>
  )
}

interface AssistantsProps {
  value: readonly string[]
  names: KnownNames
  onChange: (ids: readonly string[]) => void
}

/** Any staff member may assist. */
function Assistants({ value, names, onChange }: AssistantsProps) {
  const avatar = (id: string, size: 'xs' | 'sm') => {
    const person = names.people.find((one) => one.id === id)
    return <Avatar kind="staff" size={size} id={id} firstName={person?.firstName} lastName={person?.lastName} />
  }
  return (
    <MultiSelect
      picked={value.map((id) => ({ value: id, label: providerName(id, names) ?? '', icon: avatar(id, 'xs') }))}
      options={names.people
        .filter(({ id }) => !value.includes(id))
        .map(({ id, fullName }) => ({ value: id, label: fullName, icon: avatar(id, 'sm') }))}
      onAdd={(id) => onChange([...value, id])}
      onRemove={(id) => onChange(value.filter((other) => other !== id))}
      listLabel="Chosen assistants"
      placeholder={value.length === 0 ? 'Select assistants' : 'Add assistant'}
      search={{ placeholder: 'Name', empty: 'No matching staff.' }}
    />
  )
}
