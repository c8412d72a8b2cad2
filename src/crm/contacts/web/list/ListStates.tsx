import { Link } from '@tanstack/react-router'
import { Search, Users } from 'lucide-react'
import { messageOf } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { formatFilters, type ListSearch, loadFailed } from '../embed/list-search.ts'

/** The empty state before the first patient. */
export function NoPatients() {
  const may = usePermission()
  return (
    <EmptyState
      icon={<Users />}
      title="No patients yet"
      className="my-auto pb-24"
      actions={
        <>
          <Button asChild variant="filled">
            <Link to="/contacts/new">New patient</Link>
          </Button>
          {may('imports.list') && (
            <Button asChild>
              <Link to="/contacts/import">Import a file</Link>
            </Button>
          )}
        </>
      }
    >
      Leads from your web form appear here within a second. You can also add the first one by hand.
    </EmptyState>
  )
}

/** The empty state of a search or filter: shows the term and the active filters. */
export function NoMatches({ search, onClear }: { search: ListSearch; onClear: () => void }) {
  const filters = formatFilters(search)
  return (
    <EmptyState
      icon={<Search />}
      title={search.search ? `No patient matches “${search.search}”` : 'No patient matches'}
      className="my-auto max-w-96 pb-24 break-words"
      actions={<Button onClick={onClear}>Clear filters</Button>}
    >
      {filters ?? 'Names, emails and phone numbers were searched.'}
    </EmptyState>
  )
}

interface FailureProps {
  error: unknown
  retrying: boolean
  onRetry: () => void
}

export function ListFailed({ error, retrying, onRetry }: FailureProps) {
  return (
    <div className="my-auto pb-12">
      <ErrorState title={loadFailed} onRetry={onRetry} retrying={retrying}>
        {messageOf(error)} Your search and filters are kept.
      </ErrorState>
    </div>
  )
}

interface RefreshFailedProps extends Omit<FailureProps, 'error'> {
  /** The rows belong to the previous search. */
  isStale?: boolean
}

/** The notice above rows that could not be refreshed. */
export function RefreshFailed({ retrying, onRetry, isStale = false }: RefreshFailedProps) {
  return (
    <div className="flex-none px-4 py-2 md:px-6">
      <Alert
        tone="danger"
        title={`${loadFailed}.`}
        action={
          <Button size="sm" busy={retrying} busyLabel="Trying…" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {isStale ? 'These are the previous results.' : 'This list may be out of date.'}
      </Alert>
    </div>
  )
}
