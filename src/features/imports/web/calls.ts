import type { Client } from '../../../web/api.ts'

/** An import as it arrives in the browser: instants are ISO strings. */
export type Import = Awaited<ReturnType<Client['imports']['get']>>
export type ImportLine = Awaited<ReturnType<Client['imports']['list']>>[number]
export type ImportColumnData = Import['columns'][number]

/** What each step of an import is given. */
export interface StepProps {
  data: Import
  /** Told what an answer says of the import. */
  onChanged: (next: Import) => void
}

/** Sends a file as it is, telling how much of it has gone. Rejects with the server's sentence. */
export function sendFile(file: File, onProgress: (part: number) => void, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest() // fetch tells nothing of how much has gone
    request.open('POST', `/api/imports?name=${encodeURIComponent(file.name)}`)
    request.setRequestHeader('content-type', 'text/csv')
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1))
    request.addEventListener('load', () => {
      const answer = read(request.responseText)
      if (request.status === 201 && answer.id) resolve(answer.id)
      else reject(new Error(answer.message ?? 'Something went wrong. Please try again.'))
    })
    request.addEventListener('error', () => reject(new Error('The connection was lost. Please try again.')))
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
