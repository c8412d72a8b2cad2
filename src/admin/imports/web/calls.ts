import type { Client } from '../../../ui/client/api.ts'
import { uploadKey } from '../../../ui/client/send-once.ts'
import type { ImportKind } from '../kind-rules.ts'

/** An import as it arrives in the browser: instants are ISO strings. */
export type Import = Awaited<ReturnType<Client['imports']['get']>>
export type ImportLine = Awaited<ReturnType<Client['imports']['list']>>['data'][number]
export type ImportColumnData = Import['columns'][number]

/** What each step of an import is given. */
export interface StepProps {
  data: Import
  /** Told what an answer says of the import. */
  onChanged: (next: Import) => void
}

/** The spreadsheet has several sheets, and no one has said which. */
export class SheetChoice extends Error {
  readonly sheets: readonly string[]
  constructor(sheets: readonly string[]) {
    super('Say which sheet of the spreadsheet it is')
    this.sheets = sheets
  }
}

interface Sending {
  kind: ImportKind
  /** Of a spreadsheet with several. */
  sheet: string | null
  onProgress: (part: number) => void
  signal: AbortSignal
}

/** Sends a file as it is, telling how much of it has gone. Rejects with the server's sentence, or with a SheetChoice. */
export function sendFile(file: File, { kind, sheet, onProgress, signal }: Sending): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest() // fetch tells nothing of how much has gone
    const path = `/api/imports?${new URLSearchParams({ name: file.name, kind, ...(sheet === null ? {} : { sheet }) }).toString()}`
    request.open('POST', path)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('idempotency-key', uploadKey(file, path))
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1))
    request.addEventListener('load', () => {
      const answer = read(request.responseText)
      if (request.status === 201 && answer.id) resolve(answer.id)
      else if (answer.sheets) reject(new SheetChoice(answer.sheets))
      else reject(new Error(answer.message ?? 'Something went wrong. Please try again.'))
    })
    request.addEventListener('error', () => reject(new Error('The connection was lost. Please try again.')))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

interface Answer {
  id?: string
  message?: string
  sheets?: string[]
}

function read(text: string): Answer {
  try {
    return JSON.parse(text) as Answer
  } catch {
    return {}
  }
}
