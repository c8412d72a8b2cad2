import { CircleCheckBig, CircleDashed, Ellipsis, StickyNote, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { type Names, providerName } from '../../../calendar/web/embed/names.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { cn } from '../../../../ui/cn.ts'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { type Clock, formatDay, today } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import type { ItemData } from '../surgery-data.ts'
import { roleNames } from '../../../../kernel/access/rules.ts'

interface ChecklistLineProps {
  item: ItemData
  names: Names
  /** Scrolls to the item and focuses it. */
  isOpened: boolean
  isBusy: boolean
  /** Undefined without permission. */
  onTick: ((isDone: boolean) => void) | undefined
  onNote: (() => void) | undefined
  onRemove: (() => void) | undefined
}

export function ChecklistLine({ item, names, isOpened, isBusy, onTick, onNote, onRemove }: ChecklistLineProps) {
  const clock = useClock()
  const id = useId()
  const { words, detail, isRequired, isDone, outstanding, note } = item
  const isTickable = !item.isAutomatic && onTick !== undefined
  const isLate = !isDone && item.dueOn < today(clock)
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!isOpened) return
    line.current?.scrollIntoView({ block: 'center' })
    line.current?.focus({ preventScroll: true })
  }, [isOpened])
  return (
    <li
      ref={line}
      tabIndex={isOpened ? -1 : undefined}
      aria-current={isOpened || undefined}
      className={cn('flex items-start gap-2.5 border-b border-line py-2 last:border-b-0', isOpened && '-mx-2 rounded-sm bg-selected px-2')}
    >
      <span className="flex h-5 w-4 flex-none items-center">
        {!isTickable ? (
          // An icon instead of a checkbox, because it cannot be ticked.
          <span role="img" aria-label={isDone ? 'Done' : 'Open'} className={isDone ? 'flex text-success-fg' : 'flex text-fg-3'}>
            {isDone ? <CircleCheckBig /> : <CircleDashed />}
          </span>
        ) : (
          <Checkbox id={id} checked={isDone} disabled={isBusy} onCheckedChange={onTick} />
        )}
      </span>
      <div className="min-w-0 flex-1 text-sm">
        <Words htmlFor={isTickable ? id : undefined} className={cn('block', isDone ? 'text-fg-2' : 'text-fg')}>
          {words}
          {detail && <span className="text-fg-2">: {detail}</span>}
          {!isRequired && <span className="text-fg-3"> (optional)</span>}
        </Words>
        <p className="text-xs text-fg-3">
          {isDone ? formatDone(item, names, clock) : roleNames[item.ownerRole]}
          {!isDone && (
            <>
              {' · '}
              <span className={cn('tabular-nums', isLate && 'font-medium text-danger-fg')}>{formatDueDate(item.dueOn, clock)}</span>
            </>
          )}
        </p>
        {outstanding !== null && <p className="pt-0.5 text-xs text-fg-3">{outstanding}.</p>}
        {note !== null && (
          <p className="flex gap-1 pt-0.5 text-xs whitespace-pre-wrap text-fg-2">
            <StickyNote aria-hidden="true" className="mt-0.5 size-3! flex-none text-fg-3" />
            <span className="min-w-0 break-words">{note}</span>
          </p>
        )}
      </div>
      {onNote && (
        <DropdownMenu trigger={<IconButton label={`Actions: ${words}`} size="sm" icon={<Ellipsis />} />}>
          <MenuItem icon={<StickyNote />} onSelect={onNote}>
            {note === null ? 'Add note' : 'Edit note'}
          </MenuItem>
          {onRemove && (
            <MenuItem icon={<Trash2 />} danger onSelect={onRemove}>
              Remove from checklist
            </MenuItem>
          )}
        </DropdownMenu>
      )}
    </li>
  )
}

/** A label if there is a checkbox, otherwise plain text. */
function Words({ htmlFor, ...rest }: { htmlFor: string | undefined; className: string; children: ReactNode }) {
  return htmlFor === undefined ? <p {...rest} /> : <label htmlFor={htmlFor} {...rest} />
}

/** 'Done Nov 20, 2026 by Mara Lindqvist', 'Completed automatically, Nov 20, 2026' */
function formatDone({ isAutomatic: isByItself, doneOn, doneBy }: ItemData, names: Names, clock: Clock): string {
  const on = doneOn === null ? '' : doneOn === today(clock) ? 'today' : formatDay(doneOn)
  if (isByItself) return ['Completed automatically', on].filter(Boolean).join(', ')
  const by = providerName(doneBy, names)
  return ['Done', on, by && `by ${by}`].filter(Boolean).join(' ')
}

/** 'Due today', 'Overdue since Nov 20, 2026', 'Due Dec 1, 2026' */
function formatDueDate(dueOn: string, clock: Clock): string {
  const now = today(clock)
  if (dueOn === now) return 'Due today'
  return dueOn < now ? `Overdue since ${formatDay(dueOn)}` : `Due ${formatDay(dueOn)}`
}
