import { folderRoles, type MailFolder } from './mailbox.ts'

/** Folders with a role first, then the person's own by name. */
export function inOrder(folders: readonly MailFolder[]): MailFolder[] {
  const rank = ({ role }: MailFolder) => (role ? folderRoles.indexOf(role) : folderRoles.length)
  return folders.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}

/** Google's labels that describe a message rather than its location. */
export const isPseudo = (folderId: string): boolean => /^(UNREAD|IMPORTANT|CHAT|CATEGORY_[A-Z]+)$/.test(folderId)
