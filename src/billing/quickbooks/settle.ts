import { and, eq } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { QuickBooks } from '../../integrations/quickbooks/client.ts'
import type { QuickBooksFailure, Result } from '../../integrations/quickbooks/failure.ts'
import { defineJob, enqueue, type Job } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { shareWork } from '../../kernel/shared-work.ts'
import type { Scope } from '../../kernel/scope.ts'
import { openQuickBooks } from './connection.ts'

/** What a row says of its way to QuickBooks. `cancelled`: it never goes there. */
interface SettledColumns {
  id: string
  state: 'pending' | 'complete' | 'failed' | 'cancelled'
  /** By which QuickBooks knows it, however often it is sent. */
  requestId: string
  /** The company it belongs to. */
  realmId: string
  /** QuickBooks was called and did not clearly refuse, so it may have it. */
  isUncertain: boolean
  /** A process is settling it, and is presumed dead after this time. */
  settlingUntil: Date | null
  attempts: number
  problem: string | null
  nextAttemptAt: Date | null
  completedAt: Date | null
}

/** A table whose rows are recorded in QuickBooks, each once. */
type SettledTable = PgTable & Record<keyof SettledColumns, PgColumn>

/**
 * `complete`, `failed` (QuickBooks refused it) and `cancelled` are final. `pending`: it will be retried. `reconnect`: pending until
 * someone reconnects QuickBooks. `busy`: another process is settling it.
 */
export type Settled<Row> = { row: Row; outcome: 'complete' | 'failed' | 'cancelled' | 'pending' | 'reconnect' | 'busy' }

interface Settling<Table extends SettledTable, Booked> {
  table: Table
  /** The name of the job that retries. */
  jobName: string
  /** Whether a row may go to QuickBooks already; by default it may. What makes it ready settles it. */
  isReady?: (tx: Db, row: Table['$inferSelect']) => Promise<boolean>
  /** Records a row in QuickBooks under its `requestId`. */
  record: (quickBooks: QuickBooks, row: Table['$inferSelect']) => Promise<Result<Booked>>
  /** Columns that are known once QuickBooks has the row. */
  recorded: (row: Table['$inferSelect'], booked: Booked) => { qbId: string; qbTotalCents: number | null; docNumber?: string | null }
  /** What else happens once QuickBooks has the row, and once it has refused it, in the same transaction. */
  onComplete: (tx: Db, scope: Scope, row: Table['$inferSelect']) => Promise<void>
  onRefused: (tx: Db, scope: Scope, row: Table['$inferSelect']) => Promise<void>
  /** Tells those who look at the row. */
  publish: (tx: Db, id: string) => Promise<void>
}

/** Retries of a failed call while a user waits; then the job takes over. */
const retries = 1
/** Maximum milliseconds for settling, including token refreshes and pauses. */
const settlingTime = (timeoutSeconds: number): number => ((retries + 1) * timeoutSeconds + 5) * 1_000

/** Milliseconds until the job retries: from 15 seconds to an hour. */
const pauseAfter = (attempts: number): number => Math.min(15_000 * 2 ** Math.max(0, attempts - 1), 60 * 60_000)

type Passing = Pick<QuickBooksFailure, 'kind' | 'isUncertain' | 'message'>

/**
 * The one way in which a pending row reaches QuickBooks once, whatever breaks: the row is leased by the process that calls, every call has the row's
 * `requestId`, an unknown outcome is asked again, and a refusal is kept with its reason. `settle` records a row and stores the result; repeated and concurrent
 * calls record it once. `job` does the same for a row that a request left behind, and requeues itself while QuickBooks is down.
 */
export function createSettling<Table extends SettledTable, Booked>({ table, jobName, ...given }: Settling<Table, Booked>) {
  type Row = Table['$inferSelect'] & SettledColumns
  const rows: SettledTable = table
  /** A request or job for a row that this process is settling waits for the same result. */
  const share = shareWork<Settled<Row>>()
  const isPending = (id: string) => and(eq(rows.id, id), eq(rows.state, 'pending'))

  const find = async (tx: Pick<Db, 'select'>, id: string): Promise<Row | undefined> => {
    const [row] = await tx.select().from(rows).where(eq(rows.id, id))
    return row as Row | undefined
  }
  const change = async (tx: Db, id: string, set: Partial<SettledColumns>): Promise<Row | undefined> => {
    const [row] = await tx.update(rows).set(set).where(isPending(id)).returning()
    return row as Row | undefined
  }

  const settle = (scope: Scope, id: string): Promise<Settled<Row>> => share(scope.env, id, () => settleOnce(scope, id))

  async function settleOnce(scope: Scope, id: string): Promise<Settled<Row>> {
    const begun = await begin(scope, id)
    if ('outcome' in begun) return begun
    const quickBooks = await openQuickBooks(scope, retries)
    // Another company has been connected since: the row belongs to the company it was created for.
    if (quickBooks?.realmId !== begun.row.realmId)
      return postpone(scope, begun.row, { kind: 'reconnect', isUncertain: begun.wasUncertain, message: 'QuickBooks is not connected' })
    const result = await given.record(quickBooks, begun.row)
    if (result.ok) return complete(scope, begun.row, result.value)
    // An uncertain row stays uncertain: no response now says nothing about earlier calls.
    const failed = { ...result, isUncertain: result.isUncertain || begun.wasUncertain }
    return result.kind === 'refused' ? fail(scope, begun.row, failed) : postpone(scope, begun.row, failed)
  }

  /** From here on QuickBooks may have it, even if this process dies. */
  async function begin(scope: Scope, id: string): Promise<{ row: Row; wasUncertain: boolean } | Settled<Row>> {
    const now = scope.now()
    return scope.db.transaction(async (tx) => {
      const [found] = await tx.select().from(rows).where(eq(rows.id, id)).for('update')
      if (!found) throw new Error('A row that does not exist was to be recorded in QuickBooks')
      const before = found as Row
      if (before.state !== 'pending') return { row: before, outcome: before.state }
      if (before.settlingUntil && before.settlingUntil > now) return { row: before, outcome: 'busy' }
      if (given.isReady && !(await given.isReady(tx, before))) return { row: before, outcome: 'pending' }
      const settlingUntil = new Date(now.getTime() + settlingTime(scope.env.QUICKBOOKS_TIMEOUT_SECONDS))
      const row = await change(tx, id, { isUncertain: true, settlingUntil, attempts: before.attempts + 1 })
      return { row: row!, wasUncertain: before.isUncertain }
    })
  }

  async function complete(scope: Scope, before: Row, booked: Booked): Promise<Settled<Row>> {
    const { id } = before
    const over = { state: 'complete', isUncertain: false, settlingUntil: null, problem: null, nextAttemptAt: null } as const
    return scope.db.transaction(async (tx) => {
      const row = await change(tx, id, { ...given.recorded(before, booked), ...over, completedAt: scope.now() })
      if (!row) return ended(tx, id)
      await given.onComplete(tx, scope, row)
      await given.publish(tx, id)
      return { row, outcome: 'complete' }
    })
  }

  /** QuickBooks refused it: someone has to change something. */
  async function fail(scope: Scope, { id }: Row, { message }: Passing): Promise<Settled<Row>> {
    return scope.db.transaction(async (tx) => {
      const row = await change(tx, id, { state: 'failed', isUncertain: false, settlingUntil: null, nextAttemptAt: null, problem: message })
      if (!row) return ended(tx, id)
      await given.onRefused(tx, scope, row)
      await given.publish(tx, id)
      return { row, outcome: 'failed' }
    })
  }

  async function postpone(scope: Scope, { id, attempts }: Row, { kind, isUncertain, message }: Passing): Promise<Settled<Row>> {
    return scope.db.transaction(async (tx) => {
      const pause = pauseAfter(attempts)
      const nextAttemptAt = new Date(scope.now().getTime() + pause)
      const row = await change(tx, id, { isUncertain, settlingUntil: null, problem: message, nextAttemptAt })
      if (!row) return ended(tx, id)
      await enqueueRetry(tx, id, pause)
      await given.publish(tx, id)
      return { row, outcome: kind === 'reconnect' ? 'reconnect' : 'pending' }
    })
  }

  /** Another request was faster. */
  async function ended(tx: Db, id: string): Promise<Settled<Row>> {
    const row = (await find(tx, id))!
    return { row, outcome: row.state }
  }

  const payload = z.object({ id: z.uuid() })
  const job: Job<typeof payload> = defineJob({
    name: jobName,
    payload,
    async run(scope, { id }) {
      const { outcome } = await settle(scope, id)
      if (outcome === 'busy') throw new Error('Another process is at this row')
    },
    maxAttempts: 25,
  })
  const enqueueRetry = (tx: Db, id: string, pause: number): Promise<void> => enqueue(tx, job, { id }, `settle ${id}`, pause)

  /** For the transaction that creates a row: the job settles it if this process dies before QuickBooks answers. */
  const enqueueLater = (tx: Db, { env }: Scope, id: string): Promise<void> =>
    enqueueRetry(tx, id, settlingTime(env.QUICKBOOKS_TIMEOUT_SECONDS))

  return { settle, job, enqueueLater }
}
