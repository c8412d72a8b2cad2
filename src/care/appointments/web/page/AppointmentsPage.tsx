import { useNavigate, useSearch } from '@tanstack/react-router'
import { CalendarX2, Printer } from 'lucide-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import { BookButton } from '../../../calendar/web/embed/BookButton.tsx'
import { CalendarBody, type TimeSlot } from '../../../calendar/web/embed/CalendarBody.tsx'
import { everyView } from '../../../calendar/web/embed/calendar-search.ts'
import { CalendarStates } from '../../../calendar/web/embed/CalendarStates.tsx'
import { CalendarToolbar } from '../../../calendar/web/embed/CalendarToolbar.tsx'
import type { FaceSituation } from '../../../calendar/web/embed/grid-content.tsx'
import { daysToExport } from '../../../calendar/web/embed/periods.ts'
import { NotForBilling } from '../../../calendar/web/embed/NotForBilling.tsx'
import { useNames } from '../../../calendar/web/embed/names.ts'
import { useBookFromAddress } from '../../../calendar/web/embed/useBookFromAddress.ts'
import { useCalendarKeys } from '../../../calendar/web/embed/useCalendarKeys.ts'
import { focusAgain, useCalendarPage, useView } from '../../../calendar/web/embed/useCalendarPage.ts'
import { useHours } from '../../../../platform/practice/web/embed/usePractice.ts'
import { useSurgeriesBeside } from '../../../surgeries/web/embed/useSurgeriesBeside.ts'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { formatDateTime } from '../../../../ui/format.ts'
import { ExportMenu } from '../../../../ui/ExportMenu.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { useMay } from '../../../../ui/client/useMay.ts'
import { coming } from '../../rules.ts'
import { patientName } from '../appointment-data.ts'
import { entryOf } from '../looks.ts'
import { AppointmentDaySheet } from './AppointmentDaySheet.tsx'
import { AppointmentContent } from './AppointmentContent.tsx'
import { AppointmentList } from './AppointmentList.tsx'
import { Legend } from './Legend.tsx'
import { useCalendar } from './useCalendar.ts'
import { useAppointmentDialogs } from '../useAppointmentDialogs.tsx'
import { useMove } from '../useMove.ts'
import type { AppointmentsSearch } from './appointments-search.ts'

const none: readonly never[] = []

/** Who comes when: the calendar of appointments. */
export default function AppointmentsPage(): ReactNode {
  const search = useSearch({ from: '/staff/appointments' })
  const navigate = useNavigate({ from: '/appointments' })
  const may = useMay()
  return (
    <>
      <TopbarTitle title="Appointments" />
      {may('appointments.list') ? (
        <AppointmentsCalendar
          search={search}
          onChange={(part, replace = false) =>
            void navigate({ to: '/appointments', search: (before) => ({ ...before, ...part }), replace })
          }
        />
      ) : (
        <NotForBilling what="appointments">Administrators, sales, providers and the front desk book them.</NotForBilling>
      )}
    </>
  )
}

interface AppointmentsCalendarProps {
  search: AppointmentsSearch
  /** `replace`: without a step of the history of its own. */
  onChange: (part: AppointmentsSearch, replace?: boolean) => void
}

function AppointmentsCalendar({ search, onChange }: AppointmentsCalendarProps) {
  const may = useMay()
  const [mayBook, mayChange] = [may('appointments.book'), may('appointments.change')]
  const { phone, narrow, views, view } = useView(everyView, 'week', search.view)
  const { clock, shown, period, list } = useCalendar(search, view)
  const hours = useHours()
  const names = useNames()
  const { move, asked } = useMove(names)
  const appointments = list.data?.data ?? none
  const { now, goTo, step, dayToBook, follow } = useCalendarPage({
    view,
    shown,
    clock,
    listHasDays: true,
    onDay: (day) => onChange({ day }),
  })
  const { layers, isOpen, book, edit } = useAppointmentDialogs({
    looked: search.appointment ?? null,
    onLook(id) {
      onChange({ appointment: id ?? undefined }, id === null)
      if (id === null && search.appointment) focusAgain(search.appointment)
    },
    onSaved: follow,
  })
  const filtered = { providerId: search.provider ?? null, roomId: search.room ?? null }
  const begin = () => book(null, { ...filtered, ...(search.day && { day: dayToBook }) })
  useCalendarKeys({
    noun: 'appointment',
    entries: appointments,
    onStep: step,
    onToday: () => goTo(now),
    onBook: mayBook ? begin : undefined,
    onMove: mayChange ? (id) => appointments.some((one) => one.id === id && coming.includes(one.status)) && edit('move', id) : undefined,
  })

  useBookFromAddress(search.book !== undefined, () => {
    onChange({ book: undefined }, true)
    if (mayBook) begin()
  })

  const beside = useSurgeriesBeside({
    ...period,
    names,
    surgeonId: search.provider,
    roomId: search.room,
    isShown: view === 'week' || view === 'day',
  })
  const entries = useMemo(() => appointments.map(entryOf), [appointments])
  const byId = useMemo(() => new Map(appointments.map((one) => [one.id, one])), [appointments])
  const face = useCallback(
    (id: string, situation: FaceSituation) => (
      <AppointmentContent appointment={byId.get(id)!} names={names} timeZone={clock.timeZone} {...situation} />
    ),
    [byId, names, clock.timeZone],
  )
  function moved(id: string, { startsAt, endsAt, column }: TimeSlot) {
    const appointment = byId.get(id)!
    const { providerId, roomId } = appointment
    move(appointment, { providerId, roomId, ...column, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() })
  }
  const by = view === 'day' && !narrow ? (search.by ?? null) : null

  return (
    <>
      <CalendarToolbar
        search={search}
        view={view}
        views={views}
        shown={shown}
        today={now}
        columns={by}
        names={names}
        person="provider"
        narrow={narrow}
        action={mayBook && <BookButton noun="appointment" onClick={begin} />}
        filters={
          <>
            <IconButton
              label={search.all ? 'Hide cancelled and missed' : 'Show cancelled and missed'}
              variant="outlined"
              aria-pressed={search.all !== undefined}
              icon={<CalendarX2 />}
              onClick={() => onChange({ all: search.all ? undefined : 'true' })}
              className="aria-pressed:border-accent-line aria-pressed:bg-selected aria-pressed:text-accent-fg"
            />
            <ExportMenu
              address="/api/appointments"
              filters={{ providerId: search.provider, roomId: search.room, all: search.all, ...daysToExport(view, shown) }}
              compact
            />
            {view === 'day' && !phone && (
              <IconButton label="Print this day" variant="outlined" icon={<Printer />} onClick={() => window.print()} />
            )}
          </>
        }
        onChange={onChange}
        onDay={goTo}
      />
      <CalendarStates
        what="Appointments"
        list={list}
        waits={view !== 'list' && hours.isPending}
        view={view}
        cut="Not all are shown: choose a provider or a room."
      >
        {view === 'list' ? (
          <AppointmentList
            appointments={appointments}
            names={names}
            clock={clock}
            narrow={narrow}
            isFiltered={Boolean(search.provider ?? search.room)}
            onOpen={(appointment) => onChange({ appointment })}
            onClear={() => onChange({ provider: undefined, room: undefined })}
            onBook={mayBook ? begin : undefined}
          />
        ) : (
          <CalendarBody
            view={view}
            shown={shown}
            search={search}
            by={by}
            entries={entries}
            beside={beside}
            face={face}
            hours={hours.data ?? none}
            names={names}
            clock={clock}
            mayChange={mayChange}
            mayBook={mayBook}
            isBooking={isOpen}
            onOpen={(appointment) => onChange({ appointment })}
            onMove={moved}
            onMark={({ day, time, minutes, column }) => book(null, { ...filtered, ...column, day, time, ...(minutes && { minutes }) })}
            onDay={(day) => onChange({ view: 'day', day: day === now ? undefined : day })}
          />
        )}
        {view !== 'list' && <Legend />}
        {view === 'day' && !list.isPlaceholderData && (
          <AppointmentDaySheet day={shown} appointments={appointments} search={search} by={by} names={names} clock={clock} />
        )}
      </CalendarStates>
      {layers}
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={asked.letGo}
          title="Book anyway?"
          confirmLabel="Book anyway"
          cancelLabel="Leave it"
          onConfirm={asked.insist}
        >
          The practice is closed on {formatDateTime(asked.slot.startsAt, clock)}. {patientName(asked.appointment)} stays where they were
          until you say so.
        </ConfirmDialog>
      )}
    </>
  )
}
