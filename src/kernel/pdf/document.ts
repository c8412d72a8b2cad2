import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { centsToText } from '../../shared/money.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import type { Logo } from '../practice.ts'
import type { Scope } from '../scope.ts'

/** In points; without a width a column takes what is left. */
export type PdfColumn = { label: string; width?: number; isAmount?: boolean }
/** A second line stands below the first, quieter. */
export type PdfCell = string | { text: string; detail: string }

export type PdfTable = {
  heading?: string
  columns: PdfColumn[]
  rows: PdfCell[][]
}

/** At the right, under the amounts. The last of several is the one that counts. */
export type PdfTotals = { sums: { label: string; amount: string; isStrong?: boolean }[] }

/** What stands on a letter page, or on several. Plain data, as it goes to the thread that draws it. */
export type PdfDocument = {
  letterhead: { name: string; lines: string[]; logo: Omit<Logo, 'hash'> | null }
  title: string
  /** In large letters: why it is not what it looks like. */
  warning: string | null
  facts: { label: string; value: string }[]
  parts: (PdfTable | PdfTotals)[]
  notes: string[]
}

/** What a paper needs to know of the practice. */
export type OfPractice = Pick<Scope, 'env' | 'practice'>

export function letterheadOf({ env, practice }: OfPractice): PdfDocument['letterhead'] {
  const { PRACTICE_NAME, PRACTICE_SUBTITLE, PRACTICE_ADDRESS, PRACTICE_PHONE, PRACTICE_HOURS, PRACTICE_HST_NUMBER } = env
  const registration = PRACTICE_HST_NUMBER === '' ? '' : `HST registration number: ${PRACTICE_HST_NUMBER}`
  const logo = practice.logo()
  return {
    name: PRACTICE_NAME,
    lines: [PRACTICE_SUBTITLE, PRACTICE_ADDRESS, PRACTICE_PHONE, PRACTICE_HOURS, registration].filter((line) => line !== ''),
    logo: logo && { png: logo.png, width: logo.width, height: logo.height },
  }
}

/** Integer cents as '$13,337.50' or '−$632.15'. */
export const money = (cents: number): string => `${cents < 0 ? '−' : ''}$${centsToText(Math.abs(cents))}`

/** A calendar day, 'yyyy-MM-dd', as 'Nov 20, 2026'. */
export const day = (isoDay: string): string => format(parseISO(isoDay), 'MMM d, yyyy')

/** 'Nov 20, 2026, 2:30 p.m.' on the practice's clock. */
export function dayAndTime(instant: Date, timeZone: string): string {
  const local = toLocal(instant, timeZone)
  const time = parseISO(`${local.day}T${local.time}`)
  return `${day(local.day)}, ${format(time, 'h:mm')} ${time.getHours() < 12 ? 'a.m.' : 'p.m.'}`
}

/** GET's answer: to be looked at in the browser, whose own viewer prints and saves it under this name. */
export const pdfAnswer = (name: string, bytes: Uint8Array<ArrayBuffer>): Response =>
  new Response(bytes, {
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': `inline; filename="${fileName(name)}.pdf"`,
      // Chrome's viewer is itself content of the page that it makes: under default-src 'none' it stays empty.
      'content-security-policy': "frame-ancestors 'none'",
    },
  })

/** Of letters that every system keeps. */
const fileName = (name: string): string => name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'paper'

/** As it goes with a mail. */
export const pdfAttachment = (name: string, bytes: Uint8Array) => ({
  name: `${fileName(name)}.pdf`,
  contentBase64: Buffer.from(bytes).toString('base64'),
  contentType: 'application/pdf',
})
