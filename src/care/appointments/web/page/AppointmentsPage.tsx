import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CalendarX2 } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { BookingCalendar } from '../../../calendar/web/embed/BookingCalendar.tsx'
import type { EventSituation } from '../../../calendar/web/embed/grid-content.tsx'
import { NotForBilling } from '../../../calendar/web/embed/NotForBilling.tsx'
import { daysToExport } from '../../../calendar/web/embed/periods.ts'
import { type CalendarPage, focusAgain, useCalendarPage } from '../../../calendar/web/embed/useCalendarPage.ts'
import { useSurgeriesBeside } from '../../../surgeries/web/embed/useSurgeriesBeside.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useMay } from '../../../../ui/client/useMay.ts'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { formatDateTime } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { coming } from '../../rules.ts'
import { type AppointmentData, appointmentKind, patientName } from '../appointment-data.ts'
import { entryOf } from '../styles.ts'
import { useAppointmentDialogs } from '../useAppointmentDialogs.tsx'
import { useMoveAppointment } from '../useMoveAppointment.ts'
import { AppointmentContent } from './AppointmentContent.tsx'
import { AppointmentDaySheet } from './AppointmentDaySheet.tsx'
import { AppointmentList } from './AppointmentList.tsx'
import type { AppointmentsSearch } from './appointments-search.ts'
import { Legend } from './Legend.tsx'

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

/** The appointments of what is shown, kept true by the events of the server. */
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
  // Patients are renamed, merged and deleted; most of what happens to them does not show here.
  useLive(['contact'], refresh, { debounceMs: 1000 })
  return list
}

interface AppointmentsCalendarProps {
  search: AppointmentsSearch
  /** `replace`: without a step of the history of its own. */
  onChange: (part: AppointmentsSearch, replace?: boolean) => void
}

function AppointmentsCalendar({ search, onChange }: AppointmentsCalendarProps) {
  const may = useMay()
  const page = useCalendarPage({ search, onChange, defaultView: 'week', listHasDays: true })
  const { view, shown, clock, names } = page
  const list = useAppointments(page, search.all)
  const { move, asked } = useMoveAppointment(names)
  const { layers, isOpen, book, edit } = useAppointmentDialogs({
    looked: search.appointment ?? null,
    onLook(id) {
      onChange({ appointment: id ?? undefined }, id === null)
      if (id === null && search.appointment) focusAgain(search.appointment)
    },
    onSaved: page.follow,
  })
  const beside = useSurgeriesBeside({
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
            <IconButton
              label={search.all ? 'Hide cancelled and missed' : 'Show cancelled and missed'}
              variant="outlined"
              aria-pressed={search.all !== undefined}
              icon={<CalendarX2 />}
              onClick={() => onChange({ all: search.all ? undefined : 'true' })}
              className="aria-pressed:border-accent-line aria-pressed:bg-selected aria-pressed:text-accent-fg"
            />
          ),
          exported: { providerId: search.provider, roomId: search.room, all: search.all, ...daysToExport(view, shown) },
        }}
        actions={{
          book: may('appointments.book') ? (given) => book(null, given) : undefined,
          isBooking: isOpen,
          day: search.day && page.dayToBook,
          isAsked: search.book !== undefined,
          onAsked: () => onChange({ book: undefined }, true),
          open,
          mayChange: may('appointments.change'),
          isMovable: ({ status }) => coming.includes(status),
          edit: (id) => edit('move', id),
          move,
        }}
        content={{ entryOf, renderEvent, beside, legend: <Legend />, truncatedHint: 'Not all are shown: choose a provider or a room.' }}
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
          The practice is closed on {formatDateTime(asked.place.startsAt, clock)}. {patientName(asked.booking)} stays where they were until
          you say so.
        </ConfirmDialog>
      )}
    </>
  )
}
