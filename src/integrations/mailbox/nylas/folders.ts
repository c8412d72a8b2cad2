/** Where a mailbox's messages lie, and where they move. */
import type { z } from 'zod'
import { inOrder, isPseudo } from '../folders.ts'
import type { FolderRole, MailFolder, Person, Place } from '../mailbox.ts'
import { type folder, roleOf } from './shapes.ts'
import { isSame } from '../people.ts'

export type Placed = { from: Person[]; folders: string[] }

/**
 * - `labels`: Google's, of which a message has any number and none is an archive;
 * - otherwise folders, of which it lies in one.
 */
export type Folders = { list: MailFolder[]; labels: boolean }

export function foldersOf(given: readonly z.output<typeof folder>[]): Folders {
  const list = given
    .filter(({ id }) => !isPseudo(id))
    .map(({ id, name, attributes, totalCount, unreadCount }) => ({
      id,
      name,
      role: roleOf(attributes),
      total: totalCount,
      unread: unreadCount,
    }))
  const labels = given.some(({ systemFolder }) => typeof systemFolder === 'boolean')
  return { list: inOrder(list), labels }
}

const idsOf = ({ list }: Folders, role: FolderRole): string[] => list.filter((one) => one.role === role).map(({ id }) => id)

const isIn = (folders: Folders, role: FolderRole, placed: readonly string[]): boolean =>
  idsOf(folders, role).some((id) => placed.includes(id))

/** Whether all of it lies in spam or trash. Of labels this cannot be said: a star alone would seem to lie elsewhere. */
export function isHidden(folders: Folders, placed: readonly string[]): boolean {
  const away = [...idsOf(folders, 'spam'), ...idsOf(folders, 'trash')]
  return !folders.labels && placed.length > 0 && placed.every((id) => away.includes(id))
}

export const isDraft = (folders: Folders, { object, folders: placed }: { object: string; folders: string[] }): boolean =>
  object === 'draft' || isIn(folders, 'drafts', placed)

/** By its sender: what was archived with its thread no longer lies among what was sent. */
export const isOwn = (folders: Folders, email: string, { from, folders: placed }: Placed): boolean =>
  isIn(folders, 'sent', placed) || from.some((person) => isSame(person.email, email))

/** The folders that a message lies in after its thread was moved. Null: this mailbox has no such place. */
export function movedTo(place: Place, message: Placed, { folders, email }: { folders: Folders; email: string }): string[] | null {
  const placed = message.folders
  const own = isOwn(folders, email, message)
  if (!folders.labels) {
    // What the person wrote stays where they look for it, unless it is thrown away; out of the trash it goes back there.
    const target = place !== 'trash' && own ? 'sent' : place
    const [id] = idsOf(folders, target)
    return id === undefined ? null : isIn(folders, target, placed) ? placed : [id]
  }
  const [inbox, spam, trash] = (['inbox', 'spam', 'trash'] as const).map((role) => idsOf(folders, role)[0])
  const added = place === 'trash' ? trash : place === 'inbox' && !own ? inbox : undefined
  if (place === 'trash' && trash === undefined) return null
  const rest = placed.filter((id) => ![inbox, spam, trash].includes(id))
  return added === undefined ? rest : [...rest, added]
}
