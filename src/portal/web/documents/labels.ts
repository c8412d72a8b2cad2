import { type FileKind, fileKinds, numberedNames, patientFileLimit, safeName } from '../../../documents/rules.ts'
import type { Language } from '../../../shared/translations.ts'
import { documentTexts } from './texts.ts'

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
export function rejectionText({ code, message }: { code: string; message: string }, language: Language): string {
  const t = documentTexts[language]
  if (code === 'file-invalid-type') return t('problems.type')
  // The specification has the number of bytes, in English.
  const bytes = language === 'en' ? patientFileLimit : formatBytes(patientFileLimit, language)
  return code === 'file-too-large' ? t('tooLarge', { bytes }) : message
}

/** '340 KB', '1,2 Mo' */
export function formatBytes(bytes: number, language: Language): string {
  const isSmall = bytes < 1024 ** 2
  const units = { style: 'unit', unit: isSmall ? 'kilobyte' : 'megabyte', maximumFractionDigits: isSmall ? 0 : 1 } as const
  const shown = isSmall ? Math.max(1, Math.round(bytes / 1024)) : bytes / 1024 ** 2
  return new Intl.NumberFormat(`${language}-CA`, units).format(shown).replace('kB', 'KB')
}

/** How the viewer displays a document. */
export function viewOf(type: FileKind): 'image' | 'pdf' | 'none' {
  if (type === 'application/pdf') return 'pdf'
  return type.startsWith('image/') ? 'image' : 'none'
}
