import { ContactPicker } from '../../../../crm/contacts/web/embed/ContactPicker.tsx'
import { formatEndTime } from '../../../calendar/web/embed/times.ts'
import { DayField } from '../../../calendar/web/embed/DayField.tsx'
import { type KnownNames, providerOptions, roomOptions } from '../../../calendar/web/embed/names.ts'
import type { Problems } from '../../../calendar/web/embed/useBookingForm.ts'
import { TimeInput } from '../../../../ui/DateInput.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { Input } from '../../../../ui/Input.tsx'
import { Select } from '../../../../ui/Select.tsx'
import { Textarea } from '../../../../ui/Textarea.tsx'
import { appointmentTypes } from '../../rules.ts'
import type { AppointmentPatient } from '../appointment-data.ts'
import { typeLabels } from '../labels.ts'
import { TellPatient } from './TellPatient.tsx'
import { type AppointmentValues, minutesOf, withType } from './appointment-values.ts'

interface AppointmentFieldsProps {
  values: AppointmentValues
  problems: Problems<AppointmentValues>
  onChange: (values: AppointmentValues) => void
  names: KnownNames
  /** Whom it is for, where that is not to be chosen. */
  patient: AppointmentPatient | null
  /** The provider and the room that it has: they may stay, whatever has become of them. */
  kept: Pick<AppointmentValues, 'providerId' | 'roomId'>
  /** When and where alone. */
  isMove: boolean
}

export function AppointmentFields({ values, problems, onChange, names, patient, kept, isMove }: AppointmentFieldsProps) {
  const set = (part: Partial<AppointmentValues>) => onChange({ ...values, ...part })
  const minutes = minutesOf(values)
  const length = (
    <Field label="Length" error={problems.minutes}>
      <Input
        value={values.minutes}
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        trailing={<span className="text-sm">min</span>}
        onChange={({ target }) => set({ minutes: target.value })}
      />
    </Field>
  )
  return (
    <div className="grid grid-cols-2 content-start gap-x-3 gap-y-4">
      {!isMove && (
        <>
          {patient ? (
            <p className="col-span-2 text-md text-fg">
              {patient.firstName} {patient.lastName}
            </p>
          ) : (
            <Field label="Patient" error={problems.contactId} className="col-span-2">
              <ContactPicker
                value={values.contactId}
                onValueChange={(contactId, contact) => {
                  const usual = names.providers.find(({ id }) => id === contact?.assignedProviderId)
                  set({ contactId, providerId: values.providerId ?? usual?.id ?? null })
                }}
              />
            </Field>
          )}
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
      <DayField value={values.day} onValueChange={(day) => set({ day })} error={problems.day} takesFocus={isMove} />
      <Field
        label="Time"
        error={problems.time}
        hint={values.time !== '' && minutes !== null ? formatEndTime(values.time, minutes) : undefined}
      >
        <TimeInput value={values.time} onValueChange={(time) => set({ time })} />
      </Field>
      {isMove && length}
      <Field label="Provider" optional error={problems.providerId} className="col-start-1">
        <Select
          value={values.providerId}
          onValueChange={(providerId) => set({ providerId })}
          options={providerOptions(names, kept.providerId)}
          noneLabel="No provider"
        />
      </Field>
      <Field
        label="Room"
        optional
        error={problems.roomId}
        hint={values.roomId === null ? <span className="text-warning-fg">No room is reserved.</span> : undefined}
      >
        <Select
          value={values.roomId}
          onValueChange={(roomId) => set({ roomId })}
          options={roomOptions(names, kept.roomId)}
          noneLabel="No room"
        />
      </Field>
      {!isMove && (
        <Field label="Notes" optional error={problems.notes} className="col-span-2">
          <Textarea value={values.notes} rows={2} onChange={({ target }) => set({ notes: target.value })} />
        </Field>
      )}
      {values.contactId !== null && (
        <TellPatient
          contactId={values.contactId}
          value={values.tellsPatient}
          onChange={(tellsPatient) => set({ tellsPatient })}
          className="col-span-2"
        />
      )}
    </div>
  )
}
