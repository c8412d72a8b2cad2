import { ListTodo, Printer } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { BookButton } from '../../../calendar/web/embed/BookButton.tsx'
import { CalendarBody, type TimeSlot } from '../../../calendar/web/embed/CalendarBody.tsx'
import { everyView } from '../../../calendar/web/embed/calendar-search.ts'
import { CalendarStates } from '../../../calendar/web/embed/CalendarStates.tsx'
import { CalendarToolbar } from '../../../calendar/web/embed/CalendarToolbar.tsx'
import type { FaceSituation } from '../../../calendar/web/embed/grid-content.tsx'
import { daysToExport } from '../../../calendar/web/embed/periods.ts'
import { useNames } from '../../../calendar/web/embed/names.ts'
import { useBookFromAddress } from '../../../calendar/web/embed/useBookFromAddress.ts'
import { useCalendarKeys } from '../../../calendar/web/embed/useCalendarKeys.ts'
import { focusAgain, useCalendarPage, useView } from '../../../calendar/web/embed/useCalendarPage.ts'
import { useHours } from '../../../../platform/practice/web/embed/usePractice.ts'
import { formatCount } from '../../../../ui/format.ts'
import { ExportMenu } from '../../../../ui/ExportMenu.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { ToolbarSelect } from '../../../../ui/Toolbar.tsx'
import { useMay } from '../../../../ui/client/useMay.ts'
import { shownStatuses } from '../../rules.ts'
import { entryOf } from '../looks.ts'
import { useMoveSurgery } from '../useMoveSurgery.ts'
import { useSurgeryDialogs } from '../useSurgeryDialogs.tsx'
import { isAwaited, statusLabels } from '../labels.ts'
import { SurgeryDaySheet } from './SurgeryDaySheet.tsx'
import { SurgeryContent } from './SurgeryContent.tsx'
import { SurgeryLegend } from './SurgeryLegend.tsx'
import { SurgeryList } from './SurgeryList.tsx'
import type { SurgeriesSearch } from './surgeries-search.ts'
import { useSurgeries } from './useSurgeries.ts'

const none: readonly never[] = []

interface SurgeriesCalendarProps {
  search: SurgeriesSearch
  /** `replace`: without a step of the history of its own. */
  onChange: (part: SurgeriesSearch, replace?: boolean) => void
}

/** The surgeries to come with what is missing of each, and their calendar. */
export function SurgeriesCalendar({ search, onChange }: SurgeriesCalendarProps) {
  const may = useMay()
  const [mayBook, mayChange] = [may('surgeries.create'), may('surgeries.change')]
  const { phone, narrow, views, view } = useView(everyView, 'list', search.view)
  const { clock, shown, list } = useSurgeries(search, view)
  const hours = useHours()
  const names = useNames()
  const move = useMoveSurgery(names)
  const surgeries = list.data?.data ?? none
  const { now, goTo, step, dayToBook, follow } = useCalendarPage({
    view,
    shown,
    clock,
    listHasDays: false,
    onDay: (day) => onChange({ day }),
  })
  const { layers, isOpen, book, edit } = useSurgeryDialogs({
    looked: search.surgery ?? null,
    lookedItem: search.item,
    onLook(id) {
      onChange({ surgery: id ?? undefined, item: undefined }, id === null)
      if (id === null && search.surgery) focusAgain(search.surgery)
    },
    onSaved: follow,
  })
  const filtered = { surgeonId: search.provider ?? null, roomId: search.room ?? null }
  const begin = () => book(null, view === 'list' ? filtered : { ...filtered, day: dayToBook })
  useCalendarKeys({
    noun: 'surgery',
    entries: surgeries,
    onStep: step,
    onToday: () => goTo(now),
    onBook: mayBook ? begin : undefined,
    onMove: mayChange ? (id) => surgeries.some((one) => one.id === id && isAwaited(one.status)) && edit('move', id) : undefined,
  })

  useBookFromAddress(search.book !== undefined, () => {
    onChange({ book: undefined }, true)
    if (mayBook) begin()
  })

  const entries = useMemo(() => surgeries.map(entryOf), [surgeries])
  const byId = useMemo(() => new Map(surgeries.map((one) => [one.id, one])), [surgeries])
  const face = useCallback(
    (id: string, situation: FaceSituation) => (
      <SurgeryContent surgery={byId.get(id)!} names={names} timeZone={clock.timeZone} {...situation} />
    ),
    [byId, names, clock.timeZone],
  )
  const takenFrom = (column: TimeSlot['column']) =>
    column === null ? {} : 'roomId' in column ? { roomId: column.roomId } : { surgeonId: column.providerId }
  function moved(id: string, { startsAt, endsAt, column }: TimeSlot) {
    const surgery = byId.get(id)!
    const { surgeonId, roomId } = surgery
    move(surgery, { surgeonId, roomId, ...takenFrom(column), startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() })
  }
  // The file does not know what is missing of a case.
  const isWhole = !search.status && !search.missing
  const by = view === 'day' && !narrow ? (search.by ?? null) : null
  const clear = { provider: undefined, room: undefined, status: undefined, missing: undefined }

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
        person="surgeon"
        narrow={narrow}
        action={mayBook && <BookButton noun="surgery" onClick={begin} />}
        title={
          view === 'list' ? (
            <>
              {search.status ? statusLabels[search.status] : 'To come'}
              {list.data && <span className="pl-1.5 font-regular text-fg-3 tabular-nums">{formatCount(surgeries.length)}</span>}
            </>
          ) : undefined
        }
        filters={
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
              label={search.missing ? 'Show all' : 'Only with something missing'}
              variant="outlined"
              aria-pressed={search.missing !== undefined}
              icon={<ListTodo />}
              onClick={() => onChange({ missing: search.missing ? undefined : 'true' })}
              className="aria-pressed:border-accent-line aria-pressed:bg-selected aria-pressed:text-accent-fg"
            />
            {isWhole && (
              <ExportMenu
                address="/api/surgeries"
                filters={{
                  surgeonId: search.provider,
                  roomId: search.room,
                  ...(view === 'list' ? { from: now } : daysToExport(view, shown)),
                }}
                compact
              />
            )}
            {view === 'day' && !phone && (
              <IconButton label="Print this day" variant="outlined" icon={<Printer />} onClick={() => window.print()} />
            )}
          </>
        }
        onChange={onChange}
        onDay={goTo}
      />
      <CalendarStates
        what="Surgeries"
        list={list}
        waits={view !== 'list' && hours.isPending}
        view={view}
        cut="Not all are shown: choose a surgeon, a room or a status."
      >
        {view === 'list' ? (
          <SurgeryList
            surgeries={surgeries}
            search={search}
            names={names}
            clock={clock}
            narrow={narrow}
            onOpen={(surgery, item) => onChange({ surgery, item })}
            onClear={() => onChange(clear)}
            onBook={mayBook ? begin : undefined}
          />
        ) : (
          <>
            <CalendarBody
              view={view}
              shown={shown}
              search={search}
              by={by}
              roomKind="operating"
              entries={entries}
              face={face}
              hours={hours.data ?? none}
              names={names}
              clock={clock}
              mayChange={mayChange}
              mayBook={mayBook}
              isBooking={isOpen}
              onOpen={(surgery) => onChange({ surgery })}
              onMove={moved}
              onMark={({ day, time, minutes, column }) =>
                book(null, { ...filtered, ...takenFrom(column), day, time, ...(minutes && { minutes }) })
              }
              onDay={(day) => onChange({ view: 'day', day: day === now ? undefined : day })}
            />
            <SurgeryLegend />
          </>
        )}
        {view === 'day' && !list.isPlaceholderData && (
          <SurgeryDaySheet day={shown} surgeries={surgeries} search={search} names={names} clock={clock} />
        )}
      </CalendarStates>
      {layers}
    </>
  )
}
