import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testSecret } from '../database.ts'
import { useServer } from '../server.ts'
import { until } from '../until.ts'

const command = path.join(import.meta.dirname, '../../dist/server/import.js')
const server = useServer()
let folder: string
let importerEmail: string

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'refyne-import-command-'))
  importerEmail = (await server.account({ role: 'sales_rep' })).email
})
afterAll(() => fs.rm(folder, { recursive: true }))

function start(...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [command, ...args], {
    cwd: folder, // a folder without settings
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: 'production',
      APP_SECRET: testSecret,
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  child.stdout!.on('data', (chunk: Buffer) => (output.out += chunk.toString()))
  child.stderr!.on('data', (chunk: Buffer) => (output.err += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return { child, output, ended }
}
const run = (...args: string[]) => start(...args).ended

async function writeFile(count: number, handle: string): Promise<string> {
  const file = path.join(folder, `${handle}.csv`)
  const lines = Array.from({ length: count }, (_, i) => `Ana,Row${i},${i}.${handle}@example.com`)
  await fs.writeFile(file, ['First Name,Last Name,Email', ...lines].join('\n'))
  return file
}
const countImported = async (handle: string) => {
  const [row] = await server.rows<{ count: number }>('select count(*)::int from contacts where email like $1', [`%${handle}@example.com`])
  return row!.count
}

// Each run starts a process while many other tests run.
describe('npm run import', { timeout: 120_000 }, () => {
  it('imports a file, prints the result, and matches every row on a second run', async () => {
    const handle = randomUUID()
    const file = await writeFile(5, handle)
    const first = await run(file, '--who', importerEmail)
    // On a slow machine it prints its progress.
    expect(first).toMatchObject({ code: 0, err: expect.stringMatching(/^( {2}\w+: \d of 5\n)*$/) })
    expect(first.out).toContain('5 new, 0 existing, 0 duplicates in the file, 0 with errors')
    expect(first.out).toMatch(/^Done: 5 added, 0 updated, 0 skipped, 0 rejected, in \d+ s$/m)
    const second = await run(file, '--who', importerEmail)
    expect(second.out).toMatch(/^Done: 0 added, 0 updated, 5 skipped, 0 rejected/m)
    expect(await countImported(handle)).toBe(5)
  })

  it('writes nothing in a dry run, and names each invalid value', async () => {
    const handle = randomUUID()
    const file = path.join(folder, `${handle}.csv`)
    await fs.writeFile(file, `First Name,Last Name,Email\nAna,Silva,0.${handle}@example.com\nBen,Ode,not an address\n`)
    const { code, out } = await run(file, '--who', importerEmail, '--dry-run')
    expect(code).toBe(0)
    expect(out).toContain('1 new, 0 existing, 0 duplicates in the file, 1 with errors')
    expect(out).toMatch(/^ {2}row 3, Email: .*“not an address”$/m)
    expect(await countImported(handle)).toBe(0)
  })

  it('refuses invalid arguments, with a message', async () => {
    const file = await writeFile(1, randomUUID())
    const billing = (await server.account({ role: 'billing' })).email
    const refusals = [
      [[], 'Name one file'],
      [[file], 'Name the account that imports'],
      [['/no/such.csv', '--who', importerEmail], 'File not found: /no/such.csv'],
      [[file, '--who', 'nobody@clinic.example'], 'nobody@clinic.example has no permission to import'],
      [[file, '--who', billing], `${billing} has no permission to import`],
      [[file, '--who', importerEmail, '--matches', 'all'], '--matches takes skip, fill or add'],
    ] as const
    const runs = await Promise.all(refusals.map(async ([args, message]) => ({ message, ...(await run(...args)) })))
    for (const { message, code, err } of runs) expect([message, err.includes(message), code === 0]).toEqual([message, true, false])
  })

  it('stops after the current batch on Ctrl-C, and keeps an undoable import', async () => {
    const handle = randomUUID()
    const { child, output, ended } = start(await writeFile(12_000, handle), '--who', importerEmail)
    // It starts a process and checks the whole file first.
    await until(async () => (await countImported(handle)) > 0)
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    const added = Number(/^Stopped: (\d+) added/m.exec(output.out)?.[1])
    expect(await countImported(handle)).toBe(added)
    expect(added).toBeLessThan(12_000)

    const client = await server.as('admin')
    const [last] = (await client.imports.list({})).data
    expect(last).toMatchObject({ status: 'cancelled', result: { added } })
    await client.imports.undo({ id: last!.id })
    await until(async () => (await client.imports.get({ id: last!.id })).status === 'undone')
    expect(await countImported(handle)).toBe(0)
  })
})
