import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Fact, Facts } from '../../../ui/display/Facts.tsx'
import { formatDateTime, formatCount } from '../../../ui/format.ts'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { None } from '../../../ui/display/Table.tsx'
import { useDirectory } from '../../../crm/contacts/web/embed/useDirectory.ts'
import { formatChanges, type EntryData, type FieldChange, actorLabels, formatTitle, formatActor } from './labels.ts'

interface EntryDrawerProps {
  id: number
  onClose: () => void
}

/** One entry: who, when, from where, which patients, and the values before and after. */
export default function EntryDrawer({ id, onClose }: EntryDrawerProps) {
  const entry = useQuery(orpc.audit.get.queryOptions({ input: { id }, staleTime: Number.POSITIVE_INFINITY }))
  return (
    <SideDrawer title={entry.data ? formatTitle(entry.data) : 'Entry'} onClose={onClose}>
      {entry.data ? (
        <Entry entry={entry.data} />
      ) : entry.error ? (
        <ErrorState title="Couldn’t load the entry" onRetry={() => void entry.refetch()} retrying={entry.isFetching}>
          {messageOf(entry.error)}
        </ErrorState>
      ) : (
        <SkeletonRows rows={4} rowClassName="border-b-0 px-0 md:px-0" />
      )}
    </SideDrawer>
  )
}

function Entry({ entry }: { entry: EntryData }) {
  const clock = useClock()
  const directory = useDirectory()
  const changes = formatChanges(entry, directory, clock)
  const more = entry.patientCount - entry.patients.length
  return (
    <div className="flex flex-col gap-6">
      <Facts>
        <Fact label="When">{formatDateTime(entry.at, clock)}</Fact>
        <Fact label="Who">{formatActor(entry)}</Fact>
        <Fact label="Role">{actorLabels[entry.byRole]}</Fact>
        <Fact label="From">{entry.address ?? <None>System</None>}</Fact>
        <Fact label="Request">
          <span className="text-xs break-all text-fg-2">{entry.requestId}</span>
        </Fact>
        <Fact label="Entry">{formatCount(entry.id)}</Fact>
      </Facts>
      {changes.length > 0 && (
        <section aria-labelledby="entry-changes">
          <h3 id="entry-changes" className="border-b border-line pb-2 text-sm font-semibold text-fg">
            {entry.before !== null && entry.after !== null ? 'What changed' : 'Contents'}
          </h3>
          <dl className="flex flex-col gap-2.5 pt-3 text-sm">
            {changes.map((change) => (
              <Change key={change.label} {...change} />
            ))}
          </dl>
        </section>
      )}
      {entry.patients.length > 0 && (
        <section aria-labelledby="entry-patients">
          <h3 id="entry-patients" className="border-b border-line pb-2 text-sm font-semibold text-fg">
            {entry.patientCount === 1 ? 'Patient' : `${formatCount(entry.patientCount)} patients`}
          </h3>
          <ul className="flex flex-col pt-1">
            {entry.patients.map(({ id, name }) => (
              <li key={id} className="flex min-h-9 items-center text-sm">
                {name === null ? (
                  <None>Deleted since</None>
                ) : (
                  <Link to="/contacts/$id" params={{ id }} className="rounded-xs text-accent-fg underline-offset-2 hover:underline">
                    {name}
                  </Link>
                )}
              </li>
            ))}
          </ul>
          {more > 0 && <p className="pt-1 text-sm text-fg-3">{`and ${formatCount(more)} more. The database entry lists all of them.`}</p>}
        </section>
      )}
    </div>
  )
}

function Change({ label, before, after }: FieldChange) {
  return (
    <div>
      <dt className="text-xs text-fg-3">{label}</dt>
      <dd className="wrap-anywhere whitespace-pre-wrap text-fg">
        {before !== null && <del className={after === null ? 'no-underline' : 'text-fg-3'}>{before}</del>}
        {before !== null && after !== null && (
          <ArrowRight aria-label="changed to" className="mx-1.5 inline size-3.5! align-[-2px] text-fg-3" />
        )}
        {after !== null && <ins className="no-underline">{after}</ins>}
      </dd>
    </div>
  )
}
