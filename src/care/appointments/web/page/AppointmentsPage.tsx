import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { CalendarX2, Hourglass } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { BookingCalendar } from '../../../calendar/web/embed/BookingCalendar.tsx'
import type { EventSituation } from '../../../calendar/web/embed/grid/grid-content.tsx'
import { NotForBilling } from '../../../calendar/web/embed/NotForBilling.tsx'
import { daysToExport } from '../../../calendar/web/embed/periods.ts'
import { type CalendarPage, restoreFocus, useCalendarPage } from '../../../calendar/web/embed/useCalendarPage.ts'
import { useSurgeryBackground } from '../../../surgeries/web/embed/useSurgeryBackground.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { formatDateTime } from '../../../../ui/format.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { WaitingGaps } from '../../../waiting-list/web/embed/WaitingGaps.tsx'
import { upcomingStatuses } from '../../rules.ts'
import { type AppointmentData, appointmentKind, patientName } from '../appointment-data.ts'
import { entryOf } from '../styles.ts'
import { useAppointmentDialogs } from '../useAppointmentDialogs.tsx'
import { useMoveAppointment } from '../useMoveAppointment.ts'
import { AppointmentContent } from './AppointmentContent.tsx'
import { AppointmentDaySheet } from './AppointmentDaySheet.tsx'
import { AppointmentList } from './AppointmentList.tsx'
import type { AppointmentsSearch } from './appointments-search.ts'
import { Legend } from './Legend.tsx'

/** The calendar of appointments. */
export default function AppointmentsPage(): ReactNode {
  const search = useSearch({ from: '/staff/appointments' })
  const navigate = useNavigate({ from: '/appointments' })
  const may = usePermission()
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
        <NotForBilling what="appointments">Administrators, sales, providers and the front desk book appointments.</NotForBilling>
      )}
    </>
  )
}

/** The appointments of the visible period, refreshed by server events. */
function useAppointments({ period, filtered }: CalendarPage, all: 'true' | undefined) {
  const cache = useQueryClient()
  const input = {
    ...period,
    providerId: filtered.providerId ?? undefined,
    roomId: filtered.roomId ?? undefined,
    all: all ?? ('false' as const),
  }
  const list = useQuery(orpc.appointments.list.queryOptions({ input, placeholderData: keepPreviousData }))
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.appointments.key() })
  useLive(['appointment'], refresh, { debounceMs: 300 })
  // Patients are renamed, merged and deleted. Most of their changes are not visible here, so this waits longer.
  useLive(['contact'], refresh, { debounceMs: 1000 })
  return list
}

/** A link to an appointment shows the days around it, unless it names a day. */
function useLinkedDay({ day, appointment }: AppointmentsSearch, { showDayOf }: CalendarPage) {
  const [linked] = useState(day === undefined ? appointment : undefined)
  const { data } = useQuery(orpc.appointments.get.queryOptions({ input: { id: linked ?? '' }, enabled: linked !== undefined }))
  const show = useEffectEvent(() => data && showDayOf(data))
  useEffect(() => show(), [data?.id])
}

interface AppointmentsCalendarProps {
  search: AppointmentsSearch
  /** `replace`: replaces the browser history entry. */
  onChange: (part: AppointmentsSearch, replace?: boolean) => void
}

function AppointmentsCalendar({ search, onChange }: AppointmentsCalendarProps) {
  const may = usePermission()
  const page = useCalendarPage({ search, onChange, defaultView: 'week', listHasPeriod: true })
  const { view, shown, clock, names } = page
  useLinkedDay(search, page)
  const list = useAppointments(page, search.all)
  const { move, confirmation } = useMoveAppointment(names)
  const { dialogs, isOpen, book, edit } = useAppointmentDialogs({
    viewedId: search.appointment ?? null,
    onView(id) {
      onChange({ appointment: id ?? undefined }, id === null)
      if (id === null && search.appointment) restoreFocus(search.appointment)
    },
    onSaved: page.showDayOf,
  })
  const background = useSurgeryBackground({
    ...page.period,
    names,
    surgeonId: search.provider,
    roomId: search.room,
    isShown: view === 'week' || view === 'day',
  })
  const renderEvent = useCallback(
    (appointment: AppointmentData, situation: EventSituation) => (
      <AppointmentContent appointment={appointment} situation={situation} names={names} timeZone={clock.timeZone} />
    ),
    [names, clock.timeZone],
  )
  const open = (appointment: string) => onChange({ appointment })
  return (
    <>
      <BookingCalendar
        kind={appointmentKind}
        page={page}
        list={list}
        toolbar={{
          person: 'provider',
          filters: (
            <>
              <Button asChild>
                <Link to="/appointments/waiting-list">
                  <Hourglass aria-hidden="true" /> Waiting list
                </Link>
              </Button>
              <IconButton
                label={search.all ? 'Hide cancelled and missed' : 'Show cancelled and missed'}
                variant="outlined"
                aria-pressed={search.all !== undefined}
                icon={<CalendarX2 />}
                onClick={() => onChange({ all: search.all ? undefined : 'true' })}
                className="aria-pressed:border-accent-line aria-pressed:bg-selected aria-pressed:text-accent-fg"
              />
            </>
          ),
          exported: { providerId: search.provider, roomId: search.room, all: search.all, ...daysToExport(view, shown) },
        }}
        actions={{
          book: may('appointments.book') ? (given) => book(null, given) : undefined,
          isBooking: isOpen,
          day: search.day && page.dayToBook,
          isBookRequested: search.book !== undefined,
          onBookHandled: () => onChange({ book: undefined }, true),
          open,
          mayChange: may('appointments.change'),
          isMovable: ({ status }) => upcomingStatuses.includes(status),
          edit: (id) => edit('move', id),
          move,
        }}
        content={{
          entryOf,
          renderEvent,
          background,
          legend: <Legend />,
          notice: <WaitingGaps day={shown} providerId={search.provider} />,
          truncatedHint: 'Not all appointments are shown. Filter by provider or room.',
        }}
        renderList={(appointments, begin) => (
          <AppointmentList
            appointments={appointments}
            page={page}
            onOpen={open}
            onClear={() => onChange({ provider: undefined, room: undefined })}
            onBook={begin}
          />
        )}
        renderSheet={(appointments) => <AppointmentDaySheet appointments={appointments} page={page} />}
      />
      {dialogs}
      {confirmation && (
        <ConfirmDialog
          onClose={confirmation.cancel}
          title="Book anyway?"
          action={{ label: 'Book anyway' }}
          cancelLabel="Don’t move"
          onConfirm={confirmation.confirm}
        >
          The practice is closed on {formatDateTime(confirmation.place.startsAt, clock)}. {patientName(confirmation.booking)} is not moved
          unless you confirm.
        </ConfirmDialog>
      )}
    </>
  )
}
