import { Link, useRouterState } from '@tanstack/react-router'
import { Keyboard } from 'lucide-react'
import { usePractice } from '../../../ui/client/session.ts'
import { cn } from '../../../ui/cn.ts'
import { CountBadge } from '../../../ui/display/CountBadge.tsx'
import { Kbd } from '../../../ui/display/Kbd.tsx'
import { Tooltip } from '../../../ui/overlays/Tooltip.tsx'
import { Mark } from '../../../ui/layout/Mark.tsx'
import { helpEntry, isActive, type NavEntry } from './navigation.ts'
import { prefetch } from './prefetch.ts'
import { useNavGroups } from './useNavigation.ts'

export interface BadgeCounts {
  /** Unread inbound messages. */
  inbox: number
  /** New emails in the connected mailbox. */
  email: number
}

interface SidebarProps {
  /** False: a rail of icons. */
  open: boolean
  counts: BadgeCounts
  onShortcuts: () => void
  /** In the phone's drawer: closes it. */
  onNavigate?: () => void
}

/** The content of the sidebar, of its rail and of the phone's drawer. */
export function Sidebar({ open, counts, onShortcuts, onNavigate }: SidebarProps) {
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const practice = usePractice()
  const groups = useNavGroups()
  return (
    <div className={cn('relative flex h-full flex-col overflow-y-auto', open ? 'px-3' : 'px-2')}>
      <Link
        to="/"
        onClick={onNavigate}
        aria-label={`${practice.name}, to the dashboard`}
        className={cn('mt-4 mb-4 flex min-h-9 flex-none items-center gap-2.5 rounded-md', open ? 'px-2' : 'justify-center')}
      >
        <Mark logo={open ? 'max-h-8 max-w-16' : 'max-h-8 max-w-full'} />
        {open && (
          <span className="min-w-0">
            <span className="block truncate text-md leading-4.5 font-semibold">{practice.name}</span>
            {practice.subtitle && <span className="block truncate text-xs leading-3.5 text-fg-3">{practice.subtitle}</span>}
          </span>
        )}
      </Link>
      <nav aria-label="Main">
        {groups.map((group) => (
          <ul key={group[0]?.to} className="flex flex-col gap-px pb-3">
            {group.map((entry) => (
              <li key={entry.to}>
                <NavLink
                  entry={entry}
                  open={open}
                  active={isActive(entry, pathname)}
                  count={entry.badge ? counts[entry.badge] : 0}
                  onNavigate={onNavigate}
                />
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <div className="mt-auto flex flex-none flex-col gap-px pt-3 pb-3">
        <NavLink entry={helpEntry} open={open} active={isActive(helpEntry, pathname)} count={0} onNavigate={onNavigate} />
        <Maybe text="Shortcuts" keys="?" wanted={!open}>
          <button
            type="button"
            onClick={onShortcuts}
            aria-label="Shortcuts"
            className={cn(lineStyle, 'max-md:hidden', open ? 'px-2' : 'justify-center')}
          >
            <Keyboard className="text-fg-3" />
            {open && (
              <>
                <span className="flex-1 text-left">Shortcuts</span>
                <Kbd>?</Kbd>
              </>
            )}
          </button>
        </Maybe>
      </div>
    </div>
  )
}

const lineStyle =
  'relative flex h-11 w-full flex-none items-center gap-2.5 rounded-md text-md font-medium text-fg-2 transition-colors duration-(--dur-1) hover:bg-active/60 hover:text-fg md:h-(--control)'

interface NavLinkProps {
  entry: NavEntry
  open: boolean
  active: boolean
  count: number
  onNavigate?: () => void
}

function NavLink({ entry, open, active, count, onNavigate }: NavLinkProps) {
  const Icon = entry.icon
  return (
    <Maybe text={entry.label} keys={entry.key && `g ${entry.key}`} wanted={!open}>
      <Link
        to={entry.to}
        aria-current={active ? 'page' : undefined}
        onClick={onNavigate}
        onMouseEnter={() => prefetch(entry.to)}
        onFocus={() => prefetch(entry.to)}
        className={cn(
          lineStyle,
          open ? 'px-2' : 'justify-center',
          active && 'bg-surface text-fg shadow-sm hover:bg-surface dark:bg-active dark:hover:bg-active',
        )}
      >
        <Icon className={active ? 'text-accent-fg' : 'text-fg-3'} />
        <span className={open ? 'min-w-0 flex-1 truncate' : 'sr-only'}>{entry.label}</span>
        <CountBadge
          count={count}
          label={entry.badge === 'email' ? 'new emails' : 'unread messages'}
          className={open ? undefined : 'absolute top-0 right-0'}
        />
      </Link>
    </Maybe>
  )
}

/** A tooltip where the label is hidden. */
function Maybe({ wanted, text, keys, children }: { wanted: boolean; text: string; keys?: string; children: React.ReactElement }) {
  return wanted ? (
    <Tooltip text={text} keys={keys} side="right">
      {children}
    </Tooltip>
  ) : (
    children
  )
}
