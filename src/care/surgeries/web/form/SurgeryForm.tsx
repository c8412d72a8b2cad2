import { BookingForm } from '../../../calendar/web/embed/booking/BookingForm.tsx'
import { warnOfSameName } from '../../../calendar/web/embed/booking/SameName.tsx'
import { DayPanel } from '../../../calendar/web/embed/day/DayPanel.tsx'
import type { KnownNames } from '../../../calendar/web/embed/names.ts'
import { formatOverlap } from '../../../calendar/web/embed/refusal.ts'
import { useBookingForm } from '../../../calendar/web/embed/booking/useBookingForm.ts'
import { client } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { formatDateTime } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { patientName, type SurgeryData, surgeryKind, type SurgeryPatient } from '../surgery-data.ts'
import { SurgeryFields } from './SurgeryFields.tsx'
import { changesOf, minutesOf, type OfferedProcedure, problemsOf, toInput, type SurgeryValues, valuesOf } from './surgery-values.ts'

interface SurgeryFormProps {
  /** Null for a new surgery. */
  surgery: SurgeryData | null
  patient: SurgeryPatient | null
  initial: SurgeryValues
  names: KnownNames
  /** The practice's procedures. */
  procedures: readonly OfferedProcedure[]
  kind: 'new' | 'edit' | 'move'
  onClose: () => void
  onSaved?: (after: SurgeryData) => void
}

// A surgery reserves no second person.
const fieldsOf = { provider: 'surgeonId', second: 'surgeonId', room: 'roomId', equipment: 'time', patient: 'time' } as const

/** The form of a surgery, with other bookings of the day. */
export function SurgeryForm({ surgery, patient, initial, names, procedures, kind, onClose, onSaved }: SurgeryFormProps) {
  const clock = useClock()
  const { timeZone } = clock
  const form = useBookingForm<SurgeryValues, SurgeryData>({
    kind: surgeryKind,
    data: surgery,
    initial,
    valuesOf: (data) => valuesOf(data, timeZone),
    problemsOf,
    save(typed, base, { idempotencyKey }) {
      if (!base.data) {
        const { contactId, status } = typed
        return client.surgeries.create({ ...toInput(typed, timeZone), contactId: contactId!, status, idempotencyKey })
      }
      const { id, version } = base.data
      return client.surgeries.change({ id, version, ...changesOf(typed, base.values, timeZone) })
    },
    overlapOf: (overlap, { surgeonId, roomId }) => ({
      [fieldsOf[overlap.what]]: formatOverlap(overlap, { providerId: surgeonId, roomId }, names, timeZone),
    }),
    onSaved(after) {
      const when = formatDateTime(after.startsAt, clock)
      toast.success(surgery ? `${patientName(after)}: saved for ${when}` : `${patientName(after)}: surgery booked for ${when}`)
      warnOfSameName(after, clock)
      onClose()
      onSaved?.(after)
    },
  })
  const { values, change } = form
  const { day, time, surgeonId, roomId } = values
  const known = [...procedures, ...(surgery?.procedures ?? []).filter(({ id }) => !procedures.some((one) => one.id === id))]

  return (
    <BookingForm
      booking={{ noun: 'surgery', kind, patient, contactId: values.contactId }}
      form={form}
      onClose={onClose}
      aside={
        <DayPanel
          slot={{ day, time, minutes: minutesOf(values), providerId: surgeonId, roomId, except: surgery?.id ?? null }}
          names={names}
          onTime={(next) => change({ ...values, time: next })}
        />
      }
    >
      <SurgeryFields
        values={values}
        problems={form.problems}
        onChange={change}
        names={names}
        procedures={known}
        patient={patient}
        current={initial}
        kind={kind}
      />
    </BookingForm>
  )
}
