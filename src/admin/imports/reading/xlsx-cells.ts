/** What the cells of a spreadsheet file (ECMA-376) mean, as the text that a CSV file of the same sheet would have. Pure. */

/** Built-in number formats that show dates or times. */
const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57])

/** Whether a number format shows a date or a time: it has a letter of one outside of quotation marks, colours and conditions. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return builtInDates.has(id)
  const bare = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!(h+|m+|s+)\])[^\]]*\]/gi, '')
    .split(';')[0]!
  return /[dmyhs]/i.test(bare) && !/general/i.test(bare)
}

const dayMs = 86_400_000
const two = (value: number) => String(value).padStart(2, '0')

/**
 * The day and time that a number of days stands for: 'YYYY-MM-DD', with ' HH:MM' where it has a time, 'HH:MM' alone below one day. Null: it is none.
 * `from1904`: as old Macintosh files count. Day 60 of the other count is a February 29 that 1900 did not have.
 */
export function dateText(serial: number, from1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial > 200_000) return null
  const minutes = Math.round((serial - Math.floor(serial)) * 1440)
  const day = Math.floor(serial) + (minutes === 1440 ? 1 : 0)
  const time = minutes === 0 || minutes === 1440 ? null : `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  if (day === 0) return time ?? '00:00'
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30)
  const date = new Date(epoch + day * dayMs).toISOString().slice(0, 10)
  return time ? `${date} ${time}` : date
}

/** A number as people write it: without exponents and the noise of a float; a phone number keeps its digits. */
export function numberText(written: string): string {
  const number = Number(written)
  if (written.trim() === '' || !Number.isFinite(number)) return written
  if (Number.isInteger(number) && Math.abs(number) < 1e21)
    return number.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 0 })
  return String(Number(number.toPrecision(15)))
}

/** The column of a cell's address, from 0: 'B7' gives 1; null when it is no address. */
export function columnOf(address: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d*$/.exec(address ?? '')?.[1]
  if (!letters) return null
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** As some characters stand in the file, such as _x000D_. */
export const unescapeText = (text: string): string =>
  text.replace(/_x([0-9A-F]{4})_/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
