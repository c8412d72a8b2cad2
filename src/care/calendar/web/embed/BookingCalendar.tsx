import type { UseQueryResult } from '@tanstack/react-query'
import { CalendarPlus, Printer } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo } from 'react'
import type { RoomKind } from '../../../../platform/practice/rules.ts'
import { useHours } from '../../../../platform/practice/web/embed/usePractice.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ExportMenu } from '../../../../ui/display/ExportMenu.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import type { Booking, BookingKind } from './booking/bookings.ts'
import type { TimeSlot } from './calendar-actions.ts'
import { CalendarBody } from './grid/CalendarBody.tsx'
import { CalendarStates } from './CalendarStates.tsx'
import { CalendarToolbar } from './CalendarToolbar.tsx'
import type { Entry } from './grid/entry.ts'
import type { EventSituation } from './grid/grid-content.tsx'
import type { Slot } from './booking/move-labels.ts'
import { useCalendarKeys } from './useCalendarKeys.ts'
import type { CalendarPage } from './useCalendarPage.ts'

/** Initial values of a new booking, from the page's filters or the selected time. */
export interface InitialBooking {
  providerId: string | null
  roomId: string | null
  day?: string
  time?: string
  minutes?: string
}

interface BookingCalendarProps<Data extends Booking> {
  kind: BookingKind<Data>
  page: CalendarPage
  list: UseQueryResult<{ data: Data[]; isTruncated: boolean }>
  toolbar: {
    person: 'provider' | 'surgeon'
    title?: ReactNode
    filters: ReactNode
    /** Filters of the export; null if it could not match what the page shows. */
    exported: Record<string, string | undefined> | null
  }
  actions: {
    /** Undefined without permission. */
    book: ((given: InitialBooking) => void) | undefined
    isBooking: boolean
    /** The day of a new booking unless a time was selected. */
    day: string | undefined
    /** The URL asks for a new booking; `onBookHandled` removes that from the URL. */
    isBookRequested: boolean
    onBookHandled: () => void
    open: (id: string) => void
    mayChange: boolean
    /** Whether a booking can be moved in the dialog. */
    isMovable: (booking: Data) => boolean
    edit: (id: string) => void
    move: (booking: Data, place: Slot) => void
  }
  content: {
    /** Stable functions, so that events are not rendered again. */
    entryOf: (booking: Data) => Entry
    renderEvent: (booking: Data, situation: EventSituation) => ReactNode
    background?: readonly Entry[]
    roomKind?: RoomKind
    legend: ReactNode
    /** Above a day. */
    notice?: ReactNode
    /** Shown if the list is truncated. */
    truncatedHint: string
  }
  renderList: (bookings: readonly Data[], begin: (() => void) | undefined) => ReactNode
  /** The printed day. */
  renderSheet: (bookings: readonly Data[]) => ReactNode
}

const none: readonly never[] = []
const titles = { appointment: 'Appointments', surgery: 'Surgeries' }

/** A page of bookings: toolbar, shortcuts, calendar or list, and the printed day. */
export function BookingCalendar<Data extends Booking>(props: BookingCalendarProps<Data>) {
  const { kind, page, list, toolbar, actions, content, renderList, renderSheet } = props
  const { view, now, filtered } = page
  const { book, isMovable } = actions
  const { entryOf, renderEvent } = content
  const hours = useHours()
  const bookings = list.data?.data ?? none
  const begin = book && (() => book({ ...filtered, ...(actions.day !== undefined && { day: actions.day }) }))
  useCalendarKeys({
    noun: kind.noun,
    entries: bookings,
    onStep: page.step,
    onToday: () => page.goTo(now),
    onBook: begin,
    onMove: actions.mayChange ? (id) => bookings.some((one) => one.id === id && isMovable(one)) && actions.edit(id) : undefined,
  })
  useBookFromAddress(actions.isBookRequested, () => {
    actions.onBookHandled()
    begin?.()
  })
  const entries = useMemo(() => bookings.map(entryOf), [bookings, entryOf])
  const byId = useMemo(() => new Map(bookings.map((one) => [one.id, one])), [bookings])
  const renderById = useCallback((id: string, situation: EventSituation) => renderEvent(byId.get(id)!, situation), [byId, renderEvent])

  function moved(id: string, { startsAt, endsAt, column }: TimeSlot) {
    const booking = byId.get(id)!
    actions.move(booking, { ...kind.slotOf(booking), ...column, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() })
  }

  return (
    <>
      <CalendarToolbar
        page={page}
        person={toolbar.person}
        title={toolbar.title}
        action={begin && <BookButton noun={kind.noun} onClick={begin} />}
        filters={
          <>
            {toolbar.filters}
            {toolbar.exported && <ExportMenu address={`/api/${titles[kind.noun].toLowerCase()}`} filters={toolbar.exported} compact />}
            {view === 'day' && !page.phone && (
              <IconButton label="Print this day" variant="outlined" icon={<Printer />} onClick={() => window.print()} />
            )}
          </>
        }
      />
      <CalendarStates
        what={titles[kind.noun]}
        list={list}
        isPending={view !== 'list' && hours.isPending}
        view={view}
        truncatedHint={content.truncatedHint}
      >
        {view === 'list' ? (
          renderList(bookings, begin)
        ) : (
          <>
            {view === 'day' && content.notice}
            <CalendarBody
              page={page}
              view={view}
              roomKind={content.roomKind}
              events={{ entries, background: content.background, render: renderById }}
              hours={hours.data ?? none}
              actions={{
                mayChange: actions.mayChange,
                mayBook: book !== undefined,
                isBooking: actions.isBooking,
                onOpen: actions.open,
                onMove: moved,
                onMark: ({ day, time, minutes, column }) => book?.({ ...filtered, ...column, day, time, ...(minutes && { minutes }) }),
                onDay: (day) => page.change({ view: 'day', day: day === now ? undefined : day }),
              }}
            />
            {content.legend}
          </>
        )}
        {view === 'day' && !list.isPlaceholderData && renderSheet(bookings)}
      </CalendarStates>
    </>
  )
}

function BookButton({ noun, onClick }: { noun: string; onClick: () => void }) {
  return (
    <Button variant="filled" icon={<CalendarPlus />} className="max-md:h-9" onClick={onClick}>
      <span className="max-md:sr-only">Book {noun}</span>
      <span aria-hidden="true" className="md:hidden">
        Book
      </span>
    </Button>
  )
}

/** Opens the booking dialog when the URL asks for it, as the command palette does. `onBookHandled` also removes that from the URL. */
function useBookFromAddress(isBookRequested: boolean, onBookHandled: () => void): void {
  const open = useEffectEvent(onBookHandled)
  useEffect(() => {
    if (isBookRequested) open()
  }, [isBookRequested])
}
