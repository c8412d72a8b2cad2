import { sendBytes } from '../../../ui/uploads/send-bytes.ts'
import type { DocumentType } from '../../rules.ts'

export interface UploadTarget {
  contactId: string
  type: DocumentType
  share: boolean
}

/** Uploads a document for a patient. */
export const sendFile = (
  file: File,
  { contactId, type, share }: UploadTarget,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<unknown> =>
  sendBytes(
    `/api/contacts/${contactId}/documents?${new URLSearchParams({ name: file.name, type, share: String(share) })}`,
    file,
    onProgress,
    signal,
  )
