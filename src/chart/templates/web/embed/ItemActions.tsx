import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'

interface ItemActionsProps {
  /** For the labels: 'Move Risks up'. */
  name: string
  isFirst: boolean
  isLast: boolean
  /** Whether Alt and an arrow key move it too. */
  hasKeys?: boolean
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** Moves and removes a section, question or clause. */
export function ItemActions({ name, isFirst, isLast, hasKeys, onMove, onRemove }: ItemActionsProps) {
  return (
    <span className="flex flex-none items-center">
      <IconButton
        label={`Move ${name} up`}
        keys={hasKeys ? 'Alt+↑' : undefined}
        icon={<ArrowUp />}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      />
      <IconButton
        label={`Move ${name} down`}
        keys={hasKeys ? 'Alt+↓' : undefined}
        icon={<ArrowDown />}
        disabled={isLast}
        onClick={() => onMove(1)}
      />
      <IconButton label={`Remove ${name}`} icon={<Trash2 />} onClick={onRemove} />
    </span>
  )
}
