/** What the page shows, as it stands in the address. Defaults are left out. */
export interface EmailSearch {
  /** What a folder is for ('sent'), or the id of one of the person's own; the inbox is left out. */
  folder?: string
  /** In place of all threads of the folder: those that are unread. In place of a folder: what was begun and not sent. */
  show?: 'unread' | 'drafts'
  search?: string
  /** The thread that is open. */
  thread?: string
  /** What is being written. */
  draft?: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const maxIdLength = 1_000

/** Reads an address that anyone may have typed. What makes no sense is said to be undefined: the router would take it as it stands. */
export function readEmailSearch(from: Record<string, unknown>): EmailSearch {
  const text = (key: string, most: number) => {
    const value = typeof from[key] === 'string' || typeof from[key] === 'number' ? String(from[key]).trim() : ''
    return value !== '' && value.length <= most ? value : undefined
  }
  const show = text('show', 20)
  const draft = text('draft', 36)
  const folder = text('folder', maxIdLength)
  return {
    folder: folder === 'inbox' ? undefined : folder,
    show: show === 'unread' || show === 'drafts' ? show : undefined,
    search: text('search', 200),
    thread: text('thread', maxIdLength),
    draft: uuid.test(draft ?? '') ? draft : undefined,
  }
}
