import { LengthField, PatientField, ProviderField, RoomField, TimeFields } from '../../../calendar/web/embed/booking/BookingFields.tsx'
import type { KnownNames } from '../../../calendar/web/embed/names.ts'
import type { Problems } from '../../../calendar/web/embed/booking/useBookingForm.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { appointmentTypes } from '../../rules.ts'
import type { AppointmentPatient } from '../appointment-data.ts'
import { typeLabels } from '../labels.ts'
import { NotifyPatient } from './NotifyPatient.tsx'
import { type AppointmentValues, minutesOf, withType } from './appointment-values.ts'

interface AppointmentFieldsProps {
  values: AppointmentValues
  problems: Problems<AppointmentValues>
  onChange: (values: AppointmentValues) => void
  names: KnownNames
  /** The patient, if they cannot be chosen. */
  patient: AppointmentPatient | null
  /** The current provider and room, which stay available even if disabled. */
  current: Pick<AppointmentValues, 'providerId' | 'roomId'>
  /** Only time and place. */
  isMove: boolean
}

export function AppointmentFields({ values, problems, onChange, names, patient, current, isMove }: AppointmentFieldsProps) {
  const set = (part: Partial<AppointmentValues>) => onChange({ ...values, ...part })
  const minutes = minutesOf(values)
  const length = <LengthField value={values.minutes} error={problems.minutes} onChange={(next) => set({ minutes: next })} />
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
              set({ contactId, providerId: values.providerId ?? assigned?.id ?? null })
            }}
          />
          <Field label="Type" error={problems.type}>
            <Select
              value={values.type}
              onValueChange={(type) => type && onChange(withType(values, type))}
              options={appointmentTypes.map((value) => ({ value, label: typeLabels[value] }))}
            />
          </Field>
          {length}
        </>
      )}
      <TimeFields values={values} problems={problems} minutes={minutes} onChange={set} takesFocus={isMove} />
      {isMove && length}
      <ProviderField
        person="provider"
        value={values.providerId}
        current={current.providerId}
        names={names}
        error={problems.providerId}
        onChange={(providerId) => set({ providerId })}
        className="col-start-1"
      />
      <RoomField
        value={values.roomId}
        current={current.roomId}
        names={names}
        error={problems.roomId}
        onChange={(roomId) => set({ roomId })}
        warns
      />
      {!isMove && (
        <Field label="Notes" optional error={problems.notes} className="col-span-2">
          <Textarea value={values.notes} rows={2} onChange={({ target }) => set({ notes: target.value })} />
        </Field>
      )}
      {values.contactId !== null && (
        <NotifyPatient
          contactId={values.contactId}
          value={values.notifiesPatient}
          onChange={(notifiesPatient) => set({ notifiesPatient })}
          className="col-span-2"
        />
      )}
    </div>
  )
}
