import { formatMediumDay, inLanguage, type Language } from '../../shared/translations.ts'
import type { Logo } from '../practice.ts'
import type { Scope } from '../scope.ts'
import { pdfTexts } from './texts.ts'

/** `width` in points; a column without a width takes the remaining space. */
export type PdfColumn = { label: string; width?: number; isAmount?: boolean }
/** `detail` is a second, muted line. */
export type PdfCell = string | { text: string; detail: string }

export type PdfTable = {
  heading?: string
  columns: PdfColumn[]
  rows: PdfCell[][]
  startsPage?: boolean
  /** Split across pages even if it is short, because its rows are high. */
  mayBreak?: boolean
}

/** Totals on the right, under the amounts; the last one is emphasized. */
export type PdfTotals = { sums: { label: string; amount: string; isStrong?: boolean }[] }

/** A heading with text, which may continue on the next page. `aside`: at the right, such as the initials of a clause. */
export type PdfProse = { heading: string; text: string; aside?: string }

/** A signature: strokes of x, y, x, y… in thousandths of a pad, or a name that was typed; with who and when below. */
export type PdfSignature = { heading: string; strokes: number[][] | null; typed: string | null; lines: string[] }

/** Pictures in two columns, each with lines below it. `width` and `height` are in any unit. */
export type PdfPictures = { pictures: { jpeg: Uint8Array; width: number; height: number; lines: string[] }[] }

/** The content of a PDF, on letter pages. Plain data, because it is sent to a worker. */
export type PdfDocument = {
  letterhead: { name: string; lines: string[]; logo: Omit<Logo, 'hash'> | null }
  /** Of a letter: the name and postal address of its recipient, below the letterhead. */
  addressee?: string[]
  title: string
  /** At the top of each page, such as whom the page is about. */
  head?: string
  /** A large warning, for example that a receipt is not recorded yet. */
  warning: string | null
  facts: { label: string; value: string }[]
  parts: (PdfTable | PdfTotals | PdfProse | PdfSignature | PdfPictures)[]
  notes: string[]
  /** English unless stated. */
  language?: Language
}

/** The part of the scope that has the practice's details. */
export type PracticeScope = Pick<Scope, 'env' | 'practice'>

/** `isClinical`: without the tax registration. */
export function letterheadOf(
  { env, practice }: PracticeScope,
  language: Language = 'en',
  { isClinical = false } = {},
): PdfDocument['letterhead'] {
  const { PRACTICE_NAME, PRACTICE_ADDRESS, PRACTICE_PHONE, PRACTICE_HST_NUMBER } = env
  const subtitle = inLanguage(language, env.PRACTICE_SUBTITLE, env.PRACTICE_SUBTITLE_FR)
  const hours = inLanguage(language, env.PRACTICE_HOURS, env.PRACTICE_HOURS_FR)
  const registration = isClinical || PRACTICE_HST_NUMBER === '' ? '' : pdfTexts[language]('registration', { number: PRACTICE_HST_NUMBER })
  const logo = practice.logo()
  return {
    name: PRACTICE_NAME,
    lines: [subtitle, PRACTICE_ADDRESS, PRACTICE_PHONE, hours, registration].filter((line) => line !== ''),
    logo: logo && { png: logo.png, width: logo.width, height: logo.height },
  }
}

interface Identified {
  firstName: string
  lastName: string
  dateOfBirth: string | null
}

/** The two identifiers of the patient whom a PDF is about; the birth date if it is known. */
export const patientFacts = ({ firstName, lastName, dateOfBirth }: Identified, language: Language = 'en'): PdfDocument['facts'] => [
  { label: pdfTexts[language]('patient'), value: `${firstName} ${lastName}` },
  ...(dateOfBirth === null ? [] : [{ label: pdfTexts[language]('born'), value: formatMediumDay(dateOfBirth, language) }]),
]

/** A PDF response to display in the browser, whose viewer prints and saves it under this name. */
export const pdfResponse = (name: string, bytes: Uint8Array<ArrayBuffer>): Response =>
  new Response(bytes, {
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': `inline; filename="${fileName(name)}.pdf"`,
      // Chrome's viewer is subject to the response's policy: under default-src 'none' it stays empty.
      'content-security-policy': "frame-ancestors 'none'",
    },
  })

/** A file name with only safe characters: 'Reçu 1042' becomes 'Recu-1042'. */
const fileName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '') || 'document'

/** A PDF as an email attachment. */
export const pdfAttachment = (name: string, bytes: Uint8Array) => ({
  name: `${fileName(name)}.pdf`,
  contentBase64: Buffer.from(bytes).toString('base64'),
  contentType: 'application/pdf',
})
