import os from 'node:os'
import path from 'node:path'
import { expect, inject, it } from 'vitest'
import { createActiveAccount } from '../src/features/auth/service.ts'
import type { ImportDetails } from '../src/features/imports/contract.ts'
import { openDatabase } from '../src/server/database.ts'
import { type ChildServer, startChildServer } from './child-server.ts'
import { copyTemplate } from './database.ts'
import { password } from './server.ts'
import { until } from './until.ts'

const rows = 6_000
const kills = 2
const file = `First name,Last name,Email,Tags\n${Array.from({ length: rows }, (_, i) => `Kill,Number${i},kill${i}@import.example,Killed\n`).join('')}`

it('issue 3: an import whose process is killed goes on where it was: each patient once, each batch whole or not at all', {
  timeout: 180_000,
}, async () => {
  const database = await copyTemplate(inject('postgres'))
  const db = openDatabase(database.url, 2, () => {})
  const settings = { LOG_LEVEL: 'silent', DATA_DIR: path.join(os.tmpdir(), 'refyne-test-data') }
  let server: ChildServer = await startChildServer(database.url, settings)
  const account = { firstName: 'Test', lastName: 'Admin', email: 'admin@clinic.example', password, role: 'admin' as const }
  await createActiveAccount(db, account)
  const signedIn = await fetch(`${server.url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: account.email, password }),
  })
  const cookie = signedIn.headers.getSetCookie().join('; ')
  const call = async <Answer>(method: string, at: string, body?: unknown): Promise<Answer> => {
    const headers = { cookie, 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json' }
    const answer = await fetch(`${server.url}/api/imports${at}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    expect([at, answer.status]).toEqual([at, method === 'POST' && typeof body === 'string' ? 201 : 200])
    return (await answer.json()) as Answer
  }
  const stored = async () => {
    const { rows: found } = await db.$client.query<{ total: number }>(
      `select count(*)::int as total, count(distinct email)::int as emails,
         (select count(*)::int from interactions) as lines, (select count(*)::int from contact_stage_history) as moves,
         (select count(*)::int from contact_tags) as tagged, (select count(*)::int from import_outcomes) as outcomes,
         (select count(*)::int from audit_log where kind = 'contact' and action = 'created') as audited,
         (select coalesce(sum(change), 0)::int from contact_counts) as counted from contacts`,
    )
    return found[0]!
  }
  const whole = (total: number) => ({
    total,
    emails: total,
    lines: total,
    moves: total,
    tagged: total,
    outcomes: total,
    audited: total,
    counted: total,
  })

  try {
    const { id } = await call<{ id: string }>('POST', '?name=kill.csv', file)
    const { columns } = await call<ImportDetails>('GET', `/${id}`)
    await call('POST', `/${id}/check`, { columns: columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
    await until(async () => (await call<ImportDetails>('GET', `/${id}`)).status === 'checked', 60_000)
    await call('POST', `/${id}/run`, { onMatch: 'skip' })
    for (let kill = 1; kill <= kills; kill++) {
      const before = (await stored()).total
      await until(async () => (await stored()).total > before, 30_000)
      await server.kill('SIGKILL')
      const now = await stored()
      expect(now).toEqual(whole(now.total))
      expect([now.total % 1000, now.total < rows]).toEqual([0, true])
      server = await startChildServer(database.url, settings)
    }
    await until(async () => (await call<ImportDetails>('GET', `/${id}`)).status === 'done', 60_000)
    expect((await call<ImportDetails>('GET', `/${id}`)).result).toEqual({ added: rows, filled: 0, skipped: 0, errors: 0 })
    expect(await stored()).toEqual(whole(rows))

    await call('POST', `/${id}/undo`)
    await until(async () => (await stored()).total < rows, 30_000)
    await server.kill('SIGKILL')
    server = await startChildServer(database.url, settings)
    await until(async () => (await call<ImportDetails>('GET', `/${id}`)).status === 'undone', 60_000)
    expect(await call<ImportDetails>('GET', `/${id}`)).toMatchObject({ undone: rows, kept: 0 })
    expect(await stored()).toMatchObject({ total: 0, lines: 0, moves: 0, tagged: 0, counted: 0 })
  } finally {
    await server.kill()
    await db.$client.end()
    await database.drop()
  }
})
