/** The server of the drill: the whole product, with a clock that its parent sets. Killed at any moment. */
import { and, eq, lte } from 'drizzle-orm'
import { pino } from 'pino'
import { readEnv } from '../../src/kernel/env.ts'
import type { Scope } from '../../src/kernel/scope.ts'
import { startServer } from '../../src/app/serve.ts'
import { advanceDue } from '../../src/outreach/sequences/advance.ts'
import { startSequences } from '../../src/outreach/sequences/start.ts'
import { automationState } from '../../src/outreach/sequences/table.ts'

let clock = new Date(process.env.DRILL_CLOCK!)
const server = await startServer(readEnv(process.env), {
  databaseUrl: process.env.DRILL_DATABASE!,
  isMigrated: true,
  now: () => clock,
  log: pino({ level: process.env.LOG_LEVEL ?? 'silent' }),
})
await server.prepared
const scope = { ...server.runtime, actor: null, origin: { requestId: 'drill', address: null }, now: () => clock } as unknown as Scope

/** As the queue does, tries again what lost a conflict with a job that runs at the same time. */
async function work(attempts: number): Promise<void> {
  try {
    await startSequences(scope)
    do await advanceDue(scope)
    while ((await readSkipped()) > 0)
  } catch (error) {
    if (attempts === 1) throw error
    await work(attempts - 1)
  }
}

/**
 * How many due patients were skipped because another transaction held them, such as one of the killed server. Waits until they are free: the
 * product finds them a minute later, and the drill looks again after hours only.
 */
async function readSkipped(): Promise<number> {
  const isDue = and(eq(automationState.status, 'active'), lte(automationState.dueAt, clock))
  const held = await scope.db.transaction((tx) =>
    tx.select({ id: automationState.id }).from(automationState).where(isDue).orderBy(automationState.id).for('update'),
  )
  return held.length
}

type Order = { clock: string } | 'run'
process.on('message', (order: Order) => {
  if (order !== 'run') {
    clock = new Date(order.clock)
    process.send!('set')
    return
  }
  work(3).then(
    () => process.send!('ran'),
    (error: unknown) => process.send!({ failed: String(error) }),
  )
})
process.send!({ url: server.url })
