import { useQueryClient } from '@tanstack/react-query'
import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { Hourglass } from 'lucide-react'
import { useState } from 'react'
import type { VisitTypeData } from '../../../availability/web/embed/useAvailability.ts'
import { weekdayOf } from '../../../../platform/practice/rules.ts'
import { formatHours } from '../../../../platform/practice/web/embed/hours-labels.ts'
import { useHours } from '../../../../platform/practice/web/embed/usePractice.ts'
import { BookingForm } from '../../../calendar/web/embed/booking/BookingForm.tsx'
import { warnOfSameName } from '../../../calendar/web/embed/booking/SameName.tsx'
import { DayPanel } from '../../../calendar/web/embed/day/DayPanel.tsx'
import type { KnownNames } from '../../../calendar/web/embed/names.ts'
import { formatOverlap } from '../../../calendar/web/embed/refusal.ts'
import { useBookingForm } from '../../../calendar/web/embed/booking/useBookingForm.ts'
import { client, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { asSentence } from '../../../../shared/sentence.ts'
import { instantOf } from '../../../../shared/zoned-time.ts'
import { formatDateTime } from '../../../../ui/format.ts'
import { EntryDialog } from '../../../waiting-list/web/embed/dialogs.ts'
import { type AppointmentData, appointmentKind, type AppointmentPatient, patientName } from '../appointment-data.ts'
import { OpeningsPanel } from '../embed/OpeningsPanel.tsx'
import { AppointmentFields } from './AppointmentFields.tsx'
import { SeriesDates, seriesDatesQuery } from './SeriesDates.tsx'
import { type AppointmentValues, changesOf, minutesOf, problemsOf, toInput, valuesOf } from './appointment-values.ts'

interface AppointmentFormProps {
  /** Null for a new appointment. */
  appointment: AppointmentData | null
  patient: AppointmentPatient | null
  initial: AppointmentValues
  names: KnownNames
  /** All, also inactive ones. */
  visitTypes: readonly VisitTypeData[]
  kind: 'new' | 'edit' | 'move'
  onClose: () => void
  onSaved?: (after: AppointmentData) => void
}

/** The form of an appointment, with openings and other bookings of the day. */
export function AppointmentForm({ appointment, patient, initial, names, visitTypes, kind, onClose, onSaved }: AppointmentFormProps) {
  const clock = useClock()
  const { timeZone } = clock
  const cache = useQueryClient()
  /** The patient's email, from the query cache; undefined while loading. */
  const addressOf = (id: string | null) => cache.getQueryData(orpc.contacts.get.queryKey({ input: { id: id ?? '' } }))?.email
  /** Of a series: whether all its visits are booked. */
  const [booksAll, setBooksAll] = useState(true)
  /** The visit type of a new series; null if one visit is booked. */
  const seriesOf = (typed: AppointmentValues) => {
    const found = visitTypes.find(({ id }) => id === typed.visitTypeId)
    return !appointment && found?.isActive && found.seriesVisits !== null ? found : null
  }
  const form = useBookingForm<AppointmentValues, AppointmentData>({
    kind: appointmentKind,
    data: appointment,
    initial,
    valuesOf: (data) => valuesOf(data, timeZone),
    problemsOf(typed) {
      const problems = problemsOf(typed)
      if (!booksAll || !seriesOf(typed) || Object.keys(problems).length > 0) return problems
      const missing = cache.getQueryData(seriesDatesQuery(typed, timeZone).queryKey)?.find(({ startsAt }) => startsAt === null)
      return missing ? { form: `Visit ${missing.number} has no opening in its week. Choose another date for the first visit.` } : {}
    },
    async save(typed, base, how) {
      if (!base.data) {
        const { contactId, notifiesPatient } = typed
        // A patient without an email address is not notified.
        const isNotified = notifiesPatient && addressOf(contactId) !== null
        const wanted = { ...toInput(typed, timeZone), ...how, contactId: contactId!, notifiesPatient: isNotified }
        const series = booksAll ? seriesOf(typed) : null
        if (!series) return client.appointments.book(wanted)
        const dates = await cache.fetchQuery(seriesDatesQuery(typed, timeZone))
        const { startsAt: _, ...ofEach } = wanted
        const starts = dates.flatMap(({ startsAt }) => startsAt ?? [])
        const [first] = await client.appointments.bookSeries({ ...ofEach, visitTypeId: series.id, starts })
        return first!
      }
      const { id, version } = base.data
      const { outsideHours } = how
      return client.appointments.change({ id, version, ...changesOf(typed, base.values, timeZone), outsideHours })
    },
    overlapOf: (overlap, typed) => ({
      [overlapFields[overlap.what]]: formatOverlap(overlap, typed, names, timeZone),
    }),
    onSaved(after) {
      const when = formatDateTime(after.startsAt, clock)
      const booked = after.seriesVisits === null ? `is booked for ${when}` : `is booked for ${after.seriesVisits} visits from ${when}`
      toast.success(appointment ? `${patientName(after)}: saved for ${when}` : `${patientName(after)} ${booked}`)
      warnOfSameName(after, clock)
      onClose()
      onSaved?.(after)
    },
  })
  const { values, change, isClosed } = form
  const { day, time, visitTypeId, providerId, secondPersonId, roomId } = values
  const slot = { day, time, minutes: minutesOf(values), providerId, roomId, except: appointment?.id ?? null }
  const visitType = visitTypes.find(({ id }) => id === visitTypeId) ?? null
  const series = seriesOf(values)
  const isTimed = day !== '' && time !== '' && problemsOf(values).day === undefined

  return (
    <BookingForm
      booking={{ noun: 'appointment', kind, patient, contactId: values.contactId }}
      form={form}
      wide
      submitLabel={
        !appointment && isTimed
          ? `Book ${series && booksAll ? `${series.seriesVisits} visits from ` : ''}${formatDateTime(instantOf({ day, time }, timeZone), clock)}`
          : undefined
      }
      onClose={onClose}
      notice={isClosed && <Closed day={day} isNew={!appointment} onConfirm={() => void form.submit(true)} />}
      aside={
        <div className="flex flex-col gap-4">
          <OpeningsPanel
            slot={slot}
            visitType={visitType?.isActive ? visitType : null}
            secondPersonId={secondPersonId}
            onChange={(part) => change({ ...values, ...part })}
          />
          {!appointment && visitType?.isActive && (
            <AddToWaitingList given={{ contactId: values.contactId, visitTypeId, providerId }} onAdded={onClose} />
          )}
          <DayPanel slot={slot} names={names} onWithoutRoom={() => change({ ...values, roomId: null })} />
        </div>
      }
    >
      <div>
        <AppointmentFields
          values={values}
          problems={form.problems}
          onChange={change}
          names={names}
          visitTypes={visitTypes.filter(({ id, isActive }) => isActive || id === initial.visitTypeId)}
          patient={patient}
          current={initial}
          isMove={kind === 'move'}
          isNew={!appointment}
        />
        {series && (
          <SeriesDates
            visitType={series}
            values={values}
            isTimed={isTimed && slot.minutes !== null}
            booksAll={booksAll}
            onBooksAll={setBooksAll}
          />
        )}
      </div>
    </BookingForm>
  )
}

const overlapFields = { provider: 'providerId', second: 'secondPersonId', room: 'roomId', equipment: 'form', patient: 'form' } as const

/** For when no time suits. */
function AddToWaitingList({
  given,
  onAdded,
}: {
  given: { contactId: string | null; visitTypeId: string | null; providerId: string | null }
  onAdded: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  if (!usePermission()('waitingList.add')) return null
  return (
    <>
      <Button size="sm" icon={<Hourglass />} className="self-start" onClick={() => setOpen(true)}>
        No time suits? Add to waiting list
      </Button>
      {isOpen && <EntryDialog entry={null} given={given} onSaved={onAdded} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Warns that no one works then, and lets the user book anyway. */
function Closed({ day, isNew, onConfirm }: { day: string; isNew: boolean; onConfirm: () => void }) {
  const hours = useHours().data ?? []
  return (
    <Alert
      tone="warning"
      title="That time is outside working hours, or the day is full."
      className="mb-4"
      action={
        <Button size="sm" data-insist onClick={onConfirm}>
          {isNew ? 'Book anyway' : 'Save anyway'}
        </Button>
      }
    >
      {asSentence(`The practice’s hours on ${format(parseISO(day), 'EEEE')}: ${formatHours(hours, weekdayOf(day))}`)}
    </Alert>
  )
}
