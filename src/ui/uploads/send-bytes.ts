import { uploadKey } from '../client/idempotent-send.ts'
import { hasMessage } from '../client/refusal.ts'
import { refreshSession } from '../client/session.ts'

/** The server's response to an uploaded file: at least its id. */
export interface Taken {
  id: string
}

/** A file was not taken. `isDecided`: the server has refused it, so that sending it again would change nothing. */
export class UploadError extends Error {
  readonly isDecided: boolean

  constructor(message: string, isDecided: boolean) {
    super(message)
    this.isDecided = isDecided
  }
}

/** Uploads a file with progress (0 to 1). Rejects with an UploadError that has the server's message. */
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
      // 200: it was taken before.
      if ((request.status === 201 || request.status === 200) && answer.id) return resolve(answer as Answer)
      const message = hasMessage(request.status) && answer.message ? answer.message : 'Something went wrong. Please try again.'
      reject(new UploadError(message, request.status >= 400 && request.status < 500 && !undecided.includes(request.status)))
    })
    request.addEventListener('error', () => reject(new UploadError('The connection was lost. Please try again.', false)))
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

/** Signed out, too slow, or too many: the same file may be taken later. */
const undecided = [401, 408, 429]

function read(text: string): Partial<Taken> & { message?: string } {
  try {
    return JSON.parse(text) as Partial<Taken> & { message?: string }
  } catch {
    return {}
  }
}
