import { Archive, CircleAlert, FileText, Folder, Inbox, type LucideIcon, Send, Star, Trash2 } from 'lucide-react'
import type { folderRoles } from '../../rules.ts'
import type { FolderRow } from '../mailbox-data.ts'

type Role = (typeof folderRoles)[number]

const looks: Record<Role, { name: string; icon: LucideIcon }> = {
  inbox: { name: 'Inbox', icon: Inbox },
  starred: { name: 'Starred', icon: Star },
  sent: { name: 'Sent', icon: Send },
  // Ours is called so, too: theirs tells whose it is.
  drafts: { name: 'Provider drafts', icon: FileText },
  archive: { name: 'Archive', icon: Archive },
  spam: { name: 'Spam', icon: CircleAlert },
  trash: { name: 'Trash', icon: Trash2 },
}

/** What a folder is called here: by what it is for, or as its owner calls it. */
export const folderName = ({ role, name }: Pick<FolderRow, 'role' | 'name'>): string => (role ? looks[role].name : name)

export const folderIcon = (role: Role | null): LucideIcon => (role ? looks[role].icon : Folder)

/** How a folder stands in the address. */
export const folderKey = ({ role, id }: Pick<FolderRow, 'role' | 'id'>): string => role ?? id

/** The folder that an address names; the inbox, where it names none. Null: there is none such. */
export const folderOf = (folders: readonly FolderRow[], key: string | undefined): FolderRow | null =>
  folders.find(({ role }) => role === (key ?? 'inbox')) ?? folders.find(({ id }) => id === key) ?? null
