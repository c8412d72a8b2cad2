import { type FileKind, fileKinds, numberedNames, patientFileLimit, safeName } from '../../documents/rules.ts'
import { codeLength } from '../rules.ts'

/** The digits typed or pasted into the code field; accepts '482 103' and full-width digits. */
export const codeDigits = (typed: string): string => typed.normalize('NFKC').replace(/\D/g, '').slice(0, codeLength)

/** m:ss (spec 2). */
export function countdownText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
}

/** Whether the text looks like an email address; the server validates it fully. */
export const isEmail = (text: string): boolean => text.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)

/** The name of the zip (spec 9). `day` is today in the practice's time zone, 'yyyy-MM-dd'. */
export const zipName = (day: string): string => `documents_${day}.zip`

/** Unique file names for the documents in the zip (spec 9). */
export const zipEntryNames = (documents: readonly { id: string; name: string }[]): string[] =>
  numberedNames(documents.map(({ id, name }) => safeName(name, `document_${id}`)))

/** Accepted files for react-dropzone, by type and extension, because browsers do not know the type of every file. */
export const acceptedFiles: Record<string, string[]> = Object.fromEntries(
  Object.entries(fileKinds).map(([type, { extensions }]) => [type, extensions.map((extension) => `.${extension}`)]),
)

/** Why a file is rejected (spec 5), with file types named as patients know them. */
export function rejectionText(code: string, fallback: string): string {
  if (code === 'file-invalid-type') return 'File type must be one of PDF, Word, JPEG, PNG, HEIC'
  if (code === 'file-too-large') return `File is larger than ${patientFileLimit} bytes`
  return fallback
}

/** How the viewer displays a document. */
export function viewOf(type: FileKind): 'image' | 'pdf' | 'none' {
  if (type === 'application/pdf') return 'pdf'
  return type.startsWith('image/') ? 'image' : 'none'
}
