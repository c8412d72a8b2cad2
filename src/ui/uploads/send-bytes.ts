import { uploadKey } from '../client/idempotent-send.ts'
import { hasMessage } from '../client/refusal.ts'
import { refreshSession } from '../client/session.ts'

/** The server's response to an uploaded file: at least its id. */
export interface Taken {
  id: string
}

/** Uploads a file with progress (0 to 1). Rejects with the server's message. */
export function sendBytes<Answer extends Taken>(
  path: string,
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest() // fetch reports no upload progress
    request.open('POST', path)
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.setRequestHeader('idempotency-key', uploadKey(file, path))
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1))
    request.addEventListener('load', () => {
      const answer = read(request.responseText)
      if (request.status === 401) void refreshSession()
      if (request.status === 201 && answer.id) resolve(answer as Answer)
      else reject(new Error(hasMessage(request.status) && answer.message ? answer.message : 'Something went wrong. Please try again.'))
    })
    request.addEventListener('error', () => reject(new Error('The connection was lost. Please try again.')))
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

function read(text: string): Partial<Taken> & { message?: string } {
  try {
    return JSON.parse(text) as Partial<Taken> & { message?: string }
  } catch {
    return {}
  }
}
