import { ListTodo, Printer } from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useMemo } from 'react'
import { toLocal } from '../../../../shared/zoned-time.ts'
import { CalendarBody, prepareGrid, type Spot } from '../../../calendar/web/embed/CalendarBody.tsx'
import type { View } from '../../../calendar/web/embed/calendar-search.ts'
import { CalendarToolbar, toolbarSelect } from '../../../calendar/web/embed/CalendarToolbar.tsx'
import type { FaceSituation } from '../../../calendar/web/embed/grid-content.tsx'
import { useNames } from '../../../calendar/web/embed/names.ts'
import { showsDay, stepFrom } from '../../../calendar/web/embed/periods.ts'
import { useCalendarKeys } from '../../../calendar/web/embed/useCalendarKeys.ts'
import { entryElement } from '../../../calendar/web/embed/useFocusOnEntries.ts'
import { useHours } from '../../../practice/web/embed/usePractice.ts'
import { messageOf } from '../../../../web/api.ts'
import { cn } from '../../../../web/ui/cn.ts'
import { ErrorState } from '../../../../web/ui/EmptyState.tsx'
import { formatCount, today } from '../../../../web/ui/format.ts'
import { IconButton } from '../../../../web/ui/IconButton.tsx'
import { Select } from '../../../../web/ui/Select.tsx'
import { SkeletonRows } from '../../../../web/ui/Skeleton.tsx'
import { useMedia, usePhone } from '../../../../web/ui/useMedia.ts'
import { useMay } from '../../../../web/useMay.ts'
import { shownStatuses } from '../../rules.ts'
import { entryOf } from '../looks.ts'
import { useMoveSurgery } from '../useMoveSurgery.ts'
import { useSurgeryLayers } from '../useSurgeryLayers.tsx'
import { statusLabels } from '../words.ts'
import { DaySheet } from './DaySheet.tsx'
import { SurgeryFace } from './SurgeryFace.tsx'
import { SurgeryLegend } from './SurgeryLegend.tsx'
import { SurgeryList } from './SurgeryList.tsx'
import type { SurgeriesSearch } from './surgeries-search.ts'
import { useSurgeries } from './useSurgeries.ts'

/** What is to come first, as spec 2 has it. */
const everyView: readonly View[] = ['list', 'month', 'week', 'day']
/** Seven columns have no room on a phone. */
const phoneViews = everyView.filter((view) => view !== 'week')
const none: readonly never[] = []

interface SurgeriesTabProps {
  search: SurgeriesSearch
  /** `replace`: without a step of the history of its own. */
  onChange: (part: SurgeriesSearch, replace?: boolean) => void
}

/** The surgeries to come with what is missing of each, and their calendar. */
export function SurgeriesTab({ search, onChange }: SurgeriesTabProps) {
  const phone = usePhone()
  const narrow = useMedia('(width < 60rem)')
  const may = useMay()
  const [mayBook, mayChange] = [may('surgeries.create'), may('surgeries.change')]
  const views = phone ? phoneViews : everyView
  const view = views.find((one) => one === search.view) ?? 'list'
  const { clock, shown, list } = useSurgeries(search, view)
  const hours = useHours()
  const names = useNames()
  const move = useMoveSurgery(names)
  const surgeries = list.data?.data ?? none
  const now = today(clock)
  useEffect(() => {
    if (view !== 'list') prepareGrid()
  }, [view])

  const goTo = (day: string) => onChange({ day: day === now ? undefined : day })
  const { layers, isOpen, book, edit } = useSurgeryLayers({
    looked: search.surgery ?? null,
    onLook(id) {
      onChange({ surgery: id ?? undefined }, id === null)
      // The calendar has drawn it anew meanwhile.
      if (id === null) setTimeout(() => document.activeElement === document.body && entryElement(search.surgery ?? '')?.focus())
    },
    onSaved(after) {
      const { day } = toLocal(after.startsAt, clock.timeZone)
      if (view !== 'list' && !showsDay(view, shown, day)) goTo(day)
    },
  })
  const filtered = { surgeonId: search.provider ?? null, roomId: search.room ?? null }
  const begin = () => book(null, view === 'list' ? filtered : { ...filtered, day: shown < now ? now : shown })
  useCalendarKeys({
    noun: 'surgery',
    entries: surgeries,
    onStep: view === 'list' ? undefined : (by) => goTo(stepFrom(view, shown, by)),
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

  const entries = useMemo(() => surgeries.map(entryOf), [surgeries])
  const byId = useMemo(() => new Map(surgeries.map((one) => [one.id, one])), [surgeries])
  const face = useCallback(
    (id: string, situation: FaceSituation) => (
      <SurgeryFace surgery={byId.get(id)!} names={names} timeZone={clock.timeZone} {...situation} />
    ),
    [byId, names, clock.timeZone],
  )
  const takenFrom = (column: Spot['column']) =>
    column === null ? {} : 'roomId' in column ? { roomId: column.roomId } : { surgeonId: column.providerId }
  function moved(id: string, { startsAt, endsAt, column }: Spot) {
    const surgery = byId.get(id)!
    const { surgeonId, roomId } = surgery
    move(surgery, { surgeonId, roomId, ...takenFrom(column), startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() })
  }
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
            <div className="w-28 flex-none">
              <Select
                aria-label="Status"
                value={search.status ?? null}
                onValueChange={(status) => onChange({ status: status ?? undefined })}
                options={shownStatuses.map((value) => ({ value, label: statusLabels[value] }))}
                noneLabel="Any status"
                className={toolbarSelect}
              />
            </div>
            <IconButton
              label={search.missing ? 'Show all' : 'Only with something missing'}
              variant="outlined"
              aria-pressed={search.missing !== undefined}
              icon={<ListTodo />}
              onClick={() => onChange({ missing: search.missing ? undefined : 'true' })}
              className="aria-pressed:border-accent-line aria-pressed:bg-selected aria-pressed:text-accent-fg"
            />
            {view === 'day' && !phone && (
              <IconButton label="Print this day" variant="outlined" icon={<Printer />} onClick={() => window.print()} />
            )}
          </>
        }
        onChange={onChange}
        onDay={goTo}
      />
      {list.error && !list.data ? (
        <ErrorState title="Surgeries did not load" onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {messageOf(list.error)}
        </ErrorState>
      ) : list.isPending || (view !== 'list' && hours.isPending) ? (
        <SkeletonRows rows={12} className="min-h-0 flex-1 overflow-hidden" />
      ) : (
        <div
          aria-busy={list.isPlaceholderData}
          className={cn('flex min-h-0 flex-1 flex-col', list.isPlaceholderData && view === 'list' && 'opacity-60')}
        >
          {list.data?.isCut && (
            <p className="px-4 py-2 text-sm text-fg-2 md:px-6">Not all are shown: choose a surgeon, a room or a status.</p>
          )}
          {view === 'list' ? (
            <SurgeryList
              surgeries={surgeries}
              search={search}
              names={names}
              clock={clock}
              narrow={narrow}
              onOpen={(surgery) => onChange({ surgery })}
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
            <DaySheet day={shown} surgeries={surgeries} search={search} names={names} clock={clock} />
          )}
        </div>
      )}
      {layers}
    </>
  )
}
