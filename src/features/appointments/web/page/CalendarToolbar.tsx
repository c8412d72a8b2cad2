import { CalendarX2, ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '../../../../web/ui/Button.tsx'
import { cn } from '../../../../web/ui/cn.ts'
import { IconButton } from '../../../../web/ui/IconButton.tsx'
import { SegmentedControl } from '../../../../web/ui/SegmentedControl.tsx'
import { Select } from '../../../../web/ui/Select.tsx'
import type { useNames } from '../useNames.ts'
import { type CalendarSearch, columnLabels, type Columns, type View, viewLabels } from './calendar-search.ts'
import { showsDay, stepFrom, titleOf } from './periods.ts'

interface CalendarToolbarProps {
  search: CalendarSearch
  view: View
  views: readonly View[]
  /** The day that is shown, and today. */
  shown: string
  today: string
  columns: Columns | null
  names: ReturnType<typeof useNames>
  narrow: boolean
  onChange: (part: CalendarSearch) => void
  onDay: (day: string) => void
}

/** Which days, whose, where, and how they are drawn. */
export function CalendarToolbar({ search, view, views, shown, today, columns, names, narrow, onChange, onDay }: CalendarToolbarProps) {
  const small = 'h-9 text-sm md:h-(--control) md:text-sm'
  const unit = viewLabels[view].toLowerCase()
  return (
    <div className="flex flex-none flex-wrap items-center gap-x-2 border-b border-line px-4 md:px-6">
      <div className="flex h-13 -ml-2 min-w-0 flex-none items-center gap-1 max-md:w-full">
        <IconButton
          label={`${viewLabels[view]} before`}
          keys="left"
          icon={<ChevronLeft />}
          onClick={() => onDay(stepFrom(view, shown, -1))}
        />
        <IconButton
          label={`${viewLabels[view]} after`}
          keys="right"
          icon={<ChevronRight />}
          onClick={() => onDay(stepFrom(view, shown, 1))}
        />
        <h2 className="min-w-0 truncate px-1 text-md font-semibold" aria-live="polite">
          {titleOf(view, shown)}
        </h2>
        {!showsDay(view, shown, today) && (
          <Button size="sm" variant="quiet" onClick={() => onDay(today)} title={`The ${unit} with today`}>
            Today
          </Button>
        )}
      </div>
      <div className={cn('flex h-13 items-center gap-2', narrow ? 'no-scrollbar -mx-4 overflow-x-auto px-4' : 'ml-auto')}>
        {view === 'day' && !narrow && (
          <div className="w-34 flex-none">
            <Select
              aria-label="Columns"
              value={columns}
              onValueChange={(by) => onChange({ by: by ?? undefined })}
              options={(Object.keys(columnLabels) as Columns[]).map((value) => ({ value, label: columnLabels[value] }))}
              noneLabel="One column"
              className={small}
            />
          </div>
        )}
        <div className="w-38 flex-none">
          <Select
            aria-label="Provider"
            value={search.provider ?? null}
            onValueChange={(provider) => onChange({ provider: provider ?? undefined })}
            options={names.providers.map(({ id, fullName }) => ({ value: id, label: fullName }))}
            noneLabel="Any provider"
            className={small}
          />
        </div>
        <div className="w-34 flex-none">
          <Select
            aria-label="Room"
            value={search.room ?? null}
            onValueChange={(room) => onChange({ room: room ?? undefined })}
            options={names.rooms.map(({ id, name }) => ({ value: id, label: name }))}
            noneLabel="Any room"
            className={small}
          />
        </div>
        <IconButton
          label={search.all ? 'Hide cancelled and missed' : 'Show cancelled and missed'}
          variant="outlined"
          aria-pressed={search.all !== undefined}
          icon={<CalendarX2 />}
          onClick={() => onChange({ all: search.all ? undefined : 'true' })}
          className="aria-pressed:border-accent-line aria-pressed:bg-selected aria-pressed:text-accent-fg"
        />
        <SegmentedControl
          aria-label="Layout"
          value={view}
          onValueChange={(next) => onChange({ view: next })}
          options={views.map((value) => ({ value, label: viewLabels[value] }))}
          className="max-[60rem]:order-first"
        />
      </div>
    </div>
  )
}
