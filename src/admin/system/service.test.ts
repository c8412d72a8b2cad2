import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { startClamdSimulator } from '../../../simulators/clamd/server.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, startTestServer, type TestServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { recordRun } from '../backups/service.ts'

describe('the system status', () => {
  let scanner: Awaited<ReturnType<typeof startClamdSimulator>>
  let server: TestServer
  let admin: Client
  beforeAll(async () => {
    scanner = await startClamdSimulator()
    server = await startTestServer(inject('postgres'), { CLAMD_URL: scanner.url })
    admin = await server.as('admin')
  })
  afterAll(async () => {
    await server.stop()
    await scanner.stop()
  })

  it('is shown to administrators only', async () => {
    for (const role of ['sales_rep', 'provider', 'front_desk', 'billing'] as const)
      expect((await refusal((await server.as(role)).system.status())).status).toBe(403)
  })

  it('names versions, migrations, processes, the size of the database and the free space', async () => {
    const status = await admin.system.status()
    expect(status).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      commit: null,
      node: process.versions.node,
      processes: 1,
      database: { version: expect.stringMatching(/^1[89]|^[2-9]\d/), migrations: 'current' },
    })
    expect(status.database.bytes).toBeGreaterThan(1_000_000)
    expect(status.disk?.freeBytes).toBeGreaterThan(0)
    expect(status.backups).toBeNull()
  })

  it('says when the last good backup was made and changes were archived, where the server makes backups', async () => {
    const settings = { BACKUP_TO: '/dev/null/backups', BACKUP_PASSPHRASE: 'seven unlikely words in a row' }
    const other = await startTestServer(inject('postgres'), settings)
    onTestFinished(() => other.stop())
    const backups = async () => (await (await other.as('admin')).system.status()).backups
    expect(await backups()).toEqual({ backupAt: null, archivedAt: null })
    const { db } = other.running.runtime
    const [backedUp, archived] = [new Date(Date.UTC(2026, 10, 20, 2)), new Date(Date.UTC(2026, 10, 20, 3))]
    await recordRun(db, 'backup', true, {}, backedUp)
    await recordRun(db, 'backup', false, { problem: 'The disk is full.' }, archived)
    await recordRun(db, 'archive', true, {}, archived)
    expect(await backups()).toEqual({ backupAt: backedUp.toISOString(), archivedAt: archived.toISOString() })
  })

  it('says that migrations are missing, or made by a later version', async () => {
    const add = 'update drizzle.__drizzle_migrations set created_at = created_at + $1'
    await server.rows(add, [1])
    expect((await admin.system.status()).database.migrations).toBe('ahead')
    await server.rows(add, [-2])
    expect((await admin.system.status()).database.migrations).toBe('behind')
    await server.rows(add, [1])
  })

  it('counts waiting and failed jobs, with the kind of the last error and not its text', async () => {
    const job = 'job.of.the.tests'
    await server.rows(`select graphile_worker.add_job($1, run_at => now() - interval '2 hours')`, [job])
    const before = await admin.system.status()
    expect(Date.now() - Date.parse(before.queue.oldestDueAt ?? '')).toBeGreaterThanOrEqual(7_200_000)
    expect(before.queue.waiting).toBeGreaterThan(0)
    await server.rows(
      `update graphile_worker._private_jobs set attempts = max_attempts, last_error = E'DatabaseError\\n  at Ana Desjardins'`,
    )
    const after = await admin.system.status()
    expect(after.queue.failed).toContainEqual({ job, count: 1, lastErrorKind: 'DatabaseError' })
    expect(JSON.stringify(after)).not.toContain('Desjardins')
  })

  it('knows from its own calls whether other systems work, and since when one fails', async () => {
    const stateOf = async (vendor: string) => (await admin.system.status()).systems.find((one) => one.vendor === vendor)
    expect(await stateOf('s3')).toMatchObject({ state: 'off' })
    expect(await stateOf('quickbooks')).toMatchObject({ state: 'off' })
    expect(await stateOf('clamd')).toMatchObject({ state: 'unused', lastResponseAt: null })
    await admin.connections.test({ system: 'clamd' })
    expect(await stateOf('clamd')).toMatchObject({ state: 'working', lastResponseAt: expect.any(String), failure: null })
    await scanner.stop()
    await admin.connections.test({ system: 'clamd' })
    const failing = await stateOf('clamd')
    expect(failing).toMatchObject({ state: 'failing', failure: 'away', failingSince: expect.any(String) })
    await admin.connections.test({ system: 'clamd' })
    expect(await stateOf('clamd')).toEqual(failing)
  })

  it('lists kinds of errors with their count and the last request, once each', async () => {
    await server.rows('alter table tags rename to tags_away')
    const failed = await refusal(admin.tags.list())
    await refusal(admin.tags.list())
    await server.rows('alter table tags_away rename to tags')
    const found = await until(async () => (await admin.system.status()).failures.find(({ where }) => where === 'tags.list'))
    expect(failed.status).toBe(500)
    expect(found).toMatchObject({ message: 'A call failed', level: 'error', count: 2, requestId: expect.stringMatching(/^[\w-]{36}$/) })
    expect(found.kind).toMatch(/Error$/)
  })
})
