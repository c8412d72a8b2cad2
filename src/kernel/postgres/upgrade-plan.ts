import type { MigrationLock, MigrationStatement, MigrationWork } from './migration-statements.ts'

/** Statistics of a table in the operator's database. */
export type TableFacts = { rows: number; bytes: number; indexes: readonly IndexFacts[] }
export type IndexFacts = { name: string; method: string; isValid: boolean }

export type PlannedStatement = {
  statement: MigrationStatement
  /** The table that it locks, with its statistics; null if it does not exist yet. */
  table: ({ name: string } & TableFacts) | null
  /** Estimated seconds of the statement itself. */
  seconds: number
  /** Estimated seconds from its lock to the end of the transaction, which releases it. */
  heldSeconds: number
  isUnsafe: boolean
  /** An index of that name exists, so the statement does nothing; null: it does not exist. */
  existing: IndexFacts | null
}

/** How long users may wait for a table that an upgrade locks. */
const maxHeldSeconds = 1
const blocking: readonly (MigrationLock | null)[] = ['share row exclusive', 'share', 'access exclusive']

/** Seconds per row on two cores, from the table of patients with 300,000 rows, rounded up. */
const secondsPerRow = { scan: 1e-6, btree: 2.5e-6, other: 25e-6, rewrite: 5e-6, change: 10e-6 }

/**
 * What the pending statements do to these tables. All of them run in one transaction, so a lock is held until the last one is done, however
 * short its own statement.
 */
export function planUpgrade(statements: readonly MigrationStatement[], tables: ReadonlyMap<string, TableFacts>): PlannedStatement[] {
  const tableOfIndex = new Map([...tables].flatMap(([name, { indexes }]) => indexes.map((index) => [index.name, name] as const)))
  const planned = statements.map((statement) => {
    const name = statement.table ?? tableOfIndex.get(statement.index ?? '') ?? ''
    const facts = tables.get(name)
    const existing = statement.ahead === null ? null : (facts?.indexes.find((index) => index.name === statement.index) ?? null)
    const seconds = facts && !existing ? estimateSeconds(statement.work, facts) : 0
    return { statement, table: facts ? { name, ...facts } : null, seconds, existing }
  })
  return planned.map((one, index) => {
    const heldSeconds = planned.slice(index).reduce((sum, { seconds }) => sum + seconds, 0)
    const isUnsafe = one.table !== null && blocking.includes(one.statement.lock) && heldSeconds > maxHeldSeconds
    return { ...one, heldSeconds, isUnsafe }
  })
}

function estimateSeconds(work: MigrationWork, { rows, indexes }: TableFacts): number {
  const indexing = indexes.reduce((sum, { method }) => sum + (method === 'btree' ? secondsPerRow.btree : secondsPerRow.other), 0)
  const perRow = {
    instant: 0,
    scan: secondsPerRow.scan,
    btree: secondsPerRow.btree,
    gin: secondsPerRow.other,
    rewrite: secondsPerRow.rewrite + indexing,
    // Each index gets a new entry, which takes twice as long as building it.
    rows: secondsPerRow.change + 2 * indexing,
  }
  return rows * perRow[work]
}
