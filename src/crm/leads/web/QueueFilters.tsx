import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { formatCount } from '../../../ui/format.ts'
import type { useQueueCounts } from './embed/useQueueCounts.ts'
import type { QueueSearch } from './queue-search.ts'

/** The counts of waiting leads by source; undefined while loading. */
export type QueueCounts = ReturnType<typeof useQueueCounts>

interface QueueFiltersProps extends Pick<QueueSearch, 'source' | 'show'> {
  counts: QueueCounts
  onChange: (search: QueueSearch) => void
}

/** Chooses leads to complete or discarded ones, and a source. */
export function QueueFilters({ source, show, counts, onChange }: QueueFiltersProps) {
  return (
    <div className="flex min-h-13 flex-none flex-wrap items-center gap-3 border-b border-line px-4 py-2 md:px-6">
      <SegmentedControl
        aria-label="Leads to show"
        value={show ?? 'waiting'}
        onValueChange={(wanted) => onChange({ source, show: wanted === 'discarded' ? wanted : undefined })}
        options={[
          { value: 'waiting', label: 'To complete' },
          { value: 'discarded', label: 'Discarded' },
        ]}
      />
      {counts && (counts.sources.length > 1 || source) && (
        <Select
          aria-label="Source"
          className="w-56 max-md:flex-1"
          value={source ?? null}
          noneLabel="All sources"
          onValueChange={(id) => onChange({ source: id ?? undefined, show })}
          options={counts.sources.map(({ id, name, waiting }) => ({ value: id, label: `${name} (${formatCount(waiting)})` }))}
        />
      )}
    </div>
  )
}
