import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import { insertContact } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { funnelStages } from '../../crm/pipeline/table.ts'
import { addTask } from '../../crm/tasks/service.ts'
import { describeError } from '../../kernel/errors.ts'
import { enqueue } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { auditLog } from '../../platform/audit/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { testStorage } from '../connections/service.ts'
import { passSelfTest } from './jobs.ts'

/** The version that runs, of package.json. */
export const runningVersion = (): string =>
  (JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string }).version

/** How long a job may wait behind others. */
const queueTimeoutMs = 60_000

/**
 * Tests the database, the file store and the job queue once per version, after its first start, and records the result in the audit log. If
 * something fails, each administrator gets a task that is due at once. Returns the failures; null if this version was tested before.
 */
export async function runSelfTest(scope: Scope, version: string, signal: AbortSignal): Promise<string[] | null> {
  return scope.db.transaction(async (tx) => {
    // Another process that starts at the same moment waits here, and finds the entry.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('self-test'))`)
    const [tested] = await tx
      .select({ id: auditLog.id })
      .from(auditLog)
      .where(and(eq(auditLog.kind, 'version'), sql`${auditLog.after}->>'version' = ${version}`))
      .limit(1)
    if (tested) return null

    const results = [await testDatabase(scope), await testFiles(scope), await testQueue(scope, signal)]
    signal.throwIfAborted()
    const failures = results.filter((failure) => failure !== null)
    await recordChange(tx, scope, { action: 'created', kind: 'version', contactIds: [], after: { version, failures } })
    if (failures.length > 0) await notifyAdministrators(tx, scope, version, failures)
    if (failures.length > 0) scope.log.error({ reason: failures.join(' ') }, `The self-test of version ${version} failed`)
    else scope.log.info(`The self-test of version ${version} passed`)
    return failures
  })
}

/** Thrown to undo the test's own writes. */
class Undo extends Error {}

/** Adds a patient, with all triggers and indexes, finds them again, and undoes it. */
async function testDatabase(scope: Scope): Promise<string | null> {
  const lastName = `Selftest${randomUUID()}`
  let isFound = false
  try {
    await scope.db.transaction(async (tx) => {
      const [stage] = await tx.select({ id: funnelStages.id }).from(funnelStages).where(eq(funnelStages.isInitial, true))
      const { id } = await insertContact(tx, scope, { firstName: 'Refyne', lastName, funnelStageId: stage!.id }, 'Patient added')
      const rows = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.lastName, lastName))
      isFound = rows.length === 1 && rows[0]?.id === id
      throw new Undo()
    })
  } catch (error) {
    if (error instanceof Undo) return isFound ? null : 'A patient that was added was not found.'
    scope.log.warn({ error: describeError(error) }, 'The database failed the self-test')
  }
  return 'A patient could not be added to the database.'
}

async function testFiles(scope: Scope): Promise<string | null> {
  const { isOk, message, advice } = await testStorage(scope)
  return isOk ? null : `${message} ${advice ?? ''}`.trim()
}

/** Queues a job and waits until a process has completed it. */
async function testQueue(scope: Scope, signal: AbortSignal): Promise<string | null> {
  const key = `self-test ${randomUUID()}`
  const failure = `A background job was not completed within ${queueTimeoutMs / 1000} seconds.`
  try {
    await enqueue(scope.db, passSelfTest, {}, key)
    for (const deadline = Date.now() + queueTimeoutMs; Date.now() < deadline && !signal.aborted;) {
      const { rows } = await scope.db.execute(sql`select 1 from graphile_worker.jobs where key = ${key}`)
      if (rows.length === 0) return null
      await after(100, null, { signal }).catch(() => {})
    }
  } catch (error) {
    scope.log.warn({ error: describeError(error) }, 'The job queue failed the self-test')
    return 'A background job could not be queued.'
  }
  return failure
}

async function notifyAdministrators(tx: Db, scope: Scope, version: string, failures: readonly string[]): Promise<void> {
  const { day, time } = toLocal(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  const administrators = await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.role, 'admin'), eq(profiles.status, 'active')))
  for (const { id } of administrators) {
    await addTask(tx, scope, {
      title: `Version ${version} failed its self-test`,
      description: [
        ...failures,
        'What was entered is safe. Check the server, or go back to the previous version (docs/OPERATIONS.md).',
      ].join('\n\n'),
      type: 'Other',
      dueDate: day,
      dueTimeConstraint: time,
      contactId: null,
      people: [id],
    })
  }
}
