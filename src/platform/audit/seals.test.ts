import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { testSecret } from '../../../test/database.ts'
import { insertContact, insertOneOfEach } from '../../../test/factories.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { sealEntries } from './seals.ts'
import { verifyLog } from './verify.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer(inject('postgres'))
})
afterEach(() => server.stop())

/** Seals everything pending, regardless of the server's own job. */
const sealAll = async () => {
  const { db, env } = server.running.runtime
  await until(async () => {
    await sealEntries({ db, env })
    const [row] = await server.rows<{ left: number }>(
      'select count(*)::int as left from audit_log where id > coalesce((select max(to_id) from audit_seals), 0)',
    )
    return row?.left === 0
  })
}
const verify = (known: string[] = []) => verifyLog(server.running.runtime.db, server.running.runtime.env, known)
const look = async (times: number) => {
  const cookie = await server.signIn('admin')
  const id = await insertContact(server)
  for (let i = 0; i < times; i++) await server.send('GET', `/api/contacts/${id}`, undefined, cookie)
}
/** Acts as the table owner, who can disable the trigger that refuses changes. */
const asOwner = async (statement: string) => {
  for (const text of ['alter table audit_log disable trigger append_only', statement, 'alter table audit_log enable trigger append_only'])
    await server.rows(text)
}

describe('audit log seals', () => {
  it('keeps seals intact through everyday changes, merges, deletions and rollbacks', async () => {
    const made = await insertOneOfEach(server)
    const admin = await server.as('admin')
    await admin.contacts.get({ id: made.contactId })
    await admin.contacts.update({ id: made.contactId, version: 1, city: 'Guelph' })
    const db = server.running.runtime.db
    const rolledBack = db.transaction(async (tx) => {
      await tx.execute(
        "insert into audit_log (actor_role, action, kind, contact_ids, request_id) values ('system', 'viewed', 'contact', '{}', 'x')",
      )
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    const [one, other] = await server.rows<{ version: number }>('select version from contacts where id = any($1) order by id = $2 desc', [
      [made.contactId, made.otherContactId],
      made.contactId,
    ])
    await admin.contacts.merge({ id: made.contactId, sourceId: made.otherContactId, version: one!.version, sourceVersion: other!.version })
    await admin.contacts.delete({ id: made.contactId })
    await sealAll()
    const verdict = await verify()
    expect(verdict).toMatchObject({ problems: [], unsealed: 0 })
    const [{ n, gaps } = { n: 0, gaps: 0 }] = await server.rows<{ n: number; gaps: number }>(
      'select (select count(*)::int from audit_log) as n, sum(cardinality(gaps))::int as gaps from audit_seals',
    )
    expect(verdict.intact).toBe(n)
    expect(gaps).toBeGreaterThan(0)
  })

  it('names altered, removed and inserted entries', async () => {
    await look(5)
    await sealAll()
    const [{ first, last } = { first: 0, last: 0 }] = await server.rows<{ first: number; last: number }>(
      'select min(id)::int as first, max(id)::int as last from audit_log',
    )
    await asOwner(`update audit_log set actor_role = 'billing' where id = ${first}`)
    await asOwner(`delete from audit_log where id = ${last}`)
    await look(1)
    await sealAll()
    expect((await verify()).problems).toEqual([`Entry ${first} was altered`, `Entry ${last} is missing`])
    await asOwner(
      `insert into audit_log (id, actor_role, action, kind, contact_ids, request_id) overriding system value
       values (${last}, 'system', 'viewed', 'contact', '{}', 'x')`,
    )
    expect((await verify()).problems).toEqual([`Entry ${first} was altered`, `Entry ${last} was altered`])
  })

  it('detects an altered, forged or removed seal; removal at the end needs a seal stored elsewhere', async () => {
    await look(2)
    await sealAll()
    await look(2)
    await sealAll()
    const known = (await verify()).newest!
    expect((await verify([known])).problems).toEqual([])
    const [last] = await server.rows<{ from: number; to: number }>(
      'select from_id::int as from, to_id::int as to from audit_seals order by from_id desc limit 1',
    )
    await server.rows('alter table audit_seals disable trigger append_only')
    await server.rows(
      "update audit_seals set digests = substring(digests from 17) || '\\x00112233445566778899aabbccddeeff' where from_id = $1",
      [last!.from],
    )
    expect((await verify()).problems).toEqual([
      `The seal of entries ${last!.from} to ${last!.to} was altered, or was not made by this installation`,
    ])
    await server.rows('delete from audit_seals where from_id = $1', [last!.from])
    await asOwner(`delete from audit_log where id >= ${last!.from}`)
    expect((await verify()).problems).toEqual([])
    expect((await verify([known])).problems).toEqual([
      `The seal ${known} is no longer there: it was altered, or removed together with its entries`,
    ])
  })

  it('waits for open transactions: never seals a number as a gap that an entry may still take', async () => {
    await look(1)
    await sealAll()
    const insert =
      "insert into audit_log (actor_role, action, kind, contact_ids, request_id) values ('system', 'changed', 'contact', '{}', 'slow')"
    const client = await server.running.runtime.db.$client.connect()
    await client.query('begin')
    await client.query(insert)
    await look(2)
    const { db, env } = server.running.runtime
    expect((await sealEntries({ db, env })).sealed).toEqual([])
    await client.query('commit')
    client.release()
    await sealAll()
    expect(await verify()).toMatchObject({ problems: [], unsealed: 0 })
  })

  it('lets the application role add seals but not change or delete them, and protects against mistakes of the owner', async () => {
    const app = server.running.runtime.db.$client
    for (const statement of ['update audit_seals set to_id = 1', 'delete from audit_seals', 'truncate audit_seals']) {
      await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' })
      await expect(server.rows(statement)).rejects.toThrow('audit_seals is append-only')
    }
  })

  it('exits with 1 when npm run audit:verify finds a problem, and with 2 when there is no database', async () => {
    await look(3)
    await sealAll()
    const run = (databaseUrl = server.databaseUrl) =>
      spawnSync(process.execPath, [path.join(import.meta.dirname, '../../../dist/server/audit-verify.js')], {
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          APP_SECRET: testSecret,
          DATABASE_URL: databaseUrl,
        },
      })
    const whole = run()
    expect([whole.status, whole.stderr]).toEqual([0, ''])
    expect(whole.stdout).toMatch(
      /^\d+ entries match their seal; \d+ are not sealed yet\.\n0 signed clinical notes are as they were signed\.\nNewest seal \(store it elsewhere\): \d+:/,
    )
    const [row] = await server.rows<{ id: number }>('select min(id)::int as id from audit_log')
    await asOwner(`update audit_log set contact_ids = '{}', kind = 'tag' where id = ${row!.id}`)
    const broken = run()
    expect([broken.status, broken.stderr]).toEqual([1, `Entry ${row!.id} was altered\n`])
    const away = run('postgresql://none@127.0.0.1:1/none')
    expect([away.status, away.stderr]).toEqual([2, 'The database is unavailable (ECONNREFUSED). The log was not compared.\n'])
    // Each run is a separate process.
  })
})
