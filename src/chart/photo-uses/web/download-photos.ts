import { downloadBlob } from '../../../ui/client/download-blob.ts'
import { client } from '../../../ui/client/api.ts'
import type { ConsentGap, DownloadPurpose } from '../rules.ts'

interface Asked {
  contactId: string
  photoIds: readonly string[]
  purpose: DownloadPurpose
  reason: string
}

/** Of the refusal NO_CONSENT: the photos that may not leave for this purpose. */
export type Blocked = { id: string; gap: ConsentGap }

/** The server refused a download. It has the shape of a refused call, so that forms show it as one. */
class RefusedDownload extends Error {
  readonly defined = true
  readonly code: string
  readonly status: number
  readonly data: unknown

  constructor({ message, code, data }: { message: string; code: string; data?: unknown }, status: number) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

/** The photos that a refused download is about; null for anything else. */
export const blockedBy = (error: unknown): Blocked[] | null =>
  error instanceof RefusedDownload && error.code === 'NO_CONSENT' ? (error.data as { photos: Blocked[] }).photos : null

/**
 * Downloads photos as a zip and saves it once it is complete. Asks for the password or a code first, if that is needed. `onProgress` gets the bytes
 * that have arrived. @throws if the server refuses, the connection is lost or the signal ends it
 */
export async function downloadPhotos(
  { contactId, ...asked }: Asked,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  await client.auth.proof({ action: 'photoUses.download' })
  const response = await fetch(`/api/contacts/${contactId}/photos.zip`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
    signal,
  })
  await refuseUnlessOk(response)
  let arrived = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      arrived += part.byteLength
      onProgress(arrived)
      controller.enqueue(part)
    },
  })
  const zip = await new Response(response.body!.pipeThrough(counter)).blob()
  downloadBlob(zip, nameIn(response))
}

/** Downloads one photo as it was taken, and saves it. @throws if the server refuses */
export async function downloadOriginal(id: string, purpose: DownloadPurpose): Promise<void> {
  const response = await fetch(`/api/photos/${id}/original?purpose=${purpose}`)
  await refuseUnlessOk(response)
  downloadBlob(await response.blob(), nameIn(response))
}

async function refuseUnlessOk(response: Response): Promise<void> {
  if (!response.ok) throw new RefusedDownload((await response.json()) as ConstructorParameters<typeof RefusedDownload>[0], response.status)
}

/** The name that the server gives the file. */
const nameIn = ({ headers }: Response): string =>
  decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'photos')
