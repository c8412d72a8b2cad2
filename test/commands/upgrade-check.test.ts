import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { createEmpty, testSecret } from '../database.ts'
import { useServer } from '../server.ts'

const command = path.join(import.meta.dirname, '../../dist/server/upgrade-check.js')

async function check(databaseUrl: string, dataDir = '/nonexistent/refyne') {
  const child = spawn(process.execPath, [command], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      APP_SECRET: testSecret,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

describe('the check before an upgrade', () => {
  const server = useServer()
  /** Makes the database one that only has the migrations before this one. Nothing is undone: the check reads only what was recorded. */
  const rewindTo = (tag: number) =>
    server.rows(
      'delete from drizzle.__drizzle_migrations where created_at >= (select created_at from drizzle.__drizzle_migrations order by created_at offset $1 limit 1)',
      [tag],
    )
  const pretendRows = (rows: number) => server.rows("update pg_class set reltuples = $1 where oid = 'contacts'::regclass", [rows])

  it('says that nothing is pending, and succeeds', async () => {
    expect(await check(server.databaseUrl)).toEqual({
      code: 0,
      output: 'No migration is pending: this version starts without changing the database.\n',
    })
  })

  it('lists each pending statement with its lock, and is safe on small tables', async () => {
    await rewindTo(7)
    const { code, output } = await check(server.databaseUrl)
    expect(output).toMatch(/^0007_digit_runs$/m)
    expect(output).toMatch(
      /^ {2}CREATE INDEX "contacts_digits" ON "contacts".*\n {4}contacts \(0 rows, \S+ MB\): SHARE, held under 0\.1 s; gin, under 0\.1 s$/m,
    )
    expect(output).toMatch(/^ {2}DROP INDEX "lead_entries_processing"\n {4}lead_entries \(0 rows, \S+ MB\): ACCESS EXCLUSIVE/m)
    expect(output).toMatch(/\nSafe while people work\.\n$/)
    expect(code).toBe(0)
  })

  it('calls a lock unsafe that a million patients hold for longer than a second', async () => {
    await pretendRows(1_000_000)
    const { code, output } = await check(server.databaseUrl)
    expect(output).toMatch(/UNSAFE {2}contacts \(1,000,000 rows, \S+ MB\): SHARE, held 25 s; gin, 25 s/)
    expect(output).toContain('Unsafe while people work: they would wait for contacts.')
    expect(code).toBe(1)
  })

  it('changes nothing in the database', async () => {
    expect(await server.rows('select count(*)::int as migrations from drizzle.__drizzle_migrations')).toEqual([{ migrations: 7 }])
    const sql = "select to_regclass('contacts_digits') is not null and to_regclass('lead_entries_processing') is not null as has_both"
    expect(await server.rows(sql)).toEqual([{ has_both: true }])
  })

  it('says that a new database has nothing to upgrade', async () => {
    const empty = await createEmpty(inject('postgres'))
    try {
      expect(await check(empty.url)).toMatchObject({ code: 0, output: expect.stringMatching(/^This database is new/) as string })
    } finally {
      await empty.drop()
    }
  })

  it('refuses a DATA_DIR without a clinic, and makes none', async () => {
    const folder = path.join(os.tmpdir(), `refyne-none-${process.pid}`)
    expect(await check('', folder)).toEqual({
      code: 2,
      output: `No clinic in DATA_DIR (${folder}). Set DATA_DIR to the folder of the clinic.\n`,
    })
    expect(fs.existsSync(folder)).toBe(false)
  })

  it.each(['127.0.0.1:1', '127.0.0.1:1,127.0.0.1:2'])('exits with 2 while the database is unavailable at %s', async (hosts) => {
    expect(await check(`postgresql://none@${hosts}/none`)).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^Nothing answers at .*Start PostgreSQL, or correct the host in DATABASE_URL\.$/m) as string,
    })
  })
})
