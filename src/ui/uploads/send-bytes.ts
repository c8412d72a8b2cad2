import { uploadKey } from '../client/send-once.ts'
import { refreshSession } from '../client/session.ts'

/** What the server answers to a file that it has taken: its id at least. */
export interface Taken {
  id: string
}

/** Sends a file as it is, telling how much of it has gone (from 0 to 1). Rejects with the server's sentence. */
export function sendBytes<Answer extends Taken>(
  path: string,
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest() // fetch tells nothing of how much has gone
    request.open('POST', path)
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.setRequestHeader('idempotency-key', uploadKey(file, path))
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1))
    request.addEventListener('load', () => {
      const answer = read(request.responseText)
      if (request.status === 401) void refreshSession()
      if (request.status === 201 && answer.id) resolve(answer as Answer)
      else reject(new Error(request.status < 500 && answer.message ? answer.message : 'Something went wrong. Please try again.'))
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
