import type { Client } from '../../../ui/client/api.ts'
import { uploadKey } from '../../../ui/client/idempotent-send.ts'
import type { ImportKind } from '../kind-rules.ts'

/** An import as the client receives it: instants are ISO strings. */
export type Import = Awaited<ReturnType<Client['imports']['get']>>
export type ImportLine = Awaited<ReturnType<Client['imports']['list']>>['data'][number]
export type ImportColumnData = Import['columns'][number]

/** Props of each step of an import. */
export interface StepProps {
  data: Import
  /** Called with the updated import. */
  onChanged: (next: Import) => void
}

/** Thrown when the spreadsheet has several sheets and none was chosen. */
export class SheetChoice extends Error {
  readonly sheets: readonly string[]
  constructor(sheets: readonly string[]) {
    super('Choose which sheet to import')
    this.sheets = sheets
  }
}

interface SendOptions {
  kind: ImportKind
  /** The chosen sheet of a spreadsheet with several. */
  sheet: string | null
  onProgress: (part: number) => void
  signal: AbortSignal
}

/** Uploads a file and reports progress. Rejects with the server's message or a SheetChoice. */
export function sendFile(file: File, { kind, sheet, onProgress, signal }: SendOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest() // fetch does not report upload progress
    const path = `/api/imports?${new URLSearchParams({ name: file.name, kind, ...(sheet === null ? {} : { sheet }) }).toString()}`
    request.open('POST', path)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('idempotency-key', uploadKey(file, path))
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1))
    request.addEventListener('load', () => {
      const result = parseResult(request.responseText)
      if (request.status === 201 && result.id) resolve(result.id)
      else if (result.sheets) reject(new SheetChoice(result.sheets))
      else reject(new Error(result.message ?? 'Something went wrong. Please try again.'))
    })
    request.addEventListener('error', () => reject(new Error('The connection was lost. Please try again.')))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

interface UploadResult {
  id?: string
  message?: string
  sheets?: string[]
}

function parseResult(text: string): UploadResult {
  try {
    return JSON.parse(text) as UploadResult
  } catch {
    return {}
  }
}
