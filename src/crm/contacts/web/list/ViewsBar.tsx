import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, memo, Suspense } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { LeadsToCompleteButton } from '../../../leads/web/embed/LeadsToComplete.tsx'
import type { ListSearch } from '../embed/list-search.ts'

const ViewTabs = lazy(() => import('../../../saved-views/web/embed/ViewTabs.tsx'))

interface ViewsBarProps {
  search: ListSearch
  /** The shown columns as in the URL; undefined on the board. */
  columns?: string
  narrow: boolean
  /** Whether the patients have loaded or failed to; the views load after them. */
  isReady: boolean
  /** Before the first patient, the empty state has the button to add one. */
  isFirstUse?: boolean
}

/** The views above the list and the board, with the "New patient" button (on narrow screens it is next to the search field). */
export const ViewsBar = memo(function ViewsBar({ search, columns, narrow, isReady, isFirstUse = false }: ViewsBarProps) {
  return (
    <div className="flex h-12 flex-none items-center justify-end gap-4 border-b border-line px-4 md:px-6">
      {isReady && (
        <Suspense>
          <ViewTabs address={search} columns={columns} narrow={narrow} />
        </Suspense>
      )}
      {isReady && <LeadsToCompleteButton short={narrow} />}
      {!narrow && !isFirstUse && (
        <Button asChild variant="filled" icon={<Plus />}>
          <Link to="/contacts/new">New patient</Link>
        </Button>
      )}
    </div>
  )
})
