import { refreshSession } from '../../ui/client/session.ts'
import type { DocumentData } from './document-data.ts'

type Kept = Pick<DocumentData, 'id' | 'mimeType'>

export const fileAddress = ({ id }: Pick<DocumentData, 'id'>): string => `/api/documents/${id}/file`

/** How a document is shown; null for what only its own program opens. */
export function shownAs({ mimeType }: Kept): 'pdf' | 'image' | null {
  if (mimeType === 'application/pdf') return 'pdf'
  return mimeType.startsWith('image/') ? 'image' : null
}

/** The bytes that are shown: of a picture that browsers do not know, one that they do. Rejects with the server's sentence. */
export async function fetchShown(document: Kept, signal: AbortSignal): Promise<Blob> {
  const address = document.mimeType === 'image/heic' ? `/api/documents/${document.id}/preview` : fileAddress(document)
  const answer = await fetch(address, { signal }).catch(() => null)
  if (!answer) throw new Error('The connection was lost. Please try again.')
  if (answer.ok) return answer.blob()
  if (answer.status === 401) void refreshSession()
  const { message } = (await answer.json().catch(() => ({}))) as { message?: string }
  throw new Error(answer.status < 500 && message ? message : 'Something went wrong. Please try again.')
}
