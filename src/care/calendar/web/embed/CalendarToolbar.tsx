import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import { ToolbarSelect } from '../../../../ui/display/Toolbar.tsx'
import { type View, viewLabels } from './calendar-search.ts'
import { showsDay, stepFrom, titleOf } from './periods.ts'
import type { CalendarPage } from './useCalendarPage.ts'

const periodNouns: Record<View, string> = { day: 'day', week: 'week', month: 'month', list: 'two weeks' }

interface CalendarToolbarProps {
  page: CalendarPage
  /** What the people are called. */
  person: 'provider' | 'surgeon'
  /** Replaces the period, for a view without one. */
  title?: ReactNode
  /** The booking button, at the end of the first row. */
  action: ReactNode
  /** More filters after provider and room. */
  filters: ReactNode
}

/** Period, layout, columns and filters. */
export function CalendarToolbar({ page, person, title, action, filters }: CalendarToolbarProps) {
  const { search, view, views, shown, now: today, by: columns, names, narrow, change: onChange, goTo: onDay } = page
  const unit = periodNouns[view]
  const layouts = (
    <SegmentedControl
      aria-label="Layout"
      value={view}
      onValueChange={(next) => onChange({ view: next })}
      options={views.map((value) => ({ value, label: viewLabels[value] }))}
    />
  )
  return (
    <div className="flex-none border-b border-line px-4 md:px-6">
      <div className="-ml-2 flex h-12 items-center gap-1">
        {title === undefined && (
          <>
            <IconButton
              label={`Previous ${periodNouns[view]}`}
              keys="left"
              icon={<ChevronLeft />}
              onClick={() => onDay(stepFrom(view, shown, -1))}
            />
            <IconButton
              label={`Next ${periodNouns[view]}`}
              keys="right"
              icon={<ChevronRight />}
              onClick={() => onDay(stepFrom(view, shown, 1))}
            />
          </>
        )}
        <h2 className={cn('min-w-0 truncate px-1 text-md font-semibold', title !== undefined && 'pl-2')} aria-live="polite">
          {title ?? titleOf(view, shown)}
        </h2>
        {title === undefined && !showsDay(view, shown, today) && (
          <Button size="sm" variant="quiet" onClick={() => onDay(today)} title={`Go to the ${unit} with today`}>
            Today
          </Button>
        )}
        <div className="ml-auto flex flex-none items-center gap-2 pl-2">
          {!narrow && layouts}
          {action}
        </div>
      </div>
      <div className={cn('flex h-13 items-center gap-2', narrow && 'no-scrollbar -mx-4 overflow-x-auto px-4')}>
        {narrow && layouts}
        {view === 'day' && !narrow && (
          <ToolbarSelect
            label="Columns"
            value={columns ?? undefined}
            onChange={(by) => onChange({ by })}
            options={[
              { value: 'provider', label: `By ${person}` },
              { value: 'room', label: 'By room' },
            ]}
            any="One column"
            className="w-30"
          />
        )}
        <ToolbarSelect
          label={person === 'provider' ? 'Provider' : 'Surgeon'}
          value={search.provider}
          onChange={(provider) => onChange({ provider })}
          options={names.providers.map(({ id, fullName }) => ({ value: id, label: fullName }))}
          any={`All ${person}s`}
          className="w-32 xl:w-36"
        />
        <ToolbarSelect
          label="Room"
          value={search.room}
          onChange={(room) => onChange({ room })}
          options={names.rooms.map(({ id, name }) => ({ value: id, label: name }))}
          any="All rooms"
          className="w-30"
        />
        {filters}
      </div>
    </div>
  )
}
