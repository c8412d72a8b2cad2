import type pg from 'pg'
import { startPostmarkSimulator } from '../../simulators/postmark/server.ts'
import { createActiveAccount } from '../../src/platform/auth/service.ts'
import { openDatabase } from '../../src/kernel/postgres/database.ts'
import { type ChildServer, startChildServer } from '../../test/processes/process.ts'
import { clientOf, password } from '../../test/server.ts'
import { until } from '../../test/until.ts'

interface Drill {
  implants: number
  lots: number
  patients: number
  kills: number
  databaseUrl: string
  /** Not connected yet. */
  owner: pg.Client
}

/** What the drill found. Times in milliseconds. */
export interface Figures {
  affected: number
  listMs: number
  startMs: number
  /** From the start of the recall until the last letter was made, with the kills and restarts in between. */
  lettersMs: number
  letters: number
  emails: number
  /** Patients with more than one letter or email. */
  twice: number
  sent: number
  uncertain: number
  /** Addresses that Postmark accepted more than one email for. */
  sentTwice: number
  kills: number
}

const maker = 'Drill'

/** Patients of whom some have implants of these lots, one each; the first has two. */
async function fill(owner: pg.Client, { implants, lots, patients }: Drill): Promise<void> {
  await owner.query(
    `insert into contacts (first_name, last_name, email, address, city, preferred_language, funnel_stage)
     select 'Ana', 'Drill ' || n, 'drill.' || n || '@fastmail.example', n || ' Lakeshore Road', 'Oakville', case n % 2 when 0 then 'fr' else 'en' end,
       (select id from funnel_stages where value = 'lead') from generate_series(1, $1::int) as n`,
    [patients],
  )
  await owner.query(
    `insert into devices (maker, model, kind, has_serials, is_sterile, created_at) values ('${maker}', 'Round', 'breast_implant', true, true, now())`,
  )
  await owner.query(
    `insert into device_lots (device_id, lot, expires_on) select id, (7000 + n)::text, '2040-01-01' from devices, generate_series(1, $1::int) as n where maker = '${maker}'`,
    [lots],
  )
  await owner.query(
    `with patient as (select id, row_number() over (order by id) as n from contacts where last_name like 'Drill %' limit $1),
       surgery as (insert into surgeries (contact_id, procedures, anaesthesia, starts_at, ends_at, status, created_at, updated_at)
         select id, '[]', 'general', timestamptz '2001-01-01' + n * interval '1 hour', timestamptz '2001-01-01' + n * interval '1 hour' + interval '30 minutes',
           'completed', now(), now() from patient returning id, starts_at)
     insert into surgery_devices (surgery_id, lot_id, serial, quantity, used, side, opened_at, used_at)
     select surgery.id, lot.id, 'S' || n, 1, 1, 'left', now(), now()
     from (select id, row_number() over (order by starts_at) as n from surgery) as surgery
     join device_lots as lot on lot.lot = (7000 + 1 + surgery.n % $2)::text`,
    [implants, lots],
  )
  await owner.query('analyze')
}

/** Recalls every implant, and kills the server at even distances while letters are made and emails sent. */
export async function drill(given: Drill): Promise<Figures> {
  const { kills, databaseUrl, owner } = given
  const outbox = await startPostmarkSimulator({ latencyMs: 5 })
  await owner.connect()
  const settings = { LOG_LEVEL: 'silent', POSTMARK_URL: outbox.url, POSTMARK_TOKEN: 'drill', COMPANY_DOMAINS: 'clinic.example' }
  const start = () => startChildServer(databaseUrl, settings)
  let server: ChildServer | null = null
  try {
    await fill(owner, given)
    const db = openDatabase(databaseUrl, 2, () => {})
    const email = 'provider@clinic.example'
    await createActiveAccount(db, { firstName: 'A', lastName: 'B', email, password, role: 'provider' })
    await db.$client.end()
    server = await start()
    const signedIn = await fetch(`${server.url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0])
    const client = clientOf(server.url, cookie.join('; '))
    const criteria = { maker, lotFrom: '7001', lotTo: String(7000 + given.lots) }
    await client.recalls.find({ ...criteria, limit: 1 })
    const asked = performance.now()
    const { total: affected } = await client.recalls.find({ ...criteria, limit: 100 })
    const listMs = performance.now() - asked

    const begun = performance.now()
    await client.recalls.start({ title: 'Drill', ...criteria, messageEn: 'Please call us.', messageFr: 'Veuillez nous appeler.' })
    const startMs = performance.now() - begun
    const count = async (condition: string) =>
      (await owner.query<{ count: number }>(`select count(*)::int as count from recall_attempts where ${condition}`)).rows[0]!.count
    let lettersMs: number | null = null
    const done = async () => {
      if (lettersMs === null && (await count("channel = 'letter'")) >= affected) lettersMs = performance.now() - begun
      return count("channel = 'email' and state in ('sent', 'failed', 'uncertain')")
    }
    for (let killed = 1; killed <= kills; killed++) {
      await until(async () => (await done()) >= (killed * affected) / (kills + 1), 120_000)
      await server.kill('SIGKILL')
      server = await start()
    }
    await until(async () => (await done()) >= affected && lettersMs !== null, 300_000)

    const [{ twice } = { twice: -1 }] = (
      await owner.query<{ twice: number }>(
        `select count(*)::int as twice from (select recall_patient_id from recall_attempts group by recall_patient_id, channel having count(*) > 1) as pairs`,
      )
    ).rows
    const byAddress = Map.groupBy(outbox.messages, ({ To }) => To)
    return {
      affected,
      listMs: Math.round(listMs),
      startMs: Math.round(startMs),
      lettersMs: Math.round(lettersMs!),
      letters: await count("channel = 'letter'"),
      emails: await count("channel = 'email'"),
      twice,
      sent: await count("channel = 'email' and state = 'sent'"),
      uncertain: await count("channel = 'email' and state = 'uncertain'"),
      sentTwice: [...byAddress].filter(([to, emails]) => to?.startsWith('drill.') && emails.length > 1).length,
      kills,
    }
  } finally {
    await server?.kill('SIGKILL')
    await owner.end()
    await outbox.stop()
  }
}
