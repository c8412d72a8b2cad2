import { textToCents } from '../../../shared/money.ts'
import { maxSpendCents } from '../rules.ts'

/** The amount of a field in cents, null if it is empty; or what is wrong with it. */
export function readAmount(text: string): { cents: number | null } | { problem: string } {
  const cents = textToCents(text)
  if (cents === undefined) return { problem: 'Enter an amount such as 1,250.00' }
  return cents !== null && cents > maxSpendCents ? { problem: 'Enter at most $10,000,000.00' } : { cents }
}

/**
 * Pasted cells of a spreadsheet as the amounts of consecutive months, or what is wrong with them. A row and a column fill months alike; an empty
 * cell clears its month. Null: it is one cell, which is pasted as text. `left`: how many months are left in the year.
 */
export function readPasted(text: string, left: number): { amounts: (number | null)[] } | { problem: string } | null {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  if (lines.length > 1 && lines.some((line) => line.includes('\t'))) return { problem: 'Paste one row or one column of amounts' }
  const cells = lines.length > 1 ? lines : lines[0]!.split('\t')
  if (cells.length === 1) return null
  if (cells.length > left)
    return {
      problem: `${cells.length} amounts were pasted, but only ${left} ${left === 1 ? 'month is' : 'months are'} left in the year. Nothing was saved.`,
    }
  const read = cells.map(readAmount)
  const wrong = read.findIndex((amount) => 'problem' in amount)
  if (wrong !== -1) return { problem: `“${cells[wrong]!.trim().slice(0, 30)}” is not an amount. Nothing was saved.` }
  return { amounts: read.flatMap((amount) => ('cents' in amount ? [amount.cents] : [])) }
}

/** First days of the months of a year. */
export const monthsOfYear = (year: number): string[] =>
  Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}-01`)

/** The year in the address. Invalid values are set to undefined explicitly, because the router would keep them otherwise. */
export function readSpendSearch(from: Record<string, unknown>): { year?: number } {
  const year = Number(from.year)
  return { year: Number.isInteger(year) && year >= 2000 && year <= 2100 ? year : undefined }
}
