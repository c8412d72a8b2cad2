/** What a spreadsheet takes for a formula, also behind apostrophes that were put there against it. */
const formula = /^'*[=+\-@\t\r]/
/** A phone number may begin with +, and no formula is made of these characters, unless they are a sum without a space or a bracket. */
const phone = /^\+(?![\d.]*-[\d.-]*$)[\d\s().-]*(?:(?:x|ext\.?)\s*\d+)?$/i

/** An amount below zero, which is no formula and has to stay a number. */
const amount = /^-\d{1,15}\.\d\d$/

/** A cell that no spreadsheet takes for a formula: an apostrophe goes before it, which spreadsheets do not show. */
export const defuse = (cell: string): string => (formula.test(cell) && !phone.test(cell) && !amount.test(cell) ? `'${cell}` : cell)

/** The cell as it was before `defuse`. */
export const undefuse = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell)

const quoted = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A line of a CSV file (RFC 4180: CRLF, quotation marks where they are needed), with its cells defused. */
export const csvLine = (cells: readonly string[]): string => `${cells.map((cell) => quoted(defuse(cell))).join(',')}\r\n`

/** Begins a CSV file: by this mark spreadsheets know that it is UTF-8. */
export const byteOrderMark = '\uFEFF'
