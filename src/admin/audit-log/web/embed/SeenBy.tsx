import { Link } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { type Client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { type Clock, formatDayHeading, formatTime } from '../../../../ui/format.ts'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { rowsOf, usePages } from '../../../../ui/client/usePages.ts'
import { actorLabels, whoIn } from '../labels.ts'

type Line = Awaited<ReturnType<Client['audit']['seen']>>['data'][number]

/** For administrators: who saw a patient's data, a line for each person and day. */
export function SeenBy({ contactId, clock }: { contactId: string; clock: Clock }) {
  const { list: seen, older } = usePages(orpc.audit.seen, { contactId }, { staleTime: 0 })
  if (!seen.data) {
    return seen.error ? (
      <ErrorState title="Couldn’t load the access log" onRetry={() => void seen.refetch()} retrying={seen.isFetching}>
        {messageOf(seen.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={4} rowClassName="border-b-0 px-0 md:px-0" />
    )
  }
  const lines = rowsOf(seen.data)
  if (lines.length === 0) {
    return (
      <EmptyState icon={<Eye />} title="No one has seen this patient yet">
        Anyone who opens something of this patient appears here, by day.
      </EmptyState>
    )
  }
  return (
    <section aria-labelledby="seen-by" className="max-w-(--measure)">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="seen-by" className="text-sm font-semibold text-fg">
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
      {[...Map.groupBy(lines, ({ day }) => day)].map(([day, ofDay]) => (
        <section key={day} aria-label={headingOf(ofDay[0]!, clock)} className="pt-4">
          <h3 className="border-b border-line pb-1.5 text-xs font-medium text-fg-3">{headingOf(ofDay[0]!, clock)}</h3>
          <ul>
            {ofDay.map((line) => (
              <li key={`${line.by}${line.byRole}`} className="flex flex-col gap-x-4 border-b border-line py-2 text-sm sm:flex-row">
                <span className="w-44 flex-none">
                  <span className="block truncate font-medium text-fg">{whoIn(line)}</span>
                  {line.by !== null && <span className="block text-xs text-fg-3">{actorLabels[line.byRole]}</span>}
                </span>
                <span className="min-w-0 flex-1 text-fg-2">
                  <span className="block">{timesOf(line)}</span>
                  {line.about.length > 0 && <span className="block text-xs wrap-anywhere text-fg-3">{line.about.join(', ')}</span>}
                </span>
                <span className="flex-none text-xs leading-5 text-fg-3 tabular-nums">{spanOf(line, clock)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {seen.hasNextPage && (
        <div className="flex flex-wrap items-center gap-3 py-4">
          <Button busy={older.isBusy} busyLabel="Loading..." onClick={older.more}>
            Show older
          </Button>
          {seen.isFetchNextPageError && <p className="text-sm text-danger-fg">Couldn’t load earlier days.</p>}
        </div>
      )}
    </section>
  )
}

const headingOf = ({ lastAt }: Line, clock: Clock): string => formatDayHeading(lastAt, clock)

/** 'Opened 3 times · stood in a list 12 times' */
function timesOf({ opened, listed, taken }: Line): string {
  const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
  const parts = [
    opened > 0 && `opened ${times(opened)}`,
    listed > 0 && `in a list ${times(listed)}`,
    taken > 0 && `exported or printed ${times(taken)}`,
  ]
    .filter((part) => part !== false)
    .join(' · ')
  return parts.charAt(0).toUpperCase() + parts.slice(1)
}

function spanOf({ firstAt, lastAt }: Line, { timeZone }: Clock): string {
  const [first, last] = [formatTime(firstAt, timeZone), formatTime(lastAt, timeZone)]
  return first === last ? first : `${first} to ${last}`
}
