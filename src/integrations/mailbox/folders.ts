import { folderRoles, type MailFolder } from './mailbox.ts'

/** Those with a role first, the person's own by name. */
export function inOrder(folders: readonly MailFolder[]): MailFolder[] {
  const rank = ({ role }: MailFolder) => (role ? folderRoles.indexOf(role) : folderRoles.length)
  return folders.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}

/** Google's labels that say something about a message, not where it lies. */
export const isPseudo = (folderId: string): boolean => /^(UNREAD|IMPORTANT|CHAT|CATEGORY_[A-Z]+)$/.test(folderId)
