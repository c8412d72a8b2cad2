import { Button } from '../../../../../ui/controls/Button.tsx'
import { loadFailed } from '../../embed/list-search.ts'

interface PageFailedProps {
  /** Set in the table. */
  role?: 'cell'
  retrying: boolean
  onRetry: () => void
}

/** The error in the first visible row of a page that could not be loaded. */
export function PageFailed({ role, retrying, onRetry }: PageFailedProps) {
  return (
    <div role={role} className="flex min-w-0 items-center gap-3 px-2 whitespace-nowrap max-[60rem]:px-4">
      <span role="alert" className="text-danger-fg">
        {loadFailed}.
      </span>
      <Button size="sm" busy={retrying} busyLabel="Trying…" onClick={onRetry}>
        Retry
      </Button>
    </div>
  )
}
