import type { MouseEvent } from 'react'
import { actionOfFile } from '../../kernel/access/policy.ts'
import { client, messageOf } from './api.ts'
import { toast } from '../overlays/toast.ts'

/**
 * Has the browser write a file to the disk as it comes. The server gives it to those alone who have just proved who they are, so that is asked
 * first. Whether the browser was told to.
 */
export async function saveFile(href: string): Promise<boolean> {
  try {
    await client.auth.proof({ action: actionOfFile(href) })
  } catch (error) {
    toast.error('The file was not saved', messageOf(error))
    return false
  }
  // Without a name, the server's own.
  Object.assign(document.createElement('a'), { href, download: '' }).click()
  return true
}

/** For the onClick of a link to such a file. */
export function saveLinked(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault()
  void saveFile(event.currentTarget.href)
}
