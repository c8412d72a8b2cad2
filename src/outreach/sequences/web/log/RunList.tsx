import { useNavigate, useSearch } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { rowsOf, usePages } from '../../../../ui/client/usePages.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { formatAgo, formatDateTime } from '../../../../ui/format.ts'
import { runStatuses } from '../../rules.ts'
import { statusLabels } from '../labels.ts'
import { describeRun, statusTones } from './run-data.ts'

/** The patients of a sequence, those who entered last first; each opens its log. */
export function RunList({ sequenceId }: { sequenceId: string }) {
  const clock = useClock()
  const navigate = useNavigate({ from: '/settings/sequences/$id' })
  const { status } = useSearch({ from: '/staff/settings/sequences/$id' })
  const { list, older } = usePages(orpc.sequences.runs, { id: sequenceId, status }, { keepsPrevious: true })
  const rows = rowsOf(list.data)
  return (
    <div className="flex max-w-200 flex-col gap-3">
      <Select
        aria-label="Status"
        className="w-56"
        noneLabel="All patients"
        value={status ?? null}
        onValueChange={(next) => void navigate({ search: (before) => ({ ...before, status: next ?? undefined }), replace: true })}
        options={runStatuses.map((value) => ({ value, label: statusLabels[value] }))}
      />
      {!list.data ? (
        list.error ? (
          <ErrorState title="Couldn’t load the patients" onRetry={() => void list.refetch()} retrying={list.isFetching}>
            {messageOf(list.error)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={6} />
        )
      ) : rows.length === 0 ? (
        <EmptyState
          icon={<Users />}
          title={status ? 'No patients with this status' : 'No one has entered yet'}
          actions={
            status && (
              <Button onClick={() => void navigate({ search: (before) => ({ ...before, status: undefined }), replace: true })}>
                Show all patients
              </Button>
            )
          }
        >
          {status ? 'Choose another status.' : 'Patients appear here once the sequence is on and what starts it happens.'}
        </EmptyState>
      ) : (
        <>
          <ul aria-label="Patients of the sequence" className="-mx-2">
            {rows.map((run) => (
              <li key={run.id}>
                <OpenRow onClick={() => void navigate({ search: (before) => ({ ...before, run: run.id }) })} className="py-2">
                  <span className="flex min-w-0 flex-1 flex-col">
                    <span className="max-w-full truncate text-md font-medium text-fg">
                      {run.firstName} {run.lastName}
                    </span>
                    <span className="max-w-full text-sm text-fg-2 md:truncate">{describeRun(run, clock)}</span>
                  </span>
                  <span className="flex flex-none flex-col items-end gap-1">
                    <Badge tone={statusTones[run.status]}>{statusLabels[run.status]}</Badge>
                    <time title={formatDateTime(run.startedAt, clock)} className="text-xs text-fg-3">
                      {formatAgo(run.startedAt, clock)}
                    </time>
                  </span>
                </OpenRow>
              </li>
            ))}
          </ul>
          {list.hasNextPage && (
            <div className="flex flex-wrap items-center gap-3">
              {list.isFetchNextPageError && <p className="text-sm text-danger-fg">Couldn’t load more.</p>}
              <Button busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
                Show more
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  )
}
