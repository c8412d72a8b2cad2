/** The page's state as URL parameters. Defaults are left out. */
export interface EmailSearch {
  /** The role of a folder ('sent'), or the id of one of the person's own; left out for the inbox. */
  folder?: string
  /** Only unread threads of the folder; or drafts in place of a folder. */
  show?: 'unread' | 'drafts'
  search?: string
  /** The thread that is open. */
  thread?: string
  /** The open draft. */
  draft?: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const maxIdLength = 1_000

/** Parses a URL that anyone may have typed. Invalid values become undefined; otherwise the router would pass them on. */
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
