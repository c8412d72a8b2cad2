import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testSecret } from './database.ts'
import { useServer } from './server.ts'
import { until } from './until.ts'

const command = path.join(import.meta.dirname, '../scripts/import.ts')
const server = useServer()
let folder: string
let who: string

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'refyne-import-command-'))
  who = (await server.account({ role: 'sales_rep' })).email
})
afterAll(() => fs.rm(folder, { recursive: true }))

function start(...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [command, ...args], {
    cwd: folder, // where no settings lie
    env: { PATH: process.env.PATH, NODE_ENV: 'production', APP_SECRET: testSecret, DATABASE_URL: server.databaseUrl, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout!.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
  child.stderr!.on('data', (chunk: Buffer) => (said.err += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }))
  return { child, said, ended }
}
const run = (...args: string[]) => start(...args).ended

async function fileOf(count: number, handle: string): Promise<string> {
  const file = path.join(folder, `${handle}.csv`)
  const lines = Array.from({ length: count }, (_, i) => `Ana,Row${i},${i}.${handle}@example.com`)
  await fs.writeFile(file, ['First Name,Last Name,Email', ...lines].join('\n'))
  return file
}
const imported = async (handle: string) => {
  const [row] = await server.rows<{ count: number }>('select count(*)::int from contacts where email like $1', [`%${handle}@example.com`])
  return row!.count
}

// Each run is a process that has to start, beside many other tests.
describe('issue 3: npm run import', { timeout: 120_000 }, () => {
  it('imports a file, and says what was done; a second time everyone is there already', async () => {
    const handle = randomUUID()
    const file = await fileOf(5, handle)
    const first = await run(file, '--who', who)
    // On a slow machine it has time to say how far it is.
    expect(first).toMatchObject({ code: 0, err: expect.stringMatching(/^( {2}\w+: \d of 5\n)*$/) })
    expect(first.out).toContain('5 new, 0 there already, 0 twice in this file, 0 with errors')
    expect(first.out).toMatch(/^Done: 5 added, 0 filled in, 0 skipped, 0 refused, in \d+ s$/m)
    const second = await run(file, '--who', who)
    expect(second.out).toMatch(/^Done: 0 added, 0 filled in, 5 skipped, 0 refused/m)
    expect(await imported(handle)).toBe(5)
  })

  it('a dry run writes nothing, and names each wrong value', async () => {
    const handle = randomUUID()
    const file = path.join(folder, `${handle}.csv`)
    await fs.writeFile(file, `First Name,Last Name,Email\nAna,Silva,0.${handle}@example.com\nBen,Ode,not an address\n`)
    const { code, out } = await run(file, '--who', who, '--dry-run')
    expect(code).toBe(0)
    expect(out).toContain('1 new, 0 there already, 0 twice in this file, 1 with errors')
    expect(out).toMatch(/^ {2}row 3, Email: .*“not an address”$/m)
    expect(await imported(handle)).toBe(0)
  })

  it('refuses what it cannot do, with a sentence', async () => {
    const file = await fileOf(1, randomUUID())
    const billing = (await server.account({ role: 'billing' })).email
    const refusals = [
      [[], 'Name one file'],
      [[file], 'Say in whose name'],
      [['/no/such.csv', '--who', who], 'There is no file /no/such.csv'],
      [[file, '--who', 'nobody@clinic.example'], 'nobody@clinic.example may not import'],
      [[file, '--who', billing], `${billing} may not import`],
      [[file, '--who', who, '--matches', 'all'], '--matches takes skip, fill or add'],
    ] as const
    for (const [args, sentence] of refusals) {
      const { code, err } = await run(...args)
      expect([sentence, err.includes(sentence), code === 0]).toEqual([sentence, true, false])
    }
  })

  it('Ctrl-C stops after the batch under way; what was imported stays, and can be undone', async () => {
    const handle = randomUUID()
    const { child, said, ended } = start(await fileOf(12_000, handle), '--who', who)
    // It starts a process and looks through the whole file first.
    await until(async () => (await imported(handle)) > 0, 60_000)
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    const added = Number(/^Stopped: (\d+) added/m.exec(said.out)?.[1])
    expect(await imported(handle)).toBe(added)
    expect(added).toBeLessThan(12_000)

    const client = await server.as('admin')
    const [last] = (await client.imports.list({})).data
    expect(last).toMatchObject({ status: 'cancelled', result: { added } })
    await client.imports.undo({ id: last!.id })
    await until(async () => (await client.imports.get({ id: last!.id })).status === 'undone', 60_000)
    expect(await imported(handle)).toBe(0)
  })
})
