import { Archive, CircleAlert, FileText, Folder, Inbox, type LucideIcon, Send, Star, Trash2 } from 'lucide-react'
import type { folderRoles } from '../../rules.ts'
import type { FolderRow } from '../mailbox-data.ts'

type Role = (typeof folderRoles)[number]

const folders: Record<Role, { name: string; icon: LucideIcon }> = {
  inbox: { name: 'Inbox', icon: Inbox },
  starred: { name: 'Starred', icon: Star },
  sent: { name: 'Sent', icon: Send },
  // Distinguishes the provider's drafts from ours.
  drafts: { name: 'Provider drafts', icon: FileText },
  archive: { name: 'Archive', icon: Archive },
  spam: { name: 'Spam', icon: CircleAlert },
  trash: { name: 'Trash', icon: Trash2 },
}

/** A folder's label: by role, or the owner's own name. */
export const folderName = ({ role, name }: Pick<FolderRow, 'role' | 'name'>): string => (role ? folders[role].name : name)

export const folderIcon = (role: Role | null): LucideIcon => (role ? folders[role].icon : Folder)

/** A folder's value in the URL. */
export const folderKey = ({ role, id }: Pick<FolderRow, 'role' | 'id'>): string => role ?? id

/** The folder in the URL, by default the inbox. Null: not found. */
export const folderOf = (folders: readonly FolderRow[], key: string | undefined): FolderRow | null =>
  folders.find(({ role }) => role === (key ?? 'inbox')) ?? folders.find(({ id }) => id === key) ?? null
