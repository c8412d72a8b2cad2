import { refreshSession } from '../../../../web/session.ts'
import type { DocumentType } from '../../rules.ts'

export interface Filing {
  contactId: string
  type: DocumentType
  share: boolean
}

/** Sends a file as it is, telling how much of it has gone (from 0 to 1). Resolves with the document's id, rejects with the server's sentence. */
export function sendFile(file: File, { contactId, type, share }: Filing, onProgress: (part: number) => void, signal: AbortSignal) {
  return new Promise<string>((resolve, reject) => {
    const query = new URLSearchParams({ name: file.name, type, share: String(share) })
    const request = new XMLHttpRequest() // fetch tells nothing of how much has gone
    request.open('POST', `/api/contacts/${contactId}/documents?${query}`)
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1))
    request.addEventListener('load', () => {
      const { id, message } = read(request.responseText)
      if (request.status === 401) void refreshSession()
      if (request.status === 201 && id) resolve(id)
      else reject(new Error(request.status < 500 && message ? message : 'Something went wrong. Please try again.'))
    })
    request.addEventListener('error', () => reject(new Error('The connection was lost. Please try again.')))
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

function read(text: string): { id?: string; message?: string } {
  try {
    return JSON.parse(text) as { id?: string; message?: string }
  } catch {
    return {}
  }
}
