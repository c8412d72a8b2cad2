import { hasMessage } from '../../ui/client/refusal.ts'
import { refreshSession } from '../../ui/client/session.ts'
import type { DocumentData } from './document-data.ts'

type StoredDocument = Pick<DocumentData, 'id' | 'mimeType'>

export const fileUrl = ({ id }: Pick<DocumentData, 'id'>): string => `/api/documents/${id}/file`

/** How the viewer displays a document; null if it cannot. */
export function getDisplayType({ mimeType }: StoredDocument): 'pdf' | 'image' | null {
  if (mimeType === 'application/pdf') return 'pdf'
  return mimeType.startsWith('image/') ? 'image' : null
}

/** Fetches the file to display, converted if browsers cannot show it. Rejects with the server's message. */
export async function fetchDisplayable(document: StoredDocument, signal: AbortSignal): Promise<Blob> {
  const url = document.mimeType === 'image/heic' ? `/api/documents/${document.id}/preview` : fileUrl(document)
  const response = await fetch(url, { signal }).catch(() => null)
  if (!response) throw new Error('The connection was lost. Please try again.')
  if (response.ok) return response.blob()
  if (response.status === 401) void refreshSession()
  const { message } = (await response.json().catch(() => ({}))) as { message?: string }
  throw new Error(hasMessage(response.status) && message ? message : 'Something went wrong. Please try again.')
}
