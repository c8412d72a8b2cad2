import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startQuickBooksSimulator } from '../../simulators/quickbooks/server.ts'
import { createActiveAccount } from '../../src/platform/auth/service.ts'
import { openDatabase } from '../../src/kernel/postgres/database.ts'
import { connectQuickBooks, createCustomer, quickbooksSettings, newSale } from '../billing/point-of-sale.ts'
import { type ChildServer, startChildServer } from '../processes/process.ts'
import { copyTemplate } from '../database.ts'
import { clientOf, password } from '../server.ts'
import { makeDue } from '../jobs.ts'
import { until } from '../until.ts'

/** `KILLS=50 npm test -- --unit test/durability/sale` runs the full test. */
const kills = Number(process.env.KILLS ?? 2)
const salesPerKill = 8
const connections = 4

it(
  `records each sale exactly once, with its timeline entry, through ${kills} kills of the server`,
  {
    timeout: 60_000 + kills * 12_000,
  },
  async () => {
    const quickBooks = await startQuickBooksSimulator({ clientId: 'refyne-test', clientSecret: 'refyne-test-secret', latencyMs: 15 })
    const database = await copyTemplate(inject('postgres'))
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-test-sales-'))
    const owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
    const db = openDatabase(database.url, 2, () => {})
    const email = 'admin@clinic.example'
    await createActiveAccount(db, { firstName: 'A', lastName: 'B', email, password, role: 'admin' })
    await db.$client.end()

    const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', QUICKBOOKS_TIMEOUT_SECONDS: '0.5', ...quickbooksSettings(quickBooks.url) }
    let server: Promise<ChildServer> = startChildServer(database.url, settings)
    onTestFinished(async () => {
      await (await server).kill('SIGTERM')
      await owner.end()
      await database.drop()
      await quickBooks.stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    })
    const signedIn = await fetch(`${(await server).url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const admin = clientOf((await server).url, cookie)
    await connectQuickBooks(admin)
    const customer = await createCustomer(admin)
    const sale = await newSale(admin, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const before = quickBooks.receipts().length

    /**
     * Sends a sale until it is acknowledged. Every other sale is abandoned after the first attempt: the server must complete it without a
     * retry.
     */
    async function sell(n: number): Promise<void> {
      const body = JSON.stringify({ ...sale, idempotencyKey: crypto.randomUUID() })
      for (;;) {
        const { url } = await server
        const headers = { 'content-type': 'application/json', cookie }
        const response = await fetch(`${url}/api/qbo/salesreceipt/create`, { method: 'POST', headers, body }).catch(() => null)
        const text = await response?.text().catch(() => null)
        if (response?.ok && text) return
        if (response && response.status !== 503) throw new Error(`${response.status}: ${text}`)
        if (n % 2 === 1 && response === null) return
      }
    }

    let next = 0
    let killed = 0
    const sales = kills * salesPerKill
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (next < sales) {
          const n = next++
          if (n % salesPerKill === salesPerKill / 2 && killed < kills) {
            killed++
            const wait = Math.random() * 60
            server = server.then(async (running) => {
              await new Promise((resolve) => setTimeout(resolve, wait)) // at a random time while sales are in progress
              await running.kill('SIGKILL')
              return startChildServer(database.url, settings)
            })
          }
          await sell(n)
        }
      }),
    )
    expect(killed).toBe(kills)

    type StoredReceipt = { state: string; qb_id: string | null; logged_at: Date | null }
    const storedReceipts = async () => (await owner.query<StoredReceipt>('select state, qb_id, logged_at from sales_receipts')).rows
    // Work of a killed process is released after a few seconds, which are taken as over, and then completed by a job.
    await owner.query(`update sales_receipts set settling_until = now() where state = 'pending'`)
    await makeDue({ rows: async (text, values) => (await owner.query(text, values)).rows }, `key like 'settle %'`)
    await until(async () => (await storedReceipts()).every(({ state, logged_at }) => state === 'complete' && logged_at))
    const rows = await storedReceipts()
    const inQuickBooks = quickBooks.receipts().slice(0, quickBooks.receipts().length - before)
    expect(new Set(inQuickBooks.map(({ Id }) => Id))).toEqual(new Set(rows.map(({ qb_id }) => qb_id)))
    expect(inQuickBooks).toHaveLength(rows.length)
    expect(rows.length).toBeGreaterThanOrEqual(sales - Math.ceil(kills * connections)) // a sale whose first attempt never arrived was never accepted
    const { rows: logged } = await owner.query<{ qb: string }>(
      "select qb_sales_receipt_id as qb from interactions where type = 'sales_receipt'",
    )
    expect(logged.map(({ qb }) => qb).toSorted()).toEqual(rows.map(({ qb_id }) => qb_id).toSorted())
  },
)
