import { LengthField, PatientField, ProviderField, RoomField, TimeFields } from '../../../calendar/web/embed/booking/BookingFields.tsx'
import { type KnownNames, providerName } from '../../../calendar/web/embed/names.ts'
import type { Problems } from '../../../calendar/web/embed/booking/useBookingForm.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import type { VisitTypeData } from '../../../availability/web/embed/useAvailability.ts'
import { appointmentTypes } from '../../rules.ts'
import type { AppointmentPatient } from '../appointment-data.ts'
import { typeLabels } from '../embed/labels.ts'
import { NotifyPatient } from './NotifyPatient.tsx'
import { type AppointmentValues, minutesOf, withType, withVisitType } from './appointment-values.ts'

interface AppointmentFieldsProps {
  values: AppointmentValues
  problems: Problems<AppointmentValues>
  onChange: (values: AppointmentValues) => void
  names: KnownNames
  /** Those that are offered, and the current one. */
  visitTypes: readonly VisitTypeData[]
  /** The patient, if they cannot be chosen. */
  patient: AppointmentPatient | null
  /** The current provider and room, which stay available even if disabled. */
  current: Pick<AppointmentValues, 'providerId' | 'secondPersonId' | 'roomId'>
  /** Only time and place. */
  isMove: boolean
  /** What a new appointment leaves open is chosen by the server. */
  isNew: boolean
}

export function AppointmentFields({
  values,
  problems,
  onChange,
  names,
  visitTypes,
  patient,
  current,
  isMove,
  isNew,
}: AppointmentFieldsProps) {
  const set = (part: Partial<AppointmentValues>) => onChange({ ...values, ...part })
  const minutes = minutesOf(values)
  const visitType = visitTypes.find(({ id }) => id === values.visitTypeId) ?? null
  const hasRooms = visitType !== null && visitType.roomIds.length > 0
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
          {visitTypes.length > 0 && (
            <Field label="Visit" error={problems.visitTypeId} className={visitType ? undefined : 'col-span-2'}>
              <Select
                value={values.visitTypeId}
                onValueChange={(id) => onChange(withVisitType(values, visitTypes.find((one) => one.id === id) ?? null))}
                options={visitTypes.map(({ id, name }) => ({ value: id, label: name }))}
                noneLabel="Other appointment"
              />
            </Field>
          )}
          {!visitType && (
            <Field label="Type" error={problems.type}>
              <Select
                value={values.type}
                onValueChange={(type) => type && onChange(withType(values, type))}
                options={appointmentTypes.map((value) => ({ value, label: typeLabels[value] }))}
              />
            </Field>
          )}
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
        only={visitType?.providerIds}
        noneLabel={visitType && isNew ? 'Anyone' : undefined}
        className="col-start-1"
      />
      <RoomField
        value={values.roomId}
        current={current.roomId}
        names={names}
        error={problems.roomId}
        onChange={(roomId) => set({ roomId })}
        only={hasRooms ? visitType.roomIds : undefined}
        noneLabel={hasRooms && isNew ? 'Any free room' : undefined}
        warns={!visitType}
      />
      {((visitType && visitType.secondIds.length > 0) || values.secondPersonId !== null) && (
        <Field label="Second person" optional error={problems.secondPersonId} className="col-span-2">
          <Select
            value={values.secondPersonId}
            onValueChange={(secondPersonId) => set({ secondPersonId })}
            options={secondOptions(visitType?.secondIds ?? [], current.secondPersonId, names)}
            noneLabel={isNew ? 'Anyone' : 'No second person'}
          />
        </Field>
      )}
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

const secondOptions = (offered: readonly string[], current: string | null, names: KnownNames) =>
  [...new Set([...offered, ...(current === null ? [] : [current])])].map((id) => ({
    value: id,
    label: providerName(id, names) ?? 'Former staff',
  }))
