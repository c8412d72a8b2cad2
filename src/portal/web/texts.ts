import { type FileKind, fileKinds, numberedNames, patientFileLimit, safeName } from '../../documents/rules.ts'
import { codeLength } from '../rules.ts'

/** The digits of what was typed or pasted into the code field: '482 103' and full-width digits are taken too. */
export const codeDigits = (typed: string): string => typed.normalize('NFKC').replace(/\D/g, '').slice(0, codeLength)

/** Spec 2: m:ss. */
export function countdownText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
}

/** Whether it looks like an address; the server knows more. */
export const isEmail = (text: string): boolean => text.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)

/** Spec 9. `day` is today in the practice's time zone, 'yyyy-MM-dd'. */
export const zipName = (day: string): string => `documents_${day}.zip`

/** Spec 9: what each document is called in the zip, none like another. */
export const zipEntryNames = (documents: readonly { id: string; name: string }[]): string[] =>
  numberedNames(documents.map(({ id, name }) => safeName(name, `document_${id}`)))

/** For react-dropzone: what is taken, by type and by the end of the name; browsers do not know the type of every file. */
export const acceptedFiles: Record<string, string[]> = Object.fromEntries(
  Object.entries(fileKinds).map(([type, { extensions }]) => [type, extensions.map((extension) => `.${extension}`)]),
)

/** Spec 5's words for why a file is not taken; the types as a patient calls them. */
export function rejectionText(code: string, otherwise: string): string {
  if (code === 'file-invalid-type') return 'File type must be one of PDF, Word, JPEG, PNG, HEIC'
  if (code === 'file-too-large') return `File is larger than ${patientFileLimit} bytes`
  return otherwise
}

/** How the viewer shows a document. */
export function viewOf(type: FileKind): 'image' | 'pdf' | 'none' {
  if (type === 'application/pdf') return 'pdf'
  return type.startsWith('image/') ? 'image' : 'none'
}
