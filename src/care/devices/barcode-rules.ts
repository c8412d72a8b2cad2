/*
 * GS1 element strings, as a DataMatrix or a GS1-128 on a device's package has them (GS1 General Specifications, chapter 3): an application
 * identifier and its value, one after the other. A value of variable length ends with the separator FNC1, which scanners send as the
 * character 29 (GS), or with the string.
 */

/** What the label of a device says. Days are 'yyyy-MM-dd'. */
export interface Label {
  /** GTIN of 14 digits, the UDI-DI. */
  gtin: string | null
  lot: string | null
  serial: string | null
  expiresOn: string | null
  madeOn: string | null
}

export type LabelProblem =
  /** No GS1 element string. */
  | 'unreadable'
  /** The check digit of the GTIN is wrong: the code was misread or mistyped. */
  | 'check_digit'
  /** A date that is on no calendar. */
  | 'date'
  /** An identifier occurs twice with different values. */
  | 'contradiction'

type Read = { label: Label; problem: null } | { label: null; problem: LabelProblem }

const separator = '\u001D'
/** Symbology identifiers that a scanner may send first: GS1-128, GS1 DataMatrix, GS1 QR code, GS1 DataBar. */
const symbology = /^\](?:C1|d2|Q3|e0)/

/** Fixed lengths of values by the first two digits of their identifier, which includes the identifier (GS1 figure 7.8.5-2). */
const fixedLengths: Readonly<Record<string, number>> = {
  '00': 20, '01': 16, '02': 16, '03': 16, '04': 18, '11': 8, '12': 8, '13': 8, '14': 8, '15': 8, '16': 8, '17': 8, '18': 8, '19': 8, '20': 4,
  '31': 10, '32': 10, '33': 10, '34': 10, '35': 10, '36': 10, '41': 16,
} // prettier-ignore

/** The length of an identifier by its first two digits; the others have two digits. */
const identifierLengths: Readonly<Record<string, number>> = {
  '23': 3, '24': 3, '25': 3, '31': 4, '32': 4, '33': 4, '34': 4, '35': 4, '36': 4, '39': 4, '40': 3, '41': 3, '42': 3, '43': 4, '70': 4, '71': 3,
  '72': 4, '80': 4, '81': 4, '82': 4,
} // prettier-ignore

/** The identifiers that are kept, with the pattern of their value. */
const kept = { '01': /^\d{14}$/, '10': /^[!-z]{1,20}$/, '11': /^\d{6}$/, '17': /^\d{6}$/, '21': /^[!-z]{1,20}$/ } as const
type Kept = keyof typeof kept
const isKept = (identifier: string): identifier is Kept => Object.hasOwn(kept, identifier)

/** The check digit of a GTIN, from its other digits (GS1 section 7.9). */
export function checkDigit(digits: string): number {
  const sum = [...digits].toReversed().reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

/** A GTIN of 8, 12, 13 or 14 digits with the right check digit, as 14 digits; null for anything else. */
export function toGtin(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, '')
  if (!/^(\d{8}|\d{12,14})$/.test(digits)) return null
  return checkDigit(digits.slice(0, -1)) === Number(digits.at(-1)) ? digits.padStart(14, '0') : null
}

/**
 * Reads what a scanner, a camera or a person typed: an element string with or without symbology identifier, with identifiers in parentheses as
 * printed below the code, or only a GTIN. `today` decides the century of years of two digits (GS1 section 7.12).
 */
export function readLabel(scanned: string, today: string): Read {
  const text = scanned.trim().replace(symbology, '')
  if (/^[\d\s-]+$/.test(text) && !/^(?:01\d{14}|10|11|17|21)/.test(text)) {
    const gtin = toGtin(text)
    if (gtin) return { label: { ...noLabel, gtin }, problem: null }
  }
  const elements = text.startsWith('(') ? printedElements(text) : scannedElements(text)
  if (!elements) {
    const gtin = toGtin(text)
    return gtin ? { label: { ...noLabel, gtin }, problem: null } : refused('unreadable')
  }
  const values: Partial<Record<Kept, string>> = {}
  for (const [identifier, value] of elements) {
    if (!isKept(identifier)) continue
    if (!kept[identifier].test(value)) return refused('unreadable')
    if (values[identifier] !== undefined && values[identifier] !== value) return refused('contradiction')
    values[identifier] = value
  }
  if (Object.keys(values).length === 0) return refused('unreadable')
  const gtin = values['01'] ?? null
  if (gtin !== null && toGtin(gtin) === null) return refused('check_digit')
  const [madeOn, expiresOn] = [dayOf(values['11'], today), dayOf(values['17'], today)]
  if (madeOn === undefined || expiresOn === undefined) return refused('date')
  return { label: { gtin, lot: values['10'] ?? null, serial: values['21'] ?? null, expiresOn, madeOn }, problem: null }
}

const noLabel: Label = { gtin: null, lot: null, serial: null, expiresOn: null, madeOn: null }
const refused = (problem: LabelProblem): Read => ({ label: null, problem })

/** '(01)…(17)…': as printed for people. Null if it is something else. */
function printedElements(text: string): [string, string][] | null {
  const found = [...text.matchAll(/\((\d{2,4})\)([^(]*)/g)]
  if (found.map(([whole]) => whole).join('') !== text) return null
  return found.map(([, identifier, value]) => [identifier!, value!.trim().replaceAll(separator, '')])
}

/** Null if the text does not follow the rules of element strings. */
function scannedElements(text: string): [string, string][] | null {
  const found: [string, string][] = []
  let at = 0
  while (at < text.length) {
    if (text[at] === separator) {
      at++
      continue
    }
    const first = text.slice(at, at + 2)
    if (!/^\d\d$/.test(first)) return null
    const fixed = fixedLengths[first]
    const valueAt = at + (identifierLengths[first] ?? 2)
    const end = fixed === undefined ? (text + separator).indexOf(separator, at) : at + fixed
    if (end > text.length || end <= valueAt) return null
    const value = text.slice(valueAt, end)
    if (value.includes(separator)) return null
    found.push([text.slice(at, valueAt), value])
    at = end
  }
  return found.length === 0 ? null : found
}

/**
 * A date of six digits as a day; null if there is none, undefined if it is on no calendar. The day 00 means the last day of the month. A year
 * lies within 49 years before and 50 after this one.
 */
function dayOf(date: string | undefined, today: string): string | null | undefined {
  if (date === undefined) return null
  const [short, month, day] = [0, 2, 4].map((from) => Number(date.slice(from, from + 2))) as [number, number, number]
  const thisYear = Number(today.slice(0, 4))
  const difference = short - (thisYear % 100)
  const century = Math.floor(thisYear / 100) + (difference >= 51 ? -1 : difference <= -50 ? 1 : 0)
  const year = century * 100 + short
  if (month < 1 || month > 12) return undefined
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day > last) return undefined
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day === 0 ? last : day).padStart(2, '0')].join('-')
}
