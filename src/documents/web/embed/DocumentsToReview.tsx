import { Link, useRouterState } from '@tanstack/react-router'
import { FileCheck } from 'lucide-react'
import { cn } from '../../../ui/cn.ts'
import { CountBadge } from '../../../ui/display/CountBadge.tsx'
import { iconButtonStyle } from '../../../ui/controls/IconButton.tsx'
import { Tooltip } from '../../../ui/overlays/Tooltip.tsx'
import { useWaitingCount } from './useDocuments.ts'

/** The pages on which a phone's top bar has room for it: the first of a section, and a patient. */
const besideShortTitle = /^\/(contacts(\/[0-9a-f-]{36})?|tasks)?$/

/** In the top bar, while there is anything that patients have sent and no one has looked at. */
export function DocumentsToReview() {
  const count = useWaitingCount()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  if (count === 0) return null
  return (
    <Tooltip text="Documents to review">
      <Link
        to="/documents"
        aria-label={`Documents to review, ${count}`}
        className={cn(iconButtonStyle(), besideShortTitle.test(pathname) ? 'max-md:mx-1' : 'max-md:hidden')}
      >
        <FileCheck />
        <span aria-hidden="true">
          <CountBadge count={count} label="to review" className="absolute -top-1 -right-1.5" />
        </span>
      </Link>
    </Tooltip>
  )
}
