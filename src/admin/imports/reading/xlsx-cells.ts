/** Converts cells of a spreadsheet file (ECMA-376) to the text that a CSV export of the sheet would have. Pure functions. */

/** Built-in number formats that show dates or times. */
const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57])

/** Whether a number format shows a date or a time: it has a date letter outside quotation marks, colours and conditions. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return builtInDates.has(id)
  const bare = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!(h+|m+|s+)\])[^\]]*\]/gi, '')
    .split(';')[0]!
  return /[dmyhs]/i.test(bare) && !/general/i.test(bare)
}

const dayMs = 86_400_000
const padTwo = (value: number) => String(value).padStart(2, '0')

/**
 * Formats a serial date as 'YYYY-MM-DD', with ' HH:MM' if it has a time, or as 'HH:MM' below one day; null if it is not a date. `from1904`
 * is the date system of old Macintosh files. In the 1900 system, day 60 is a February 29 that did not exist.
 */
export function formatSerialDate(serial: number, from1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial > 200_000) return null
  const minutes = Math.round((serial - Math.floor(serial)) * 1440)
  const day = Math.floor(serial) + (minutes === 1440 ? 1 : 0)
  const time = minutes === 0 || minutes === 1440 ? null : `${padTwo(Math.floor(minutes / 60))}:${padTwo(minutes % 60)}`
  if (day === 0) return time ?? '00:00'
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30)
  const date = new Date(epoch + day * dayMs).toISOString().slice(0, 10)
  return time ? `${date} ${time}` : date
}

/** Formats a number without exponents and float noise, so that a phone number keeps its digits. */
export function formatNumber(written: string): string {
  const number = Number(written)
  if (written.trim() === '' || !Number.isFinite(number)) return written
  if (Number.isInteger(number) && Math.abs(number) < 1e21)
    return number.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 0 })
  return String(Number(number.toPrecision(15)))
}

/** The zero-based column of a cell address, such as 1 for 'B7'; null if it is not an address. */
export function parseColumn(address: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d*$/.exec(address ?? '')?.[1]
  if (!letters) return null
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Decodes escaped characters such as _x000D_. */
export const unescapeText = (text: string): string =>
  text.replace(/_x([0-9A-F]{4})_/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
