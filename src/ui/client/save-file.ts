import type { MouseEvent } from 'react'
import { actionOfFile } from '../../kernel/access/proof-policy.ts'
import { client, messageOf } from './api.ts'
import { toast } from '../overlays/toast.ts'

/**
 * Downloads a file as a stream. The server requires recent re-authentication, so that is requested first. Returns whether the download
 * started.
 */
export async function saveFile(href: string): Promise<boolean> {
  try {
    await client.auth.proof({ action: actionOfFile(href) })
  } catch (error) {
    toast.error('The file was not saved', messageOf(error))
    return false
  }
  // Without a name, the server's.
  Object.assign(document.createElement('a'), { href, download: '' }).click()
  return true
}

/** For the onClick of a link to such a file. */
export function saveLinked(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault()
  void saveFile(event.currentTarget.href)
}
