import { Link } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { type Client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { type Clock, formatDayHeading, formatTime } from '../../../../ui/format.ts'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { rowsOf, usePages } from '../../../../ui/client/usePages.ts'
import { actorLabels, formatActor } from '../labels.ts'

type Line = Awaited<ReturnType<Client['audit']['seen']>>['data'][number]

/** For administrators: who viewed a patient's data, a row for each person and day. */
export function AccessLog({ contactId, clock }: { contactId: string; clock: Clock }) {
  const { list: views, older } = usePages(orpc.audit.seen, { contactId }, { staleTime: 0 })
  if (!views.data) {
    return views.error ? (
      <ErrorState title="Couldn’t load the access log" onRetry={() => void views.refetch()} retrying={views.isFetching}>
        {messageOf(views.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={4} rowClassName="border-b-0 px-0 md:px-0" />
    )
  }
  const lines = rowsOf(views.data)
  if (lines.length === 0) {
    return (
      <EmptyState icon={<Eye />} title="No views yet">
        Everyone who opens this patient’s data appears here, by day.
      </EmptyState>
    )
  }
  return (
    <section aria-labelledby="access-log" className="max-w-(--measure)">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="access-log" className="text-sm font-semibold text-fg">
          Access log
        </h2>
        <Link
          to="/settings/$section"
          params={{ section: 'audit-log' }}
          search={{ patient: contactId }}
          className="inline-flex min-h-9 items-center rounded-xs text-sm text-accent-fg underline-offset-2 hover:underline"
        >
          Open in the audit log
        </Link>
      </div>
      {[...Map.groupBy(lines, ({ day }) => day)].map(([day, dayLines]) => (
        <section key={day} aria-label={formatHeading(dayLines[0]!, clock)} className="pt-4">
          <h3 className="border-b border-line pb-1.5 text-xs font-medium text-fg-3">{formatHeading(dayLines[0]!, clock)}</h3>
          <ul>
            {dayLines.map((line) => (
              <li key={`${line.by}${line.byRole}`} className="flex flex-col gap-x-4 border-b border-line py-2 text-sm sm:flex-row">
                <span className="w-44 flex-none">
                  <span className="block truncate font-medium text-fg">{formatActor(line)}</span>
                  {line.by !== null && <span className="block text-xs text-fg-3">{actorLabels[line.byRole]}</span>}
                </span>
                <span className="min-w-0 flex-1 text-fg-2">
                  <span className="block">{formatCounts(line)}</span>
                  {line.about.length > 0 && <span className="block text-xs wrap-anywhere text-fg-3">{line.about.join(', ')}</span>}
                </span>
                <span className="flex-none text-xs leading-5 text-fg-3 tabular-nums">{formatSpan(line, clock)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {views.hasNextPage && (
        <div className="flex flex-wrap items-center gap-3 py-4">
          <Button busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
            Show older
          </Button>
          {views.isFetchNextPageError && <p className="text-sm text-danger-fg">Couldn’t load earlier days.</p>}
        </div>
      )}
    </section>
  )
}

const formatHeading = ({ lastAt }: Line, clock: Clock): string => formatDayHeading(lastAt, clock)

/** 'Viewed 3 times · listed 12 times' */
function formatCounts({ opened, listed, taken }: Line): string {
  const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
  const parts = [
    opened > 0 && `viewed ${times(opened)}`,
    listed > 0 && `listed ${times(listed)}`,
    taken > 0 && `exported or printed ${times(taken)}`,
  ]
    .filter((part) => part !== false)
    .join(' · ')
  return parts.charAt(0).toUpperCase() + parts.slice(1)
}

function formatSpan({ firstAt, lastAt }: Line, { timeZone }: Clock): string {
  const [first, last] = [formatTime(firstAt, timeZone), formatTime(lastAt, timeZone)]
  return first === last ? first : `${first} to ${last}`
}
