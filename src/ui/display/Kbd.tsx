import type { ReactNode } from 'react'
import { cn } from '../cn.ts'

export function Kbd({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <kbd
      className={cn(
        'inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-xs border border-line-2 bg-raised px-1 font-sans text-2xs font-medium text-fg-3',
        className,
      )}
    >
      {children}
    </kbd>
  )
}

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)
const names: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  enter: '↵',
  esc: 'Esc',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: 'Page up',
  pagedown: 'Page down',
  home: 'Home',
  end: 'End',
  space: 'Space',
  shift: isMac ? '⇧' : 'Shift',
}

/** 'mod+k' as two key caps, 'g d' as a sequence. */
export function Keys({ keys, className }: { keys: string; className?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-1', className)}>
      {keys.split(/[ +]/).map((key, index) => (
        // oxlint-disable-next-line no-array-index-key -- the same key may come twice, in a fixed order
        <Kbd key={index}>{names[key] ?? (key.length === 1 && keys.includes('mod') ? key.toUpperCase() : key)}</Kbd>
      ))}
    </span>
  )
}
