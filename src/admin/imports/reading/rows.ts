import { columnRules } from '../rules.ts'
import type { DateOrder, ImportColumn, ImportField, ImportProblem } from '../contract.ts'
import type { ImportKind } from '../kind-rules.ts'

/** A parsed row: its values, or its problems. `name` identifies it for the user. */
export type ReadRow = { row: number; name: string; values: RowValues; tags: string[]; problems: ImportProblem[] }
export type RowValues = Record<string, string | number | boolean | readonly string[] | null>

export type CellValue = string | number | boolean | readonly string[] | { invalid: string }
export type Reader = (text: string, dateOrder: DateOrder) => CellValue
export const invalid = (reason: string) => ({ invalid: reason })
export const isInvalid = (value: CellValue): value is { invalid: string } => typeof value === 'object' && 'invalid' in value

/** A column that is mapped to a field. */
export type MappedColumn = { at: number; header: string; field: ImportField; order: DateOrder }

/** A row while its cells are parsed. */
export class RowDraft {
  readonly values: RowValues = {}
  readonly problems: ImportProblem[] = []
  /** Fields with a value, valid or not. */
  readonly given = new Set<string>()
  tags: string[] = []

  addProblem(column: string, value: string, reason: string): void {
    this.problems.push({ column, value: value.slice(0, 200), reason })
  }

  /** Stores the parsed value of a cell, or its problem. */
  set(field: string, column: string, text: string, value: CellValue): void {
    this.given.add(field)
    if (isInvalid(value)) this.addProblem(column, text, value.invalid)
    else this.values[field] = value
  }
}

/** How to parse the rows of one kind of import. */
export type RowRules = {
  kind: ImportKind
  /** Parses one non-empty cell. */
  cell: (column: MappedColumn, text: string, draft: RowDraft) => void
  /** Checks the row after all cells were parsed. `headerOf` returns the header of a field's column, or ''. */
  end: (draft: RowDraft, headerOf: (field: ImportField) => string) => void
  nameOf: (values: RowValues) => string
}

/** Creates a parser for the rows of a file with mapped columns. Parsing depends only on the row and the rules. */
export function createRowReader(columns: readonly ImportColumn[], rules: RowRules) {
  const { dates: dateFields } = columnRules[rules.kind]
  const mapped = columns.flatMap(({ header, field, dates, dateOrder }, at): MappedColumn[] => {
    if (field === null) return []
    const order = dateOrder ?? (dates === 'dmy' ? 'dmy' : 'mdy')
    return [{ at, header, field, order: dateFields.includes(field) ? order : 'mdy' }]
  })
  const headerOf = (field: ImportField) => mapped.find((column) => column.field === field)?.header ?? ''

  return (row: number, cells: readonly string[]): ReadRow => {
    const draft = new RowDraft()
    for (const column of mapped) {
      const text = cells[column.at] ?? ''
      if (text !== '') rules.cell(column, text, draft)
    }
    for (let at = columns.length; at < cells.length; at++)
      if (cells[at]) draft.addProblem(`Column ${at + 1}`, cells[at]!, 'This row has more cells than headers')
    rules.end(draft, headerOf)
    const { values, tags, problems } = draft
    return { row, name: rules.nameOf(values), values, tags, problems }
  }
}
