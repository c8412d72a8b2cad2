import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ORPCError } from '@orpc/client'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startTwilioSimulator } from '../../simulators/twilio/server.ts'
import { openDatabase } from '../../src/kernel/postgres/database.ts'
import { createActiveAccount } from '../../src/platform/auth/service.ts'
import { copyTemplate } from '../database.ts'
import { makeDue } from '../jobs.ts'
import { type ChildServer, startChildServer } from '../processes/process.ts'
import { type Client, clientOf, password } from '../server.ts'
import { until } from '../until.ts'

/** `TEXTS=300 npm test -- --unit test/durability/text` runs the full test with ten kills. */
const texts = Number(process.env.TEXTS ?? 24)
const kills = Math.max(2, Math.floor(texts / 30))
const patients = 6
/** How many texts a server sends at the same time. */
const concurrency = 3

it(
  `sends each of ${texts} texts at most once through ${kills} kills of the server, and says which are uncertain (issue 28)`,
  { timeout: 120_000 + texts * 1_000 },
  async () => {
    // Responses are slow, so that every kill interrupts texts that Twilio took and whose response was not read.
    const twilio = await startTwilioSimulator({ latencyMs: 150 })
    twilio.setDeliveries({ outcome: 'none' })
    const database = await copyTemplate(inject('postgres'))
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-test-texts-'))
    const owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
    const db = openDatabase(database.url, 2, () => {})
    const email = 'sales@clinic.example'
    await createActiveAccount(db, { firstName: 'A', lastName: 'B', email, password, role: 'sales_rep' })
    await db.$client.end()

    const settings = {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      WORKER_CONCURRENCY: String(concurrency),
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_NUMBER: twilio.number,
      TWILIO_URL: twilio.url,
    }
    let server: Promise<ChildServer> = startChildServer(database.url, settings)
    onTestFinished(async () => {
      await (await server).kill('SIGTERM')
      await owner.end()
      await database.drop()
      await twilio.stop()
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

    const people = await Promise.all(
      Array.from({ length: patients }, async (_, n) => {
        const phone = `+1416555010${n}`
        const { id } = await retry((client) => client.contacts.create({ firstName: 'Ana', lastName: `Roy ${n}`, phone }))
        return { contactId: id, phone }
      }),
    )
    const killing = (async () => {
      for (let killed = 1; killed <= kills; killed++) {
        await until(() => twilio.messages.length >= (killed * texts) / (kills + 2))
        server = server.then(async (running) => {
          await running.kill('SIGKILL')
          return startChildServer(database.url, settings)
        })
        await server
      }
    })()
    const queued = await Promise.all(
      Array.from({ length: texts }, async (_, n) => {
        const text = { ...people[n % patients]!, text: `Text ${n}.`, idempotencyKey: randomUUID() }
        return { ...(await retry((client) => client.inbox.text(text))), body: text.text }
      }),
    )
    await killing

    const rows = async <Row>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows as Row[]
    type Logged = { id: string; body: string; status: string; problem: string | null }
    const logged = await until(async () => {
      await makeDue({ rows }, 'true')
      const found = await rows<Logged>('select id, body, status, problem from messages')
      return found.every(({ status }) => !['queued', 'sending'].includes(status)) && found
    })
    expect(logged.map(({ id }) => id).toSorted()).toEqual(queued.map(({ messageId }) => messageId).toSorted())
    const countOf = (body: string) => twilio.messages.filter((message) => message.body === body).length
    for (const { body, status, problem } of logged) {
      if (status === 'uncertain') expect([body, problem]).toEqual([body, 'The server stopped while it was sent.'])
      else expect([body, status]).toEqual([body, 'sent'])
      expect([body, countOf(body) <= 1, status === 'uncertain' || countOf(body) === 1]).toEqual([body, true, true])
    }
    // Each kill interrupts some, and no more than were being sent.
    const uncertain = logged.filter(({ status }) => status === 'uncertain').length
    expect(uncertain).toBeGreaterThanOrEqual(1)
    expect(uncertain).toBeLessThanOrEqual(kills * concurrency)
  },
)
