import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { memo } from 'react'
import { cn } from '../../../../ui/cn.ts'
import { DropdownMenu, MenuLabel } from '../../../../ui/overlays/DropdownMenu.tsx'
import type { Clock } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { StageMenuItems } from '../../../pipeline/web/embed/StageProgress.tsx'
import { fullName } from '../embed/contact-data.ts'
import type { Directory } from '../embed/directory.ts'
import { CardContent } from './CardContent.tsx'
import type { Card } from './useBoard.ts'

/** The actions of a card. Stable while the board is mounted. */
export interface CardActions {
  open: (id: string) => void
  current: (id: string) => void
  menu: (id: string | null) => void
  /** From the menu. */
  move: (card: Card, stageId: string) => void
}

interface BoardCardProps {
  card: Card
  directory: Directory
  clock: Clock
  /** Whether it is the tab stop; arrow keys reach the other cards. */
  isStop: boolean
  isCurrent: boolean
  /** Dragged by pointer or keyboard. */
  isDragged: boolean
  menuOpen: boolean
  actions: CardActions
}

export const BoardCard = memo(function BoardCard({
  card,
  directory,
  clock,
  isStop,
  isCurrent,
  isDragged,
  menuOpen,
  actions,
}: BoardCardProps) {
  const name = fullName(card)
  return (
    <article
      data-card={card.id}
      aria-label={name}
      className={cn(
        'group relative flex flex-col rounded-md border border-line-2 bg-raised px-3 py-2 select-none [-webkit-touch-callout:none]',
        'hover:border-line-control',
        isCurrent && 'border-accent hover:border-accent',
        isDragged && 'opacity-45',
      )}
    >
      <CardContent
        card={card}
        directory={directory}
        clock={clock}
        name={
          <Link
            to="/contacts/$id"
            params={{ id: card.id }}
            id={`patient-${card.id}`}
            tabIndex={isStop ? 0 : -1}
            draggable={false}
            aria-describedby="board-help"
            onClick={() => actions.open(card.id)}
            onFocus={() => actions.current(card.id)}
            // The link covers the whole card, below the menu button.
            className="min-w-0 flex-1 truncate rounded-xs text-sm font-medium text-fg outline-offset-1 after:absolute after:inset-0 after:rounded-md"
          >
            {name}
          </Link>
        }
        menu={
          <DropdownMenu
            open={menuOpen}
            onOpenChange={(open) => actions.menu(open ? card.id : null)}
            trigger={
              <IconButton
                label={`Move ${name} to…`}
                keys="s"
                size="sm"
                icon={<Ellipsis />}
                tabIndex={isCurrent ? 0 : -1}
                className="-mr-1.5 size-7! md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100 md:data-[state=open]:opacity-100 pointer-coarse:opacity-100"
              />
            }
          >
            <MenuLabel>Move to</MenuLabel>
            <StageMenuItems stages={directory.stages} currentId={card.funnelStageId} onMove={(stageId) => actions.move(card, stageId)} />
          </DropdownMenu>
        }
      />
    </article>
  )
})
