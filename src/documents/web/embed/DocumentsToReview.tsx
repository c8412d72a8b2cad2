import { Link, useRouterState } from '@tanstack/react-router'
import { FileCheck } from 'lucide-react'
import { cn } from '../../../ui/cn.ts'
import { CountBadge } from '../../../ui/display/CountBadge.tsx'
import { iconButtonStyle } from '../../../ui/controls/IconButton.tsx'
import { Tooltip } from '../../../ui/overlays/Tooltip.tsx'
import { usePendingCount } from './useDocuments.ts'

/** Pages whose title leaves room in a phone's top bar: the start page of a section, and a patient. */
const pagesWithShortTitle = /^\/(contacts(\/[0-9a-f-]{36})?|tasks)?$/

/** The link in the top bar, shown while patient uploads are waiting for review. */
export function DocumentsToReview() {
  const count = usePendingCount()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  if (count === 0) return null
  return (
    <Tooltip text="Documents to review">
      <Link
        to="/documents"
        aria-label={`Documents to review, ${count}`}
        className={cn(iconButtonStyle(), pagesWithShortTitle.test(pathname) ? 'max-md:mx-1' : 'max-md:hidden')}
      >
        <FileCheck />
        <span aria-hidden="true">
          <CountBadge count={count} label="to review" className="absolute -top-1 -right-1.5" />
        </span>
      </Link>
    </Tooltip>
  )
}
