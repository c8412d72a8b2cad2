import {
  CalendarDays,
  CalendarHeart,
  ChartColumn,
  CircleQuestionMark,
  Images,
  Inbox,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  Megaphone,
  Package,
  Receipt,
  Settings,
  ShieldAlert,
  SquareCheck,
  Users,
} from 'lucide-react'
import type { ApiRoute } from '../../../kernel/access/policy.ts'

export interface NavEntry {
  to:
    | '/'
    | '/contacts'
    | '/tasks'
    | '/inbox'
    | '/campaigns'
    | '/appointments'
    | '/surgeries'
    | '/gallery'
    | '/stock'
    | '/adverse-events'
    | '/reports'
    | '/collections'
    | '/email'
    | '/settings'
    | '/help'
  label: string
  icon: LucideIcon
  /** The letter after `g`. */
  key?: string
  badge?: 'inbox' | 'email'
  /** The call that the page depends on; without it every role sees the page. */
  needs?: ApiRoute
}

/** Spec 2: the sidebar's entries in order, and Appointments; the groups only add space. */
export const navGroups: readonly (readonly NavEntry[])[] = [
  [
    { to: '/', label: 'Dashboard', icon: LayoutDashboard, key: 'd' },
    { to: '/contacts', label: 'Patients', icon: Users, key: 'p' },
    { to: '/tasks', label: 'Tasks', icon: SquareCheck, key: 't' },
    { to: '/inbox', label: 'Inbox', icon: Inbox, key: 'i', badge: 'inbox', needs: 'inbox.conversations' },
    { to: '/appointments', label: 'Appointments', icon: CalendarDays, key: 'a', needs: 'appointments.list' },
  ],
  [
    { to: '/campaigns', label: 'Campaigns', icon: Megaphone, needs: 'campaigns.list' },
    { to: '/surgeries', label: 'Surgeries', icon: CalendarHeart, key: 's', needs: 'surgeries.list' },
    { to: '/gallery', label: 'Gallery', icon: Images, needs: 'consultGallery.list' },
    { to: '/stock', label: 'Stock', icon: Package, key: 'k', needs: 'devices.list' },
    { to: '/adverse-events', label: 'Adverse events', icon: ShieldAlert, needs: 'adverseEvents.list' },
    { to: '/reports', label: 'Reports', icon: ChartColumn, key: 'r', needs: 'reports.run' },
    { to: '/collections', label: 'Collections', icon: Receipt, key: 'c', needs: 'collections.outstanding' },
  ],
  [
    { to: '/email', label: 'Email', icon: Mail, key: 'e', badge: 'email' },
    { to: '/settings', label: 'Settings', icon: Settings },
  ],
]

/** At the foot of the sidebar. */
export const helpEntry: NavEntry = { to: '/help', label: 'Help', icon: CircleQuestionMark }

/** Dashboard is active only on the exact root path, every other entry also below its path. */
export function isActive(entry: NavEntry, pathname: string): boolean {
  return entry.to === '/' ? pathname === '/' : pathname === entry.to || pathname.startsWith(`${entry.to}/`)
}
