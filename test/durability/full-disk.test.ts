import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type QuickBooksSimulator, startQuickBooksSimulator } from '../../simulators/quickbooks/server.ts'
import { createActiveAccount } from '../../src/platform/auth/service.ts'
import { openDatabase } from '../../src/kernel/postgres/database.ts'
import { hashToken } from '../../src/kernel/tokens.ts'
import { testSecret } from '../database.ts'
import { connectQuickBooks, createCustomer, newSale, quickbooksSettings } from '../billing/point-of-sale.ts'
import { startProcess } from '../processes/process.ts'
import { clientOf, password } from '../server.ts'
import { until } from '../until.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** PostgreSQL's programs and an empty clinic take about half of it. */
const diskMb = 500
const maxTries = 400
const email = 'admin@clinic.example'
const json = { 'content-type': 'application/json' }

/** A write that a person or a form sends; `n` tells one from the next. */
type Write = (n: string) => Promise<Response>

const reason = 'this process may not mount a file system'
const random = (bytes: number) => randomBytes(bytes).toString('hex')

describe('a full disk under the database and the files', { timeout: 240_000 }, () => {
  let disk: SmallDisk | null = null
  let quickBooks: QuickBooksSimulator
  let server: ReturnType<typeof startProcess>
  let owner: pg.Pool
  let url: string
  let contactId: string
  let cookie: string
  let writes: Record<string, Write>
  /** What was answered with success, by the name of the write. */
  const accepted = new Map<string, string[]>()

  beforeEach(({ skip }) => skip(disk === null, reason))
  beforeAll(async () => {
    disk = mountSmallDisk(diskMb)
    if (!disk) return
    quickBooks = await startQuickBooksSimulator({ clientId: 'refyne-test', clientSecret: 'refyne-test-secret' })
    server = startProcess({ DATA_DIR: path.join(disk.folder, 'clinic'), ...quickbooksSettings(quickBooks.url) })
    url = await server.ready()
    await setUp()
  })
  afterAll(async () => {
    if (!disk) return
    disk.free()
    await owner?.end()
    server?.kill('SIGTERM')
    await server?.exited
    await quickBooks?.stop()
    disk.unmount()
  })

  const dataDir = () => path.join(disk!.folder, 'clinic')
  const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await owner.query<Row & pg.QueryResultRow>(text, values)).rows

  async function setUp(): Promise<void> {
    const [, , , , socket] = fs.readFileSync(path.join(dataDir(), 'postgres/data/postmaster.pid'), 'utf8').split('\n')
    const ownerUrl = `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(socket!)}`
    owner = new pg.Pool({ connectionString: ownerUrl, max: 2 })
    owner.on('error', () => {}) // PostgreSQL ends in a test
    const db = openDatabase(ownerUrl, 1, () => {})
    await createActiveAccount(db, { firstName: 'A', lastName: 'B', email, password, role: 'admin' })
    await db.$client.end()
    await rows(`insert into lead_sources (name, webhook_key_hash) values ('Website Form', $1)`, [hashToken('full-disk')])
    const signedIn = await fetch(`${url}/api/auth/sign-in`, { method: 'POST', headers: json, body: JSON.stringify({ email, password }) })
    cookie = signedIn.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ') // prettier-ignore
    const admin = clientOf(url, cookie)
    await connectQuickBooks(admin)
    const sale = await newSale(admin, await createCustomer(admin), [{ name: 'Consultation', unitPrice: 15_000 }])
    contactId = (await admin.contacts.create({ firstName: 'Ana', lastName: 'Silva' })).id
    const post = (address: string, body: unknown) =>
      fetch(url + address, { method: 'POST', headers: { cookie, ...json }, body: JSON.stringify(body) })
    const file = (address: string, body: string) =>
      fetch(url + address, { method: 'POST', headers: { cookie, 'content-type': 'application/octet-stream' }, body })
    writes = {
      lead: (n) => post('/api/leads/full-disk', { first_name: 'Zoë', last_name: 'Roy', email: `${n}@example.ca`, message: random(10_000) }),
      note: (n) => post(`/api/contacts/${contactId}/interactions`, { type: 'note', description: `${n} ${random(4_000)}` }),
      payment: (n) => post('/api/qbo/salesreceipt/create', { ...sale, idempotencyKey: n }),
      upload: (n) => file(`/api/contacts/${contactId}/documents?name=${n}.pdf`, `%PDF-1.4\n%${random(100_000)}\n%%EOF\n`),
      import: (n) => file(`/api/imports?name=${n}.csv`, `First Name,Last Name,Notes\nAna,Silva,${random(200_000)}\n`),
    }
  }

  /** Sends a write again and again until it is refused, because a table may have some space of its own. Returns the refusal. */
  async function untilRefused(name: string): Promise<[status: number, code: string, message: string]> {
    for (let i = 0; i < maxTries; i++) {
      const n = randomUUID()
      disk!.fill()
      const response = await writes[name]!(n)
      const body = (await response.json()) as { code: string; message: string }
      if (!response.ok) return [response.status, body.code, body.message]
      accepted.set(name, [...(accepted.get(name) ?? []), n])
    }
    throw new Error(`${name} was never refused`)
  }

  async function accept(name: string): Promise<void> {
    const n = randomUUID()
    const response = await writes[name]!(n)
    if (!response.ok) throw new Error(`${name} was answered ${response.status}: ${await response.text()}`)
    accepted.set(name, [...(accepted.get(name) ?? []), n])
  }

  const refused = [503, 'DISK_FULL', expect.stringContaining('disk is full')]

  it.each(['note', 'lead', 'payment', 'upload', 'import'])('refuses writes with 503 DISK_FULL: %s', async (name) => {
    expect(await untilRefused(name)).toEqual(refused)
  })

  it('still answers what writes nothing, and has stored what it accepted and nothing else', async () => {
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)
    expect((await fetch(`${url}/api/tags`, { headers: { cookie } })).status).toBe(200)
    await expectConsistency()
  })

  it('keeps no file whose row has no space, when only the disk of the database is full', async () => {
    const folders = ['files', 'incoming'].map((name) => path.join(dataDir(), name))
    const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-files-'))
    onTestFinished(() => fs.rmSync(elsewhere, { recursive: true, force: true }))
    const move = (from: string, to: string) => {
      fs.cpSync(from, to, { recursive: true })
      fs.rmSync(from, { recursive: true })
    }
    for (const folder of folders) {
      const target = path.join(elsewhere, path.basename(folder))
      move(folder, target)
      fs.symlinkSync(target, folder)
    }
    expect(await untilRefused('upload')).toEqual(refused)
    await expectConsistency()
    disk!.free()
    for (const folder of folders) {
      fs.rmSync(folder)
      move(path.join(elsewhere, path.basename(folder)), folder)
    }
  })

  it('answers DISK_FULL when PostgreSQL has ended, because it could not write its log, and continues by itself once there is space', async () => {
    await until(async () => {
      disk!.fill()
      await owner.query(`select pg_logical_emit_message(true, 'refyne-test', repeat('x', 3000000))`).catch(() => {})
      return server.output().includes('PostgreSQL has ended')
    })
    expect(await untilRefused('note')).toEqual(refused)
    disk!.free()
    await until(async () => (await fetch(`${url}/health/ready`)).status === 200)
    for (const name of Object.keys(writes)) await accept(name)
    await until(async () => (await rows(`select 1 from lead_entries where status = 'processing'`)).length === 0)
    await until(async () => (await rows(`select 1 from sales_receipts where state <> 'complete' or logged_at is null`)).length === 0)
    await expectConsistency()
  })

  it('starts PostgreSQL again when it ended by itself', async () => {
    const pidOf = () => fs.readFileSync(path.join(dataDir(), 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]
    const before = pidOf()
    process.kill(Number(before), 'SIGQUIT')
    await until(async () => (await fetch(`${url}/health/ready`)).status === 503)
    await until(async () => (await fetch(`${url}/health/ready`)).status === 200)
    expect(pidOf()).not.toBe(before)
    await accept('note')
  })

  it('says that the place of the backups is full, and the next backup continues where the last one stopped', async () => {
    const place = mountSmallDisk(300)!
    onTestFinished(place.unmount)
    const blocks = () =>
      new Map(
        fs
          .readdirSync(place.folder, { recursive: true, encoding: 'utf8' })
          .filter((name) => /\/blocks\./.test(name))
          .map((name) => [name, fs.statSync(path.join(place.folder, name)).mtimeMs] as const),
      )
    place.fill(1_500_000)
    const failed = await backUp(place.folder)
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining('The disk is full at the place of the backups')])
    const before = blocks()
    expect(before.size).toBeGreaterThan(0)
    place.free()
    const { code, output } = await backUp(place.folder)
    expect([code, output]).toEqual([0, expect.stringMatching(/Backup \S+: .* verified/)])
    const used = [...blocks()].filter(([name]) => before.has(name)) // but for blocks of tables that have changed since
    expect(used.length).toBeGreaterThan(0)
    for (const [name, at] of used) expect([name, at]).toEqual([name, before.get(name)]) // not copied again
  })

  async function backUp(place: string): Promise<{ code: number | null; output: string }> {
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
    const settings = { APP_SECRET: testSecret, DATA_DIR: dataDir(), BACKUP_TO: place, BACKUP_PASSPHRASE: 'seven unlikely words in a row' }
    const child = spawn(process.execPath, [path.join(import.meta.dirname, '../../dist/server/backup.js')], {
      env: { PATH, NODE_COMPILE_CACHE, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output }
  }

  async function expectConsistency(): Promise<void> {
    const texts = async (text: string) => (await rows<{ text: string }>(text)).map((row) => row.text).toSorted()
    const sorted = (name: string) => (accepted.get(name) ?? []).toSorted()
    expect(await texts(`select split_part(description, ' ', 1) as text from interactions where type = 'note'`)).toEqual(sorted('note'))
    expect(await texts(`select split_part(raw_data->>'email', '@', 1) as text from lead_entries`)).toEqual(sorted('lead'))
    expect(await texts('select name as text from documents')).toEqual(sorted('upload').map((n) => `${n}.pdf`))
    expect(await texts('select file_name as text from imports')).toEqual(sorted('import').map((n) => `${n}.csv`))
    // A payment that was refused may be in QuickBooks; it is there once, and has its row.
    const receipts = quickBooks.receipts().map(({ Id }) => Id)
    const completed = await texts(`select qb_id as text from sales_receipts where state = 'complete'`)
    expect(new Set(receipts).size).toBe(receipts.length)
    expect(receipts).toEqual(expect.arrayContaining(completed))
    expect(receipts.length).toBeLessThanOrEqual((await rows('select 1 from sales_receipts')).length)

    const stored = fs
      .readdirSync(path.join(dataDir(), 'files'), { recursive: true, encoding: 'utf8' })
      .map((name) => path.basename(name).replace(/^encrypted\.[0-9a-f]{8}\./, ''))
    expect(stored.filter((name) => name.startsWith('documents.')).toSorted()).toEqual(
      await texts(`select replace(storage_key, '/', '.') as text from documents`),
    )
    for (const folder of ['incoming', 'imports', 'files/unfinished'])
      expect(fs.existsSync(path.join(dataDir(), folder)) ? fs.readdirSync(path.join(dataDir(), folder)) : []).toEqual([])
  }
})
