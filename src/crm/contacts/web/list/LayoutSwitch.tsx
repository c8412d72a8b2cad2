import { Link } from '@tanstack/react-router'
import { List, SquareKanban } from 'lucide-react'
import { cn } from '../../../../ui/cn.ts'
import type { ListSearch } from '../embed/list-search.ts'

/** Switches between list and board. Uses links, so that each can be shared or opened in another tab. `short` hides the labels visually. */
export function LayoutSwitch({ search, short = false }: { search: ListSearch; short?: boolean }) {
  const label = short ? 'sr-only' : undefined
  return (
    <nav aria-label="Layout" className="inline-flex h-9 flex-none items-center rounded-md bg-hover p-0.5 md:h-(--control)">
      <Choice search={{ ...search, layout: undefined }} chosen={search.layout !== 'board'}>
        <List />
        <span className={label}>List</span>
      </Choice>
      <Choice search={{ ...search, layout: 'board', page: undefined }} chosen={search.layout === 'board'}>
        <SquareKanban />
        <span className={label}>Board</span>
      </Choice>
    </nav>
  )
}

const Choice = ({ search, chosen, children }: { search: ListSearch; chosen: boolean; children: React.ReactNode }) => (
  <Link
    to="/contacts"
    search={search}
    // Exact, because the URL of the list is a prefix of the board's.
    activeOptions={{ exact: true }}
    className={cn(
      'relative inline-flex h-full items-center gap-1.5 rounded-sm px-2.5 text-sm font-medium whitespace-nowrap text-fg-2 touch-target transition-colors duration-(--dur-1) hover:text-fg',
      chosen && 'bg-raised text-fg shadow-sm dark:bg-active',
    )}
  >
    {children}
  </Link>
)
