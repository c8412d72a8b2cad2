/** Cells that a spreadsheet would run as a formula, including full-width characters and cells already escaped with apostrophes. */
const formula = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
/** Phone numbers may begin with +. These characters can't form a formula, except a sum without spaces or brackets. */
const phone = /^\+(?![\d.]*-[\d.-]*$)[\d\s().-]*(?:(?:x|ext\.?)\s*\d+)?$/i

/** A negative amount, which is not a formula and must stay a number. */
const amount = /^-\d{1,15}\.\d\d$/

/** Whether a spreadsheet would evaluate a cell, excluding amounts and phone numbers. */
export const isFormula = (cell: string): boolean => formula.test(cell) && !phone.test(cell) && !amount.test(cell)

/** Whether a cell is an amount with its cents. */
export const isAmount = (cell: string): boolean => /^-?\d{1,12}\.\d\d$/.test(cell)

/** Escapes a formula cell with a leading apostrophe, which spreadsheets don't display. */
export const defuse = (cell: string): string => (isFormula(cell) ? `'${cell}` : cell)

/** The cell as it was before `defuse`. */
export const undefuse = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell)

const quoted = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** The cells of a row. */
export type Cells = readonly string[]

/** A CSV line (RFC 4180: CRLF, quotes where needed) with formulas escaped. */
export const csvLine = (cells: Cells): string => `${cells.map((cell) => quoted(defuse(cell))).join(',')}\r\n`

/** Starts a CSV file so that spreadsheets read it as UTF-8. */
export const byteOrderMark = '\uFEFF'
