import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { fillClinic } from '../../bench/clinic/clinic.ts'
import { makeDue } from '../../test/jobs.ts'
import { startPooler } from '../../test/network/pooler.ts'
import { startCluster } from './cluster.ts'
import { acknowledged, compare, emptyLedger, untilSettled } from './ledger.ts'
import type { Pooler } from './pgbouncer.ts'
import { failed, findBound, isDuring, killEach, load } from './run.ts'
import { hireStaff } from './staff.ts'

it('loses no acknowledged write while a process, the pooler and the primary are killed, and fails only while something is down', async () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-test-scale-'))
  fs.chmodSync(root, 0o755)
  onTestFinished(() => fs.rmSync(root, { recursive: true }))
  const from = await fillClinic(200, root)
  const cluster = await startCluster({ from, processes: 2, startPooler: startTestPooler })
  onTestFinished(() => cluster.stop())
  const ledger = emptyLedger()
  const staff = await hireStaff(cluster, 4, 200, ledger)
  expect(failed(await load(staff, 25, 4))).toEqual([])

  const parts = [cluster.processes[0]!, cluster.pooler, cluster.primary]
  const { outcomes, outages } = await killEach(cluster, staff, parts, { perSecond: 25, calmSeconds: 2, downSeconds: 1 })
  expect(failed(outcomes).filter((one) => !outages.some((outage) => isDuring(one, outage)))).toEqual([])
  expect(failed(outcomes).length).toBeGreaterThan(0)
  for (const kind of ['notes', 'tasks', 'leads', 'sales'] as const) expect([kind, ledger[kind].length > 0]).toEqual([kind, true])
  // Work of a killed process is released after a while, which is taken as over.
  await cluster.query(`update sales_receipts set settling_until = now() where state = 'pending'`)
  await makeDue({ rows: cluster.query }, 'true')
  await untilSettled(cluster)
  expect(await compare(ledger, cluster)).toEqual([])

  ledger.notes.push(crypto.randomUUID())
  ledger.sentSales.push('scale-sale-999')
  ledger.sales.push('scale-sale-999')
  expect(await compare(ledger, cluster)).toEqual([
    `note ${ledger.notes.at(-1)} was acknowledged and is missing`,
    'scale-sale-999 was acknowledged and is not in QuickBooks',
  ])
  expect(acknowledged(ledger)).toBeGreaterThan(20)
}, 180_000)

it('the bound is found within a tenth', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 10, max: 5_000 }), fc.integer({ min: 1, max: 200 }), async (limit, first) => {
      const bound = await findBound(first, async (rate) => rate <= limit)
      expect(bound).toBeLessThanOrEqual(limit)
      expect(bound).toBeGreaterThanOrEqual(limit - Math.max(1, limit / 9))
    }),
  ))

/** A small pooler of the tests in PgBouncer's place. */
async function startTestPooler(databaseUrl: string, port: number): Promise<Pooler> {
  let target = databaseUrl
  let pooler = await startPooler(target, port)
  const start = async () => {
    pooler = await startPooler(target, port)
  }
  return {
    url: pooler.url,
    kill: () => pooler.stop(),
    start,
    async leadTo(url) {
      target = url
      await pooler.stop()
      await start()
    },
    stop: () => pooler.stop(),
  }
}
