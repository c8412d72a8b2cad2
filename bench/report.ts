/** A target for one value of a row. */
export type Aim = {
  of: 'ours' | 'ratio' | 'oursP50' | 'oursP99' | 'memoryMb'
  /** In the unit of the value, like `atMost`. */
  atLeast?: number
  atMost?: number
  /** Only rows with this many connections have the target; without it, every row of the case. */
  connections?: number
}

/** One case, measured: ours beside the baseline. A value that does not apply is null. */
export type Row = {
  case: string
  /** Number of concurrent connections. */
  connections: number | null
  unit: 'req/s' | 'leads/s' | 'receipts/s' | 'KB' | 'MB' | 'MB/s' | 's' | 'ms' | 'frames/s' | 'errors'
  ours: number
  baseline: number | null
  /** Ours divided by the baseline: higher is better for a rate, lower for a size or a time. */
  ratio: number | null
  /** In milliseconds, like the other three. */
  oursP50: number | null
  oursP99: number | null
  baselineP50: number | null
  baselineP99: number | null
  /** Peak memory of the server's processes, in MB. */
  memoryMb?: number
  /** The distinct statuses and codes of the responses. */
  responses?: string
  aims: readonly Aim[]
}

/** A row of which only some values apply. */
export const toRow = (given: Pick<Row, 'case' | 'unit' | 'ours'> & Partial<Row>): Row => ({
  connections: null,
  baseline: null,
  ratio: null,
  oursP50: null,
  oursP99: null,
  baselineP50: null,
  baselineP99: null,
  aims: [],
  ...given,
})

/** Selects the targets of a case that apply to this many connections. */
export const aimsAt = (connections: number, aims: readonly Aim[]): Aim[] =>
  aims.filter((aim) => (aim.connections ?? connections) === connections)

/** Whether the row reaches all its targets; null if it has none. */
export function holds(row: Row): boolean | null {
  const isReached = ({ of, atLeast = -Infinity, atMost = Infinity }: Aim) => {
    const value = row[of] ?? Number.NaN
    return value >= atLeast && value <= atMost
  }
  return row.aims.length === 0 ? null : row.aims.every(isReached)
}

/** The value below which this fraction (0 to 1) of the values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The slope of the line through these points (x, y) by least squares. */
export function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const sum = (of: (point: readonly [number, number]) => number) => points.reduce((total, point) => total + of(point), 0)
  return sum((point) => (point[0] - x) * (point[1] - y)) / sum((point) => (point[0] - x) ** 2)
}

export const ratio = (ours: number, baseline: number): number => Math.round((ours / baseline) * 100) / 100

/** Prints progress to standard error; only the rows go to standard output. */
export const progress = (line: string): void => console.error(line)

const columns: { head: string; of: (row: Row) => string; left?: true }[] = [
  { head: 'case', of: (row) => row.case, left: true },
  { head: 'conn', of: (row) => row.connections?.toString() ?? '' },
  { head: 'unit', of: (row) => row.unit, left: true },
  { head: 'ours', of: (row) => shown(row.ours) },
  { head: 'baseline', of: (row) => shown(row.baseline) },
  { head: 'ratio', of: (row) => row.ratio?.toFixed(2) ?? '' },
  { head: 'ours p50', of: (row) => shown(row.oursP50) },
  { head: 'ours p99', of: (row) => shown(row.oursP99) },
  { head: 'base p50', of: (row) => shown(row.baselineP50) },
  { head: 'base p99', of: (row) => shown(row.baselineP99) },
  { head: 'memory, MB', of: (row) => shown(row.memoryMb ?? null) },
  { head: 'responses', of: (row) => row.responses ?? '', left: true },
  { head: 'aim', of: (row) => row.aims.map(formatAim).join(', '), left: true },
  { head: 'holds', of: (row) => ({ true: 'yes', false: 'no', null: '' })[`${holds(row)}`], left: true },
]

const valueNames = { ours: 'ours', ratio: 'ratio', oursP50: 'p50', oursP99: 'p99', memoryMb: 'memory' } satisfies Record<Aim['of'], string>

/** Formats a target as in "ratio ≥ 1.3". */
function formatAim({ of, atLeast, atMost }: Aim): string {
  const bounds = [atLeast === undefined ? '' : `≥ ${Number(shown(atLeast))}`, atMost === undefined ? '' : `≤ ${Number(shown(atMost))}`]
  return [valueNames[of], ...bounds.filter(Boolean)].join(' ')
}

/** Formats a measurement with three significant digits. */
function shown(value: number | null): string {
  if (value === null) return ''
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** Prints the rows as a readable table, without the columns that are empty in all rows. */
export function printTable(rows: readonly Row[]): void {
  const used = columns.filter(({ of }) => rows.some((row) => of(row) !== ''))
  const lines = [used.map(({ head }) => head), ...rows.map((row) => used.map(({ of }) => of(row)))]
  const widths = used.map((_column, at) => Math.max(...lines.map((line) => line[at]!.length)))
  for (const line of lines) {
    const cells = line.map((text, at) => (used[at]!.left ? text.padEnd(widths[at]!) : text.padStart(widths[at]!)))
    console.log(cells.join('  ').trimEnd())
  }
}
