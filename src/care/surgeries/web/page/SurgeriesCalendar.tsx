import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ListTodo } from 'lucide-react'
import { useCallback } from 'react'
import { BookingCalendar, type InitialBooking } from '../../../calendar/web/embed/BookingCalendar.tsx'
import { lengthOf } from '../../../calendar/web/embed/grid/entry.ts'
import type { EventSituation } from '../../../calendar/web/embed/grid/grid-content.tsx'
import { daysToExport } from '../../../calendar/web/embed/periods.ts'
import { type CalendarPage, restoreFocus, useCalendarPage } from '../../../calendar/web/embed/useCalendarPage.ts'
import { useMove } from '../../../calendar/web/embed/booking/useMove.ts'
import { client, orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { formatCount } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { ToolbarSelect } from '../../../../ui/display/Toolbar.tsx'
import { shownStatuses } from '../../rules.ts'
import { isPlanned, statusLabels } from '../labels.ts'
import { entryOf } from '../styles.ts'
import { type SurgeryInList, surgeryKind } from '../surgery-data.ts'
import { useLiveSurgeries } from '../useLiveSurgeries.ts'
import { useSurgeryDialogs } from '../useSurgeryDialogs.tsx'
import type { SurgeriesSearch } from './surgeries-search.ts'
import { SurgeryContent } from './SurgeryContent.tsx'
import { SurgeryDaySheet } from './SurgeryDaySheet.tsx'
import { SurgeryLegend } from './SurgeryLegend.tsx'
import { SurgeryList } from './SurgeryList.tsx'

const none: readonly never[] = []

/** The surgeries of the visible period, refreshed by server events. The list shows all upcoming ones, or all of the chosen status. */
function useSurgeries({ view, period, search }: CalendarPage<SurgeriesSearch>) {
  const { provider, room, status, missing } = search
  const input = { ...(view === 'list' ? {} : period), surgeonId: provider, roomId: room, status, missing: missing ?? ('false' as const) }
  const list = useQuery(orpc.surgeries.list.queryOptions({ input, placeholderData: keepPreviousData, staleTime: 0 }))
  useLiveSurgeries(list.data?.data ?? none)
  return list
}

interface SurgeriesCalendarProps {
  search: SurgeriesSearch
  /** `replace`: replaces the browser history entry. */
  onChange: (part: SurgeriesSearch, replace?: boolean) => void
}

/** Upcoming surgeries with missing items, and their calendar. */
export function SurgeriesCalendar({ search, onChange }: SurgeriesCalendarProps) {
  const may = usePermission()
  const page = useCalendarPage({ search, onChange, defaultView: 'list', listHasPeriod: false })
  const { view, shown, clock, names } = page
  const list = useSurgeries(page)
  const { move } = useMove<SurgeryInList>(surgeryKind, names, {
    send({ id, version }, place) {
      const { startsAt, providerId: surgeonId, roomId } = place
      return client.surgeries.change({ id, version, startsAt, surgeonId, roomId, minutes: lengthOf(place) })
    },
  })
  const { dialogs, isOpen, book, edit } = useSurgeryDialogs({
    viewedId: search.surgery ?? null,
    viewedItemId: search.item,
    onView(id) {
      onChange({ surgery: id ?? undefined, item: undefined }, id === null)
      if (id === null && search.surgery) restoreFocus(search.surgery)
    },
    onSaved: page.showDayOf,
  })
  const renderEvent = useCallback(
    (surgery: SurgeryInList, situation: EventSituation) => (
      <SurgeryContent surgery={surgery} situation={situation} names={names} timeZone={clock.timeZone} />
    ),
    [names, clock.timeZone],
  )
  // The export cannot filter by readiness or missing items.
  const isExportable = !search.status && !search.missing
  const days = view === 'list' ? { from: page.now } : daysToExport(view, shown)
  return (
    <>
      <BookingCalendar<SurgeryInList>
        kind={surgeryKind}
        page={page}
        list={list}
        toolbar={{
          person: 'surgeon',
          title: view === 'list' ? <ListTitle status={search.status} count={list.data?.data.length} /> : undefined,
          filters: <SurgeryFilters search={search} onChange={onChange} />,
          exported: isExportable ? { surgeonId: search.provider, roomId: search.room, ...days } : null,
        }}
        actions={{
          book: may('surgeries.create')
            ? ({ providerId, ...given }: InitialBooking) => book(null, { ...given, surgeonId: providerId })
            : undefined,
          isBooking: isOpen,
          day: view === 'list' ? undefined : page.dayToBook,
          isBookRequested: search.book !== undefined,
          onBookHandled: () => onChange({ book: undefined }, true),
          open: (surgery) => onChange({ surgery }),
          mayChange: may('surgeries.change'),
          isMovable: ({ status }) => isPlanned(status),
          edit: (id) => edit('move', id),
          move,
        }}
        content={{
          entryOf,
          renderEvent,
          roomKind: 'operating',
          legend: <SurgeryLegend />,
          truncatedHint: 'Not all surgeries are shown. Filter by surgeon, room or status.',
        }}
        renderList={(surgeries, begin) => (
          <SurgeryList
            surgeries={surgeries}
            page={page}
            onOpen={(surgery, item) => onChange({ surgery, item })}
            onClear={() => onChange({ provider: undefined, room: undefined, status: undefined, missing: undefined })}
            onBook={begin}
          />
        )}
        renderSheet={(surgeries) => <SurgeryDaySheet surgeries={surgeries} page={page} />}
      />
      {dialogs}
    </>
  )
}

/** 'Upcoming 12' */
function ListTitle({ status, count }: { status: SurgeriesSearch['status']; count: number | undefined }) {
  return (
    <>
      {status ? statusLabels[status] : 'Upcoming'}
      {count !== undefined && <span className="pl-1.5 font-regular text-fg-3 tabular-nums">{formatCount(count)}</span>}
    </>
  )
}

function SurgeryFilters({ search, onChange }: SurgeriesCalendarProps) {
  return (
    <>
      <ToolbarSelect
        label="Status"
        value={search.status}
        onChange={(status) => onChange({ status })}
        options={shownStatuses.map((value) => ({ value, label: statusLabels[value] }))}
        any="All statuses"
        className="w-28"
      />
      <IconButton
        label={search.missing ? 'Show all' : 'Only with missing items'}
        variant="outlined"
        aria-pressed={search.missing !== undefined}
        icon={<ListTodo />}
        onClick={() => onChange({ missing: search.missing ? undefined : 'true' })}
        className="aria-pressed:border-accent-line aria-pressed:bg-selected aria-pressed:text-accent-fg"
      />
    </>
  )
}
