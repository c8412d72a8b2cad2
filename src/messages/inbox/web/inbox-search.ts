/** The filters of the list. The first is the default; 'patients' groups unread messages by patient. */
export const showLabels = {
  active: 'All open',
  unread: 'Unread',
  patients: 'Unread by patient',
  mine: 'Mine',
  unassigned: 'Unassigned',
  unknown: 'Unknown senders',
  snoozed: 'Snoozed',
  archived: 'Archived',
} as const
export type Show = keyof typeof showLabels

/** The page's state as URL parameters. Defaults are left out. */
export interface InboxSearch {
  show?: Exclude<Show, 'active'>
  search?: string
  /** The one that is open. */
  conversation?: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Parses a URL that anyone may have typed. Invalid values become undefined; otherwise the router would pass them on. */
export function readInboxSearch(from: Record<string, unknown>): InboxSearch {
  const text = (key: string, most: number) => {
    const value = typeof from[key] === 'string' || typeof from[key] === 'number' ? String(from[key]).trim() : ''
    return value !== '' && value.length <= most ? value : undefined
  }
  const show = (Object.keys(showLabels) as Show[]).find((value) => value === text('show', 20))
  const conversation = text('conversation', 36)
  return {
    show: show === 'active' ? undefined : show,
    search: text('search', 100),
    conversation: uuid.test(conversation ?? '') ? conversation : undefined,
  }
}
