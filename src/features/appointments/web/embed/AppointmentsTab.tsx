import { CalendarX2 } from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useMemo } from 'react'
import { toLocal } from '../../../../shared/zoned-time.ts'
import { CalendarBody, prepareGrid, type Spot } from '../../../calendar/web/embed/CalendarBody.tsx'
import { type View, viewLabels } from '../../../calendar/web/embed/calendar-search.ts'
import { CalendarToolbar } from '../../../calendar/web/embed/CalendarToolbar.tsx'
import type { FaceSituation } from '../../../calendar/web/embed/grid-content.tsx'
import { useNames } from '../../../calendar/web/embed/names.ts'
import { showsDay, stepFrom } from '../../../calendar/web/embed/periods.ts'
import { useCalendarKeys } from '../../../calendar/web/embed/useCalendarKeys.ts'
import { entryElement } from '../../../calendar/web/embed/useFocusOnEntries.ts'
import { useHours } from '../../../practice/web/embed/usePractice.ts'
import { messageOf } from '../../../../web/api.ts'
import { ConfirmDialog } from '../../../../web/ui/ConfirmDialog.tsx'
import { cn } from '../../../../web/ui/cn.ts'
import { ErrorState } from '../../../../web/ui/EmptyState.tsx'
import { formatDateTime, today } from '../../../../web/ui/format.ts'
import { IconButton } from '../../../../web/ui/IconButton.tsx'
import { SkeletonRows } from '../../../../web/ui/Skeleton.tsx'
import { useMedia, usePhone } from '../../../../web/ui/useMedia.ts'
import { useMay } from '../../../../web/useMay.ts'
import { patientName } from '../appointment-data.ts'
import { entryOf } from '../looks.ts'
import { AppointmentFace } from '../page/AppointmentFace.tsx'
import { AppointmentList } from '../page/AppointmentList.tsx'
import { Legend } from '../page/Legend.tsx'
import { useCalendar } from '../page/useCalendar.ts'
import { useAppointmentLayers } from '../useAppointmentLayers.tsx'
import { useMove } from '../useMove.ts'
import type { AppointmentsSearch } from './appointments-search.ts'

const everyView = Object.keys(viewLabels) as View[]
/** Seven columns have no room on a phone. */
const phoneViews = everyView.filter((view) => view !== 'week')
const none: readonly never[] = []

interface AppointmentsTabProps {
  search: AppointmentsSearch
  /** `replace`: without a step of the history of its own. */
  onChange: (part: AppointmentsSearch, replace?: boolean) => void
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
  const appointments = list.data?.data ?? none
  const now = today(clock)
  useEffect(() => {
    if (view !== 'list') prepareGrid()
  }, [view])

  const goTo = (day: string) => onChange({ day: day === now ? undefined : day })
  const { layers, isOpen, book, edit } = useAppointmentLayers({
    looked: search.appointment ?? null,
    onLook(id) {
      onChange({ appointment: id ?? undefined }, id === null)
      // The calendar has drawn it anew meanwhile.
      if (id === null) setTimeout(() => document.activeElement === document.body && entryElement(search.appointment ?? '')?.focus())
    },
    onSaved(after) {
      const { day } = toLocal(after.startsAt, clock.timeZone)
      if (!showsDay(view, shown, day)) goTo(day)
    },
  })
  const filtered = { providerId: search.provider ?? null, roomId: search.room ?? null }
  const begin = () => book(null, { ...filtered, day: shown < now ? now : shown })
  useCalendarKeys({
    noun: 'appointment',
    entries: appointments,
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

  const entries = useMemo(() => appointments.map(entryOf), [appointments])
  const byId = useMemo(() => new Map(appointments.map((one) => [one.id, one])), [appointments])
  const face = useCallback(
    (id: string, situation: FaceSituation) => (
      <AppointmentFace appointment={byId.get(id)!} names={names} timeZone={clock.timeZone} {...situation} />
    ),
    [byId, names, clock.timeZone],
  )
  function moved(id: string, { startsAt, endsAt, column }: Spot) {
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
        filters={
          <IconButton
            label={search.all ? 'Hide cancelled and missed' : 'Show cancelled and missed'}
            variant="outlined"
            aria-pressed={search.all !== undefined}
            icon={<CalendarX2 />}
            onClick={() => onChange({ all: search.all ? undefined : 'true' })}
            className="aria-pressed:border-accent-line aria-pressed:bg-selected aria-pressed:text-accent-fg"
          />
        }
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
