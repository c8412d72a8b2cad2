import { lazy, useEffect, useEffectEvent, useMemo } from 'react'
import { toLocal } from '../../../../shared/zoned-time.ts'
import { useHours } from '../../../practice/web/embed/usePractice.ts'
import { messageOf } from '../../../../web/api.ts'
import { PageBoundary } from '../../../../web/layout/PageBoundary.tsx'
import { ConfirmDialog } from '../../../../web/ui/ConfirmDialog.tsx'
import { cn } from '../../../../web/ui/cn.ts'
import { ErrorState } from '../../../../web/ui/EmptyState.tsx'
import { formatDateTime, today } from '../../../../web/ui/format.ts'
import { SkeletonRows } from '../../../../web/ui/Skeleton.tsx'
import { useMedia, usePhone } from '../../../../web/ui/useMedia.ts'
import { useMay } from '../../../../web/useMay.ts'
import { type AppointmentData, patientName } from '../appointment-data.ts'
import { columnsOf, type DayColumns, type Place } from '../calendar/events.ts'
import { appointmentElement } from '../calendar/useFocusOnEvents.ts'
import { useAppointmentLayers } from '../useAppointmentLayers.tsx'
import { useMove } from '../useMove.ts'
import { useNames } from '../useNames.ts'
import { providerName, roomName } from '../words.ts'
import { AppointmentList } from './AppointmentList.tsx'
import { type CalendarSearch, type Columns, isFiltered, type View, viewLabels } from './calendar-search.ts'
import { CalendarToolbar } from './CalendarToolbar.tsx'
import { Legend } from './Legend.tsx'
import { showsDay, stepFrom } from './periods.ts'
import { useCalendar } from './useCalendar.ts'
import { useCalendarKeys } from './useCalendarKeys.ts'

const loadGrid = () => import('../calendar/CalendarGrid.tsx')
const CalendarGrid = lazy(loadGrid)
// Asked for with this page, where it is what is shown first; should it not come, the page asks again.
if (!matchMedia('(width < 48rem)').matches) loadGrid().catch(() => undefined)

const everyView = Object.keys(viewLabels) as View[]
/** Seven columns have no room on a phone. */
const phoneViews = everyView.filter((view) => view !== 'week')
const noAppointments: readonly never[] = []

interface AppointmentsTabProps {
  search: CalendarSearch
  /** `replace`: without a step of the history of its own. */
  onChange: (part: CalendarSearch, replace?: boolean) => void
}

/** The calendar of appointments. */
export function AppointmentsTab({ search, onChange }: AppointmentsTabProps) {
  const phone = usePhone()
  const narrow = useMedia('(width < 60rem)')
  const may = useMay()
  const [mayBook, mayChange] = [may('appointments.book'), may('appointments.change')]
  const views = phone ? phoneViews : everyView
  const view = views.find((one) => one === search.view) ?? (phone ? 'list' : 'week')
  const { clock, shown, list } = useCalendar(search, view)
  const hours = useHours()
  const names = useNames()
  const { move, asked } = useMove(names)
  const appointments = list.data?.data ?? noAppointments
  const now = today(clock)

  const goTo = (day: string) => onChange({ day: day === now ? undefined : day })
  const { layers, isOpen, book, edit } = useAppointmentLayers({
    looked: search.appointment ?? null,
    onLook(id) {
      onChange({ appointment: id ?? undefined }, id === null)
      // The calendar has drawn it anew meanwhile.
      if (id === null) setTimeout(() => document.activeElement === document.body && appointmentElement(search.appointment ?? '')?.focus())
    },
    onSaved(after) {
      const { day } = toLocal(after.startsAt, clock.timeZone)
      if (!showsDay(view, shown, day)) goTo(day)
    },
  })
  const filtered = { providerId: search.provider ?? null, roomId: search.room ?? null }
  const begin = () => book(null, { ...filtered, day: shown < now ? now : shown })
  useCalendarKeys({
    appointments,
    onStep: (by) => goTo(stepFrom(view, shown, by)),
    onToday: () => goTo(now),
    onBook: mayBook ? begin : undefined,
    onMove: mayChange ? (id) => edit('move', id) : undefined,
  })

  // The palette leads here with the dialog; the address does not open it again.
  const open = useEffectEvent(() => {
    onChange({ book: undefined }, true)
    if (mayBook) begin()
  })
  useEffect(() => {
    if (search.book) open()
  }, [search.book])

  const by: Columns | null = view === 'day' && !narrow ? (search.by ?? null) : null
  const columns = useMemo((): DayColumns | null => {
    if (by === null) return null
    const known =
      by === 'provider'
        ? names.providers.filter(({ role }) => role === 'provider').map(({ id, fullName }) => ({ id, name: fullName }))
        : names.rooms.filter(({ isActive }) => isActive).map(({ id, name }) => ({ id, name }))
    const chosen = by === 'provider' ? search.provider : search.room
    const nameOf = (id: string) => (by === 'provider' ? providerName(id, names) : roomName(id, names)) ?? ''
    return { by, day: shown, columns: columnsOf(by, chosen ? known.filter(({ id }) => id === chosen) : known, appointments, nameOf) }
  }, [by, names, search.provider, search.room, shown, appointments])

  const inColumn = ({ column }: Place) =>
    by === null || !column ? {} : by === 'provider' ? { providerId: column.id } : { roomId: column.id }
  function moved(appointment: AppointmentData, place: Place) {
    const { providerId, roomId } = appointment
    move(appointment, {
      providerId,
      roomId,
      ...inColumn(place),
      startsAt: place.startsAt.toISOString(),
      endsAt: place.endsAt.toISOString(),
    })
  }
  function marked(place: Place, isWholeDay: boolean) {
    const { day, time } = toLocal(place.startsAt, clock.timeZone)
    const minutes = (place.endsAt.getTime() - place.startsAt.getTime()) / 60_000
    const length = isWholeDay || minutes <= shortestMark ? {} : { minutes: String(minutes) }
    book(null, { ...filtered, ...inColumn(place), day, time: isWholeDay ? '' : time, ...length })
  }

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
        narrow={narrow}
        onChange={onChange}
        onDay={goTo}
      />
      {list.error && !list.data ? (
        <ErrorState title="Appointments did not load" onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {messageOf(list.error)}
        </ErrorState>
      ) : list.isPending || (view !== 'list' && hours.isPending) ? (
        <SkeletonRows rows={12} className="min-h-0 flex-1 overflow-hidden" />
      ) : (
        <div
          aria-busy={list.isPlaceholderData}
          className={cn('flex min-h-0 flex-1 flex-col', list.isPlaceholderData && view === 'list' && 'opacity-60')}
        >
          {list.data?.isCut && <p className="px-4 py-2 text-sm text-fg-2 md:px-6">Not all are shown: choose a provider or a room.</p>}
          {view === 'list' ? (
            <AppointmentList
              appointments={appointments}
              names={names}
              clock={clock}
              narrow={narrow}
              isFiltered={isFiltered(search)}
              onOpen={(appointment) => onChange({ appointment })}
              onClear={() => onChange({ provider: undefined, room: undefined })}
              onBook={mayBook ? begin : undefined}
            />
          ) : (
            <PageBoundary path={view} fallback={<SkeletonRows rows={12} className="min-h-0 flex-1 overflow-hidden" />}>
              <CalendarGrid
                view={view}
                day={shown}
                columns={columns}
                appointments={appointments}
                hours={hours.data ?? noAppointments}
                names={names}
                clock={clock}
                mayChange={mayChange}
                mayBook={mayBook}
                isBooking={isOpen}
                onOpen={(appointment) => onChange({ appointment })}
                onMove={moved}
                onMark={marked}
                onDay={(day) => onChange({ view: 'day', day: day === now ? undefined : day })}
              />
            </PageBoundary>
          )}
          {view !== 'list' && <Legend />}
        </div>
      )}
      {layers}
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={asked.letGo}
          title="Book it anyway?"
          confirmLabel="Book it anyway"
          cancelLabel="Leave it"
          onConfirm={asked.insist}
        >
          The practice is closed on {formatDateTime(asked.spot.startsAt, clock)}. {patientName(asked.appointment)} stays where they were
          until you say so.
        </ConfirmDialog>
      )}
    </>
  )
}

/** Minutes: a click marks as much as one step of the calendar, and means the usual length. */
const shortestMark = 15
