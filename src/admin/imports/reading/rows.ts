import { columnRules } from '../rules.ts'
import type { DateOrder, ImportColumn, ImportField, ImportProblem } from '../contract.ts'
import type { ImportKind } from '../kind-rules.ts'

/** What a row says, ready to be stored; or what is wrong with it. `name`: of what it is about, for anyone who reads of it. */
export type ReadRow = { row: number; name: string; values: RowValues; tags: string[]; problems: ImportProblem[] }
export type RowValues = Record<string, string | number | boolean | readonly string[] | null>

export type Reading = string | number | boolean | readonly string[] | { wrong: string }
export type Reader = (text: string, dateOrder: DateOrder) => Reading
export const wrong = (reason: string) => ({ wrong: reason })
export const isWrong = (reading: Reading): reading is { wrong: string } => typeof reading === 'object' && 'wrong' in reading

/** A column that is used. */
export type UsedColumn = { at: number; header: string; field: ImportField; order: DateOrder }

/** A row while its cells are read. */
export class Draft {
  readonly values: RowValues = {}
  readonly problems: ImportProblem[] = []
  /** Fields that had something to say, right or wrong. */
  readonly given = new Set<string>()
  tags: string[] = []

  refuse(column: string, value: string, reason: string): void {
    this.problems.push({ column, value: value.slice(0, 200), reason })
  }

  /** Keeps what a cell says under the name of a field. */
  take(field: string, column: string, text: string, reading: Reading): void {
    this.given.add(field)
    if (isWrong(reading)) this.refuse(column, text, reading.wrong)
    else this.values[field] = reading
  }
}

/** How the cells of one table's rows become what they say. */
export type RowRules = {
  kind: ImportKind
  /** Reads one cell that is not empty. */
  cell: (column: UsedColumn, text: string, draft: Draft) => void
  /** What is missing, once every cell was read. `headerOf`: of the column with a field, empty where none has it. */
  end: (draft: Draft, headerOf: (field: ImportField) => string) => void
  nameOf: (values: RowValues) => string
}

/** Reads the rows of a file whose columns hold what was chosen. The same row always reads the same while the rules do. */
export function rowReader(columns: readonly ImportColumn[], rules: RowRules) {
  const { dates: dateFields } = columnRules[rules.kind]
  const used = columns.flatMap(({ header, field, dates, dateOrder }, at): UsedColumn[] => {
    if (field === null) return []
    const order = dateOrder ?? (dates === 'dmy' ? 'dmy' : 'mdy')
    return [{ at, header, field, order: dateFields.includes(field) ? order : 'mdy' }]
  })
  const headerOf = (field: ImportField) => used.find((column) => column.field === field)?.header ?? ''

  return (row: number, cells: readonly string[]): ReadRow => {
    const draft = new Draft()
    for (const column of used) {
      const text = cells[column.at] ?? ''
      if (text !== '') rules.cell(column, text, draft)
    }
    for (let at = columns.length; at < cells.length; at++)
      if (cells[at]) draft.refuse(`Column ${at + 1}`, cells[at]!, 'This row has more cells than there are headers')
    rules.end(draft, headerOf)
    const { values, tags, problems } = draft
    return { row, name: rules.nameOf(values), values, tags, problems }
  }
}
