import { type ComponentProps, useState } from 'react'
import { ContactPicker } from '../../../../../crm/contacts/web/embed/ContactPicker.tsx'
import { type IdentifiedPatient, PatientIdentity } from '../../../../../crm/contacts/web/embed/PatientIdentity.tsx'
import { useClock } from '../../../../../ui/client/session.ts'
import { DateInput, TimeInput } from '../../../../../ui/controls/DateInput.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { today } from '../../../../../ui/format.ts'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { Select } from '../../../../../ui/controls/Select.tsx'
import type { TimeValues } from './booking-values.ts'
import { type KnownNames, providerOptions, roomOptions } from '../names.ts'
import { formatEndTime } from '../times.ts'
import type { Problems } from './useBookingForm.ts'

interface PatientFieldProps {
  /** The patient, if they cannot be chosen: then the dialog names them. */
  patient: IdentifiedPatient | null
  value: string | null
  error: string | undefined
  onChange: ComponentProps<typeof ContactPicker>['onValueChange']
}

export function PatientField({ patient, value, error, onChange }: PatientFieldProps) {
  const [chosen, setChosen] = useState<IdentifiedPatient | null>(null)
  if (patient) return null
  return (
    <Field
      label="Patient"
      error={error}
      hint={value !== null && chosen ? <PatientIdentity patient={chosen} hidesName /> : undefined}
      className="col-span-2"
    >
      <ContactPicker
        value={value}
        onValueChange={(id, contact) => {
          setChosen(contact)
          onChange(id, contact)
        }}
      />
    </Field>
  )
}

interface DayFieldProps {
  /** '' until typed. */
  value: string
  onValueChange: (day: string) => void
  error: string | undefined
  takesFocus: boolean
}

/** The date. A past date gets a warning, not an error: it may be a wrong year, or a visit recorded later. */
function DayField({ value, onValueChange, error, takesFocus }: DayFieldProps) {
  const clock = useClock()
  const isPast = value !== '' && value < today(clock)
  return (
    <Field label="Date" error={error} hint={isPast ? <span className="text-warning-fg">This date has passed.</span> : undefined}>
      <DateInput value={value} onValueChange={onValueChange} data-autofocus={takesFocus || undefined} />
    </Field>
  )
}

interface TimeFieldsProps {
  values: TimeValues
  problems: Problems<TimeValues>
  /** Null while the duration is invalid. */
  minutes: number | null
  onChange: (part: Partial<TimeValues>) => void
  takesFocus: boolean
}

/** Date and time. */
export function TimeFields({ values: { day, time }, problems, minutes, onChange, takesFocus }: TimeFieldsProps) {
  return (
    <>
      <DayField value={day} onValueChange={(next) => onChange({ day: next })} error={problems.day} takesFocus={takesFocus} />
      <Field label="Time" error={problems.time} hint={time !== '' && minutes !== null ? formatEndTime(time, minutes) : undefined}>
        <TimeInput value={time} onValueChange={(next) => onChange({ time: next })} />
      </Field>
    </>
  )
}

export function LengthField({ value, error, onChange }: { value: string; error: string | undefined; onChange: (minutes: string) => void }) {
  return (
    <Field label="Duration" error={error}>
      <Input
        value={value}
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        trailing={<span className="text-sm">min</span>}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}

interface PlaceFieldProps {
  value: string | null
  /** The booking's current one, which stays available even if disabled. */
  current: string | null
  names: KnownNames
  error: string | undefined
  onChange: (id: string | null) => void
  /** The only ones to choose from; all by default. */
  only?: readonly string[] | undefined
  /** What no choice means, if not that there is none. */
  noneLabel?: string | undefined
}

const amongst = <Option extends { value: string }>(
  options: readonly Option[],
  only: readonly string[] | undefined,
  current: string | null,
) => (only ? options.filter(({ value }) => only.includes(value) || value === current) : options)

/** The provider or surgeon. */
export function ProviderField({
  person,
  value,
  current,
  names,
  error,
  onChange,
  only,
  noneLabel,
  className,
}: PlaceFieldProps & { person: 'provider' | 'surgeon'; className?: string }) {
  return (
    <Field label={person === 'provider' ? 'Provider' : 'Surgeon'} optional error={error} className={className}>
      <Select
        value={value}
        onValueChange={onChange}
        options={amongst(providerOptions(names, current), only, current)}
        noneLabel={noneLabel ?? `No ${person}`}
      />
    </Field>
  )
}

/** `warns`: shows a warning if no room is chosen. */
export function RoomField({ value, current, names, error, onChange, only, noneLabel, warns }: PlaceFieldProps & { warns?: boolean }) {
  const hint = warns && value === null ? <span className="text-warning-fg">No room is reserved.</span> : undefined
  return (
    <Field label="Room" optional error={error} hint={hint}>
      <Select
        value={value}
        onValueChange={onChange}
        options={amongst(roomOptions(names, current), only, current)}
        noneLabel={noneLabel ?? 'No room'}
      />
    </Field>
  )
}
