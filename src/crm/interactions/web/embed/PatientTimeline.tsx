import { History } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { formatDayHeading } from '../../../../ui/format.ts'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { TimelineDay } from '../../../../ui/display/Timeline.tsx'
import type { TimelineKind } from '../../contract.ts'
import { groupByDay } from '../days.ts'
import { kindLabels } from '../kind-labels.ts'
import { KindFilter } from '../KindFilter.tsx'
import { PinnedNotes } from '../PinnedNotes.tsx'
import { rowsOf, usePages } from '../../../../ui/client/usePages.ts'
import { type EntryContext, TimelineEntry } from '../TimelineEntry.tsx'

interface PatientTimelineProps extends EntryContext {
  contactId: string
  /** Whether the signed-in user may see clinical notes. */
  clinical: boolean
}

/** A patient's pinned notes and timeline, with a filter by kind. */
export function PatientTimeline({ clinical, ...timeline }: PatientTimelineProps) {
  const [kind, setKind] = useState<TimelineKind | null>(null)
  return (
    <>
      <PinnedNotes {...timeline} />
      <h2 className="sr-only">Timeline</h2>
      <KindFilter kind={kind} onChange={setKind} clinical={clinical} />
      <Entries {...timeline} kind={kind} onShowAll={() => setKind(null)} />
    </>
  )
}

interface EntriesProps extends EntryContext {
  contactId: string
  kind: TimelineKind | null
  onShowAll: () => void
}

/** Entries by day, newest first. Older ones load as the end scrolls into view. */
function Entries({ contactId, kind, onShowAll, ...context }: EntriesProps) {
  const { clock } = context
  const { list: timeline, older } = usePages(orpc.interactions.list, { contactId, kind: kind ?? undefined }, { keepsPrevious: true })
  const { data, error, hasNextPage, isFetchNextPageError } = timeline
  const days = useMemo(() => groupByDay(rowsOf(data), clock.timeZone), [data, clock.timeZone])

  if (!data) {
    return error ? (
      <ErrorState title="Couldn’t load the timeline" onRetry={() => void timeline.refetch()} retrying={timeline.isFetching}>
        {messageOf(error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={5} className="pt-6" rowClassName="h-16 border-b-0 px-0 md:px-0" />
    )
  }
  if (days.length === 0) {
    return kind === null ? (
      <EmptyState icon={<History />} title="No activity yet">
        Calls, notes and changes will appear here.
      </EmptyState>
    ) : (
      <EmptyState icon={<History />} title={kindLabels[kind].none} actions={<Button onClick={onShowAll}>Show everything</Button>} />
    )
  }
  return (
    <div
      aria-busy={timeline.isPlaceholderData}
      className={timeline.isPlaceholderData ? 'opacity-60 transition-opacity delay-200' : undefined}
    >
      {days.map(({ day, entries }) => (
        <TimelineDay key={day} heading={formatDayHeading(entries[0]?.date ?? day, clock)}>
          {entries.map((entry) => (
            <TimelineEntry key={entry.id} entry={entry} {...context} />
          ))}
        </TimelineDay>
      ))}
      {hasNextPage && <Older busy={older.isBusy} failed={isFetchNextPageError} onLoad={older.more} />}
    </div>
  )
}

/** Loads older entries when it scrolls into view; after a failure only on click. */
function Older({ busy, failed, onLoad }: { busy: boolean; failed: boolean; onLoad: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  const load = useRef(onLoad)
  useEffect(() => {
    load.current = onLoad
  })
  useEffect(() => {
    const element = end.current
    if (!element || busy || failed) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) load.current()
      },
      { rootMargin: '400px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [busy, failed])

  return (
    <div ref={end} className="flex flex-wrap items-center gap-3 pt-2 pb-4 pl-10">
      {failed && <p className="text-sm text-danger-fg">Couldn’t load older entries.</p>}
      <Button busy={busy} busyLabel="Loading…" onClick={onLoad}>
        {failed ? 'Try again' : 'Show older'}
      </Button>
    </div>
  )
}
