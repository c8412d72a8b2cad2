import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ORPCError } from '@orpc/client'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { startPostmarkSimulator } from '../simulators/postmark/server.ts'
import { createActiveAccount } from '../src/platform/auth/service.ts'
import { openDatabase } from '../src/kernel/postgres/database.ts'
import { type ChildServer, startChildServer } from './child-server.ts'
import { copyTemplate } from './database.ts'
import { type Client, clientOf, password } from './server.ts'
import { until } from './until.ts'

/** `MAILS=500 node scripts/test.ts --unit mail-durability` is the whole exercise; the ordinary run sends fewer. */
const mails = Number(process.env.MAILS ?? 120)
const kills = Math.max(3, Math.floor(mails / 60))
const patients = 10
const writers = 4
/** How many mails a server hands over at once. */
const concurrency = 4

it(`issue 7: the server is killed ${kills} times while ${mails} mails go out: each is sent, logged once, and handed over again only where a kill had cut it off`, {
  timeout: 120_000 + mails * 500,
}, async () => {
  // An answer takes a while, so that every kill finds mails that were taken and whose answer was never read.
  const outbox = await startPostmarkSimulator({ latencyMs: 40 })
  const database = await copyTemplate(inject('postgres'))
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-test-mails-'))
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  const db = openDatabase(database.url, 2, () => {})
  const email = 'sales@clinic.example'
  await createActiveAccount(db, { firstName: 'A', lastName: 'B', email, password, role: 'sales_rep' })
  await db.$client.end()

  // Each life of the server has a token of its own, by which its calls are told apart.
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', POSTMARK_URL: outbox.url, WORKER_CONCURRENCY: String(concurrency) }
  const begin = (life: number) => startChildServer(database.url, { ...settings, POSTMARK_TOKEN: `life-${life}` })
  let server: Promise<ChildServer> = begin(0)
  const signedIn = await fetch(`${(await server).url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0]).join('; ') // biome-ignore format: one thing

  /** Asks again, with the same key, until there is an answer. */
  async function ask<Answer>(call: (client: Client) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const { url } = await server
      try {
        return await call(clientOf(url, cookie))
      } catch (error) {
        if (error instanceof ORPCError && error.status < 500) throw error
      }
    }
  }

  const conversations: string[] = []
  const queued: string[] = []
  for (let n = 0; n < patients; n++) {
    const address = `patient.${n}@fastmail.example`
    const { id: contactId } = await ask((client) => client.contacts.create({ firstName: 'Ana', lastName: `Roy ${n}`, email: address }))
    const mail = { contactId, email: address, subject: 'Your visit', text: 'Hello', idempotencyKey: randomUUID() }
    const started = await ask((client) => client.inbox.start(mail))
    conversations.push(started.id)
    queued.push(started.messageId)
  }

  const killing = (async () => {
    for (let killed = 1; killed <= kills; killed++) {
      await until(() => outbox.messages.length >= (killed * mails) / (kills + 1), 60_000)
      server = server.then(async (running) => {
        await running.kill('SIGKILL')
        return begin(killed)
      })
      await server
    }
  })()
  let next = queued.length
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (next < mails) {
        const n = next++
        const reply = { id: conversations[n % patients]!, text: `Mail ${n}`, idempotencyKey: randomUUID() }
        queued.push((await ask((client) => client.inbox.reply(reply))).messageId)
      }
    }),
  )
  await killing
  expect(new Set(queued).size).toBe(mails)

  type Logged = { id: string; status: string; message_id: string | null }
  const log = async () => (await owner.query<Logged>('select id, status, message_id from messages')).rows
  await until(async () => (await log()).every(({ status }) => status !== 'queued'), 60_000)
  const logged = await log()
  expect(logged.map(({ id }) => id).toSorted()).toEqual(queued.toSorted())
  expect(new Set(logged.map(({ status }) => status))).toEqual(new Set(['sent']))
  const timeline = await owner.query<{ id: string }>(`select metadata->>'messageId' as id from interactions where type = 'email'`)
  expect(timeline.rows.map(({ id }) => id).toSorted()).toEqual(queued.toSorted())

  const idOf = new Map(
    outbox.messages.map(({ MessageID, Headers }) => [MessageID, Headers?.find(({ Name }) => Name === 'X-Refyne-Message')?.Value ?? '']),
  )
  const calls = outbox.sendCalls.map(({ accepted, ...call }) => ({ ...call, messageId: accepted[0]!, id: idOf.get(accepted[0]!)! }))
  const callsOf = Map.groupBy(calls, ({ id }) => id)
  expect([...callsOf.keys()].toSorted()).toEqual(queued.toSorted())
  expect(outbox.messages).toHaveLength(calls.length)
  for (const { id, message_id } of logged) {
    const own = callsOf.get(id)!
    // Who lived to read the answer has not asked again: one call in each life, and what is logged is the answer to the last.
    expect(new Set(own.map(({ token }) => token)).size).toBe(own.length)
    expect(own.at(-1)).toMatchObject({ messageId: message_id, isAnswered: true })
  }
  expect(calls.length - mails).toBeLessThanOrEqual(kills * concurrency)

  await (await server).kill('SIGTERM')
  await owner.end()
  await database.drop()
  await outbox.stop()
  fs.rmSync(dataDir, { recursive: true, force: true })
})
