import { Button } from '../../../../../web/ui/Button.tsx'
import { loadFailed } from '../list-search.ts'

interface PageFailedProps {
  /** A cell of the table, or what stands in a card. */
  as: 'td' | 'div'
  retrying: boolean
  onRetry: () => void
}

/** Stands in the first row in sight of a page that could not be loaded. */
export function PageFailed({ as: Element, retrying, onRetry }: PageFailedProps) {
  return (
    <Element
      role={Element === 'td' ? 'cell' : undefined}
      className="flex min-w-0 items-center gap-3 px-2 whitespace-nowrap max-[60rem]:px-4"
    >
      <span role="alert" className="text-danger-fg">
        {loadFailed}.
      </span>
      <Button size="sm" busy={retrying} busyLabel="Trying..." onClick={onRetry}>
        Retry
      </Button>
    </Element>
  )
}
