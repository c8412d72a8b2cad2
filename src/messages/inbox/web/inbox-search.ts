/** What the list may hold. The first is the one that a bare address opens; 'patients' is what no one has read, by patient. */
export const showLabels = {
  active: 'All open',
  unread: 'Unread',
  patients: 'Unread by patient',
  mine: 'Mine',
  unassigned: 'Unassigned',
  unknown: 'Unknown senders',
  archived: 'Archived',
} as const
export type Show = keyof typeof showLabels

/** What the page shows, as it stands in the address. Defaults are left out. */
export interface InboxSearch {
  show?: Exclude<Show, 'active'>
  search?: string
  /** The one that is open. */
  conversation?: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads an address that anyone may have typed. What makes no sense is said to be undefined: the router would take it as it stands. */
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
