/**
 * Folders. A Google mailbox has labels; a message can have several, and is archived when it has none of a folder's. In other mailboxes each
 * message is in exactly one folder, with an opaque id. Nylas calls both folders; their attributes give the role.
 */
import { createHash } from 'node:crypto'
import { labelOf, type Mailbox, type Message, type Place, placeOf, userLabels } from '../mailbox.ts'
import { invalid } from './errors.ts'
import type { Grant } from './grants.ts'

type Folder = { id: string; name: string; attributes: string[]; isSystem: boolean; matches: (message: Message) => boolean }

const places: readonly (readonly [place: Place, name: string, attribute: string])[] = [
  ['inbox', 'Inbox', '\\Inbox'],
  ['sent', 'Sent Items', '\\Sent'],
  ['drafts', 'Drafts', '\\Drafts'],
  ['archive', 'Archive', '\\Archive'],
  ['spam', 'Junk Email', '\\Junk'],
  ['trash', 'Deleted Items', '\\Trash'],
]

const googleLabels: readonly (readonly [id: string, attributes: string[]])[] = [
  ['INBOX', ['\\Inbox']],
  ['SENT', ['\\Sent']],
  ['DRAFT', ['\\Drafts']],
  ['SPAM', ['\\Junk']],
  ['TRASH', ['\\Trash']],
  ['STARRED', ['\\Flagged']],
  ['UNREAD', []],
]

export function foldersOf(grant: Grant): Folder[] {
  if (grant.provider !== 'google') {
    return places.map(([place, name, attribute]) => ({
      id: idOf(grant, place),
      name,
      attributes: [attribute],
      isSystem: true,
      matches: ({ labels }) => placeOf(labels) === place,
    }))
  }
  const system = googleLabels.map(([id, attributes]) => ({ id, name: id, attributes, isSystem: true }))
  const own = userLabels.map(({ id, name }) => ({ id, name, attributes: [], isSystem: false }))
  return [...system, ...own].map((label) => ({ ...label, matches: ({ labels }) => labels.has(label.id) }))
}

export function folderShape(folder: Folder, grant: Grant, mailbox: Mailbox) {
  const { total, unread } = mailbox.count(folder.matches)
  return {
    id: folder.id,
    grant_id: grant.id,
    object: 'folder',
    name: folder.name,
    attributes: folder.attributes,
    total_count: total,
    unread_count: unread,
    ...(grant.provider === 'google' ? { system_folder: folder.isSystem } : { child_count: 0 }),
  }
}

/** The ids of the folders that a message is in. */
export function folderIdsOf({ labels }: Message, grant: Grant): string[] {
  return grant.provider === 'google' ? [...labels] : [idOf(grant, placeOf(labels))]
}

/** Accepts ids only, not names such as `in=inbox`. @throws Refusal */
export function findFolder(id: string, grant: Grant): Folder {
  const folder = foldersOf(grant).find((one) => one.id === id)
  if (!folder) throw invalid(`invalid folder ID: ${id}`)
  return folder
}

/** @throws Refusal */
export function moveTo(message: Message, ids: readonly string[], grant: Grant, mailbox: Mailbox): void {
  for (const id of ids) findFolder(id, grant)
  if (grant.provider === 'google') {
    mailbox.relabel(message, ids, [...message.labels])
    return
  }
  if (ids.length !== 1) throw invalid('folders must hold exactly one folder ID')
  const [place] = places.find(([one]) => idOf(grant, one) === ids[0])!
  mailbox.move(message, labelOf(place))
}

function idOf(grant: Grant, place: Place): string {
  return `AQMk${createHash('sha256').update(`${grant.email} ${place}`).digest('base64url').slice(0, 40)}`
}
