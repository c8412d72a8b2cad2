import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'

/** The way back to the list. */
export function AllSequences() {
  return (
    <Link
      to="/settings/$section"
      params={{ section: 'sequences' }}
      className="-ml-1 inline-flex h-11 items-center gap-1 rounded-md pr-2 text-sm text-fg-2 hover:text-fg"
    >
      <ChevronLeft aria-hidden="true" /> All sequences
    </Link>
  )
}
