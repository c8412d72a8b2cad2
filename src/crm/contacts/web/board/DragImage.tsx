import { useClock } from '../../../../ui/client/session.ts'
import { fullName } from '../embed/contact-data.ts'
import type { Directory } from '../embed/directory.ts'
import { CardContent } from './CardContent.tsx'
import type { DraggedCard } from './useBoardDrag.ts'

interface DragImageProps {
  dragged: DraggedCard
  directory: Directory
  ref: React.Ref<HTMLDivElement>
}

/** The picture of a card that follows the pointer. */
export function DragImage({ dragged: { card, ghost }, directory, ref }: DragImageProps) {
  const clock = useClock()
  return (
    ghost && (
      <div
        ref={ref}
        aria-hidden="true"
        className="pointer-events-none fixed top-0 left-0 z-(--z-popover) flex flex-col rounded-md border border-accent bg-raised px-3 py-2 shadow-md"
        style={{ width: ghost.width, translate: `${ghost.x}px ${ghost.y}px` }}
      >
        <CardContent
          card={card}
          directory={directory}
          clock={clock}
          name={<span className="truncate text-sm font-medium text-fg">{fullName(card)}</span>}
        />
      </div>
    )
  )
}
