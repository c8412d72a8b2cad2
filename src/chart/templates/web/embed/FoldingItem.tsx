import { ChevronDown, ChevronRight } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'

interface FoldingItemProps {
  id: string
  title: string
  /** What is set in it: 'Date, required'. */
  facts: ReactNode
  badge?: ReactNode
  /** Buttons at the right. */
  actions: ReactNode
  isOpen: boolean
  onToggle: () => void
  /** Moves it up (-1) or down (1), with Alt and an arrow key anywhere in it. */
  onMove: (by: -1 | 1) => void
  children: ReactNode
}

/** A question or clause in an editor as one line; opened, with everything that can be set. */
export function FoldingItem({ id, title, facts, badge, actions, isOpen, onToggle, onMove, children }: FoldingItemProps) {
  const Icon = isOpen ? ChevronDown : ChevronRight
  function moveByKey(event: KeyboardEvent) {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    // oxlint-disable-next-line no-noninteractive-element-interactions -- keys of the fields inside it
    <li data-item={id} onKeyDown={moveByKey} className="rounded-md border border-line">
      <div className="flex items-center gap-1 pr-1">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-2 rounded-md px-2 py-1.5 text-left text-sm outline-offset-[-2px] hover:bg-hover"
        >
          <Icon aria-hidden="true" className="flex-none text-fg-3" />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium text-fg">{title}</span>
            <span className="block truncate text-xs text-fg-3">{facts}</span>
          </span>
          {badge}
        </button>
        {actions}
      </div>
      {isOpen && <div className="flex flex-col gap-4 border-t border-line p-3">{children}</div>}
    </li>
  )
}

/** Focuses the first field of an item that has just been added. */
export const focusItem = (id: string): void => document.querySelector<HTMLElement>(`[data-item="${id}"] :is(input, textarea)`)?.focus()
