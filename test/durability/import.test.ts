import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createActiveAccount } from '../../src/platform/auth/service.ts'
import type { ImportDetails } from '../../src/admin/imports/contract.ts'
import { openDatabase } from '../../src/kernel/postgres/database.ts'
import { type ChildServer, startChildServer } from '../processes/process.ts'
import { copyTemplate } from '../database.ts'
import { password } from '../server.ts'
import { until } from '../until.ts'

const rows = 6_000
/** Fewer, because only one kill interrupts them. A batch has 1,000 rows. */
const taskRows = 4_000
const kills = 2
const file = `First name,Last name,Email,Tags\n${Array.from({ length: rows }, (_, i) => `Kill,Number${i},kill${i}@import.example,Killed\n`).join('')}`

/** A clinic whose server can be killed, with an administrator. */
async function openClinic() {
  const database = await copyTemplate(inject('postgres'))
  const db = openDatabase(database.url, 2, () => {})
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-test-imports-'))
  const settings = { LOG_LEVEL: 'silent', DATA_DIR: dataDir }
  let server: ChildServer = await startChildServer(database.url, settings)
  const account = { firstName: 'Test', lastName: 'Admin', email: 'admin@clinic.example', password, role: 'admin' as const }
  await createActiveAccount(db, account)
  const signedIn = await fetch(`${server.url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: account.email, password }),
  })
  const cookie = signedIn.headers.getSetCookie().join('; ')
  const call = async <Body>(method: string, at: string, body?: unknown): Promise<Body> => {
    const headers = { cookie, 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json' }
    const response = await fetch(`${server.url}/api/imports${at}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    expect([at, response.status]).toEqual([at, method === 'POST' && typeof body === 'string' ? 201 : 200])
    return (await response.json()) as Body
  }
  return {
    db,
    call,
    /** Kills the process, runs `then`, and starts another. */
    kill: async (then: () => Promise<void> = async () => {}) => {
      await server.kill('SIGKILL')
      await then()
      server = await startChildServer(database.url, settings)
    },
    close: async () => {
      await server.kill()
      await db.$client.end()
      await database.drop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

let clinic: Awaited<ReturnType<typeof openClinic>>
beforeAll(async () => {
  clinic = await openClinic()
})
afterAll(() => clinic.close())

/** Uploads a file, checks it with the suggested columns, and starts its import. */
async function runImport(query: string, content: string): Promise<string> {
  const { call } = clinic
  const { id } = await call<{ id: string }>('POST', query, content)
  const { columns } = await call<ImportDetails>('GET', `/${id}`)
  await call('POST', `/${id}/check`, { columns: columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
  await until(async () => (await call<ImportDetails>('GET', `/${id}`)).status === 'checked')
  await call('POST', `/${id}/run`, { onMatch: 'skip' })
  return id
}

it(
  'resumes an import after the process is killed: each patient once, each batch complete or absent',
  {
    timeout: 180_000,
  },
  async () => {
    const { db, call, kill } = clinic
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
    const complete = (total: number) => ({
      total,
      emails: total,
      lines: total,
      moves: total,
      tagged: total,
      outcomes: total,
      audited: total,
      counted: total,
    })

    const id = await runImport('?name=kill.csv', file)
    // A server that starts again goes on with the import before it is ready.
    let before = 0
    for (let killed = 0; killed < kills; killed++) {
      await until(async () => (await stored()).total > before)
      await kill(async () => {
        const now = await stored()
        expect(now).toEqual(complete(now.total))
        expect([now.total % 250, now.total < rows]).toEqual([0, true])
        before = now.total
      })
    }
    await until(async () => (await call<ImportDetails>('GET', `/${id}`)).status === 'done')
    expect((await call<ImportDetails>('GET', `/${id}`)).result).toEqual({ added: rows, filled: 0, skipped: 0, errors: 0 })
    expect(await stored()).toEqual(complete(rows))

    await call('POST', `/${id}/undo`)
    await until(async () => (await stored()).total < rows)
    await kill()
    await until(async () => (await call<ImportDetails>('GET', `/${id}`)).status === 'undone')
    expect(await call<ImportDetails>('GET', `/${id}`)).toMatchObject({ undone: rows, kept: 0 })
    expect(await stored()).toMatchObject({ total: 0, lines: 0, moves: 0, tagged: 0, counted: 0 })
  },
)

it('resumes an import of tasks after a kill: each task once, with its assignee and timeline entry', { timeout: 180_000 }, async () => {
  const { db, call, kill } = clinic
  const stored = async () => {
    const { rows: found } = await db.$client.query<{ total: number }>(
      `select count(*)::int as total, count(distinct title)::int as titles, (select count(*)::int from task_assignees) as assigned,
         (select count(*)::int from interactions where type = 'task') as lines,
         (select count(*)::int from import_outcomes where import_id in (select id from imports where kind = 'tasks')) as outcomes,
         (select count(*)::int from audit_log where kind = 'task' and action = 'created') as audited from tasks`,
    )
    return found[0]!
  }
  const complete = (total: number) => ({ total, titles: total, assigned: total, lines: total, outcomes: total, audited: total })
  await db.$client.query(
    `insert into contacts (first_name, last_name, email, funnel_stage) select 'Ana', 'Kill', 'ana@kill.example', id from funnel_stages where value = 'lead'`,
  )
  const lines = Array.from({ length: taskRows }, (_, i) => `Task ${i},ana@kill.example,2199-01-31,admin@clinic.example\n`).join('')
  const id = await runImport('?name=tasks.csv&kind=tasks', `Title,Email,Due,Assignee\n${lines}`)
  await until(async () => (await stored()).total > 0)
  await kill(async () => {
    const now = await stored()
    expect(now).toEqual(complete(now.total))
    expect([now.total % 500, now.total < taskRows]).toEqual([0, true])
  })
  await until(async () => (await call<ImportDetails>('GET', `/${id}`)).status === 'done')
  expect((await call<ImportDetails>('GET', `/${id}`)).result).toEqual({ added: taskRows, filled: 0, skipped: 0, errors: 0 })
  expect(await stored()).toEqual(complete(taskRows))
})
