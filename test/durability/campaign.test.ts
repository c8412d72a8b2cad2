import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startPostmarkSimulator } from '../../simulators/postmark/server.ts'
import { startTwilioSimulator } from '../../simulators/twilio/server.ts'
import { openDatabase } from '../../src/kernel/postgres/database.ts'
import { createActiveAccount } from '../../src/platform/auth/service.ts'
import { copyTemplate } from '../database.ts'
import { makeDue } from '../jobs.ts'
import { type ChildServer, startChildServer } from '../processes/process.ts'
import { clientOf, password } from '../server.ts'
import { until } from '../until.ts'

/** `PATIENTS=600 npm test -- --unit test/durability/campaign` runs the full test with ten kills. */
const patients = Number(process.env.PATIENTS ?? 40)
const kills = Math.max(2, Math.floor(patients / 60))
/** How many jobs a server runs at the same time: messages, and the one that writes them. */
const concurrency = 3

/** Responses are slow, so that every kill interrupts messages that the provider took and whose response was not read. */
const latencyMs = 100
const providers = {
  async email() {
    const outbox = await startPostmarkSimulator({ latencyMs })
    return {
      addresses: () => outbox.messages.map(({ To }) => To),
      settings: { POSTMARK_URL: outbox.url, POSTMARK_TOKEN: 'test' },
      stop: () => outbox.stop(),
    }
  },
  async text() {
    const twilio = await startTwilioSimulator({ latencyMs })
    twilio.setDeliveries({ outcome: 'none' })
    return {
      addresses: () => twilio.messages.map(({ to }) => to),
      settings: {
        TWILIO_ACCOUNT_SID: twilio.accountSid,
        TWILIO_AUTH_TOKEN: twilio.authToken,
        // Its numbers send faster than one would.
        TWILIO_MESSAGING_SERVICE: twilio.messagingService,
        TWILIO_URL: twilio.url,
        // At any time of the day on which the tests run.
        TEXT_QUIET_FROM: '00:00',
        TEXT_QUIET_TO: '00:00',
      },
      stop: () => twilio.stop(),
    }
  },
}

it.each(['email', 'text'] as const)(
  `sends each of ${patients} patients the %s of a campaign at most once through ${kills} kills of the server, and says which are uncertain (issue 28)`,
  { timeout: 120_000 + patients * 1_000 },
  async (channel) => {
    const provider = await providers[channel]()
    const database = await copyTemplate(inject('postgres'))
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-test-campaign-'))
    const owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
    const rows = async <Row>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows as Row[]
    const db = openDatabase(database.url, 2, () => {})
    const email = 'sales@clinic.example'
    await createActiveAccount(db, { firstName: 'A', lastName: 'B', email, password, role: 'sales_rep' })
    await db.$client.end()
    await rows(
      `with patient as (
         insert into contacts (first_name, last_name, email, phone, funnel_stage)
         select 'Ana', 'Roy', 'p' || n || '@patient.example', '+1416555' || 1000 + n, stage.id
         from generate_series(1, $1::int) as n, funnel_stages as stage where value = 'lead'
         returning id
       )
       insert into consents (contact_id, channel, basis, source, given_at) select id, $2, 'express', 'paper', now() from patient`,
      [patients, channel],
    )

    const settings = {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      WORKER_CONCURRENCY: String(concurrency),
      ...provider.settings,
      PRACTICE_ADDRESS: '1 Lakeshore Road, Oakville',
    }
    let server: Promise<ChildServer> = startChildServer(database.url, settings)
    onTestFinished(async () => {
      await (await server).kill('SIGTERM')
      await owner.end()
      await database.drop()
      await provider.stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    })
    const { url } = await server
    const signedIn = await fetch(`${url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    const [cookie = ''] = signedIn.headers.getSetCookie().map((one) => one.split(';')[0]!)
    const client = clientOf(url, cookie)
    const template = await client.emailTemplates.create({
      name: 'Spring',
      channel,
      subject: 'Spring',
      body: 'Hello',
      category: 'marketing',
      variables: { html_content: null },
    })
    const { id, version } = await client.campaigns.create({
      name: 'Spring',
      channel,
      audience: {},
      templateId: template.id,
      perHour: 100_000,
    })
    await client.campaigns.start({ id, version })

    for (let killed = 1; killed <= kills; killed++) {
      await until(() => provider.addresses().length >= (killed * patients) / (kills + 2))
      await (await server).kill('SIGKILL')
      server = startChildServer(database.url, settings)
      await server
    }

    type Sent = { address: string; status: string; problem: string | null }
    const sent = await until(async () => {
      await makeDue({ rows }, 'true')
      const found = await rows<Sent>(
        `select recipient.address, message.status, message.problem from campaign_recipients as recipient
         join messages as message on message.id = recipient.message_id`,
      )
      const isSettled = found.every(({ status }) => !['queued', 'sending'].includes(status))
      return found.length === patients && isSettled && found
    })
    const countOf = (address: string) => provider.addresses().filter((to) => to === address).length
    for (const { address, status, problem } of sent) {
      if (status === 'uncertain') expect([address, problem]).toEqual([address, 'The server stopped while it was sent.'])
      else expect([address, status]).toEqual([address, 'sent'])
      expect([address, countOf(address) <= 1, status === 'uncertain' || countOf(address) === 1]).toEqual([address, true, true])
    }
    const written = await rows<{ n: number }>('select count(*)::int as n from messages')
    expect(written).toEqual([{ n: patients }])
    // Each kill interrupts some, and no more than were being sent.
    const uncertain = sent.filter(({ status }) => status === 'uncertain').length
    expect(uncertain).toBeGreaterThanOrEqual(1)
    expect(uncertain).toBeLessThanOrEqual(kills * concurrency)
  },
)
