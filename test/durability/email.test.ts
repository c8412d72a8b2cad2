import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ORPCError } from '@orpc/client'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startPostmarkSimulator } from '../../simulators/postmark/server.ts'
import { createActiveAccount } from '../../src/platform/auth/service.ts'
import { openDatabase } from '../../src/kernel/postgres/database.ts'
import { type ChildServer, startChildServer } from '../processes/process.ts'
import { copyTemplate } from '../database.ts'
import { type Client, clientOf, password } from '../server.ts'
import { until } from '../until.ts'

/** `EMAILS=500 npm test -- --unit test/durability/email` runs the full test with eight kills. */
const emails = Number(process.env.EMAILS ?? 40)
const kills = Math.max(2, Math.floor(emails / 60))
const patients = 10
const clients = 4
/** How many emails a server sends at the same time. */
const concurrency = 4

it(
  `sends ${emails} emails through ${kills} kills of the server: each sent and logged once, and resent only where a kill interrupted it`,
  {
    timeout: 120_000 + emails * 500,
  },
  async () => {
    // Responses are slow, so that every kill interrupts emails that were accepted but whose response was not read.
    const outbox = await startPostmarkSimulator({ latencyMs: 40 })
    const database = await copyTemplate(inject('postgres'))
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-test-mails-'))
    const owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
    const db = openDatabase(database.url, 2, () => {})
    const email = 'sales@clinic.example'
    await createActiveAccount(db, { firstName: 'A', lastName: 'B', email, password, role: 'sales_rep' })
    await db.$client.end()

    // Each server process uses its own token, which identifies its requests.
    const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', POSTMARK_URL: outbox.url, WORKER_CONCURRENCY: String(concurrency) }
    const start = (run: number) => startChildServer(database.url, { ...settings, POSTMARK_TOKEN: `run-${run}` })
    let server: Promise<ChildServer> = start(0)
    onTestFinished(async () => {
      await (await server).kill('SIGTERM')
      await owner.end()
      await database.drop()
      await outbox.stop()
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

    /** Retries with the same key until there is a response. */
    async function retry<Result>(call: (client: Client) => Promise<Result>): Promise<Result> {
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
    await Promise.all(
      Array.from({ length: patients }, async (_, n) => {
        const address = `patient.${n}@fastmail.example`
        const { id: contactId } = await retry((client) =>
          client.contacts.create({ firstName: 'Ana', lastName: `Roy ${n}`, email: address }),
        )
        const mail = { contactId, email: address, subject: 'Your visit', text: 'Hello', idempotencyKey: randomUUID() }
        const started = await retry((client) => client.inbox.start(mail))
        conversations.push(started.id)
        queued.push(started.messageId)
      }),
    )

    const killing = (async () => {
      for (let killed = 1; killed <= kills; killed++) {
        await until(() => outbox.messages.length >= (killed * emails) / (kills + 1))
        server = server.then(async (running) => {
          await running.kill('SIGKILL')
          return start(killed)
        })
        await server
      }
    })()
    let next = queued.length
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (next < emails) {
          const n = next++
          const reply = { id: conversations[n % patients]!, text: `Email ${n}`, idempotencyKey: randomUUID() }
          queued.push((await retry((client) => client.inbox.reply(reply))).messageId)
        }
      }),
    )
    await killing
    expect(new Set(queued).size).toBe(emails)

    type Logged = { id: string; status: string; message_id: string | null }
    const log = async () => (await owner.query<Logged>('select id, status, message_id from messages')).rows
    await until(async () => (await log()).every(({ status }) => status !== 'queued'))
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
      const ownCalls = callsOf.get(id)!
      // A process that read the response did not resend: one request per process, and the log holds the response to the last.
      expect(new Set(ownCalls.map(({ token }) => token)).size).toBe(ownCalls.length)
      expect(ownCalls.at(-1)).toMatchObject({ messageId: message_id, isAnswered: true })
    }
    expect(calls.length - emails).toBeLessThanOrEqual(kills * concurrency)
  },
)
