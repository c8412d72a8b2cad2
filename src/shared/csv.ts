/** What a spreadsheet takes for a formula, in the full width of East Asian text as well, also behind apostrophes that were put there against it. */
const formula = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
/** A phone number may begin with +, and no formula is made of these characters, unless they are a sum without a space or a bracket. */
const phone = /^\+(?![\d.]*-[\d.-]*$)[\d\s().-]*(?:(?:x|ext\.?)\s*\d+)?$/i

/** An amount below zero, which is no formula and has to stay a number. */
const amount = /^-\d{1,15}\.\d\d$/

/** Whether a spreadsheet would take a cell for something to reckon with, and it is neither an amount nor a phone number. */
export const isFormula = (cell: string): boolean => formula.test(cell) && !phone.test(cell) && !amount.test(cell)

/** Whether a cell is an amount with its cents. */
export const isAmount = (cell: string): boolean => /^-?\d{1,12}\.\d\d$/.test(cell)

/** A cell that no spreadsheet takes for a formula: an apostrophe goes before it, which spreadsheets do not show. */
export const defuse = (cell: string): string => (isFormula(cell) ? `'${cell}` : cell)

/** The cell as it was before `defuse`. */
export const undefuse = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell)

const quoted = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** What stands in a row, cell by cell. */
export type Cells = readonly string[]

/** A line of a CSV file (RFC 4180: CRLF, quotation marks where they are needed), with its cells defused. */
export const csvLine = (cells: Cells): string => `${cells.map((cell) => quoted(defuse(cell))).join(',')}\r\n`

/** Begins a CSV file: by this mark spreadsheets know that it is UTF-8. */
export const byteOrderMark = '\uFEFF'
