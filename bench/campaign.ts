import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { clientOf } from '../test/server.ts'
import type { Clinic } from './clinic/clinic.ts'
import { signIn } from './clinic/session.ts'
import { startProgram, startServer } from './load/processes.ts'
import { type Call, type Kind, type Outcome, pace } from './mixed/open-loop.ts'
import { progress, quantile, type Row, toRow } from './report.ts'

/** Patients with consent to whom the campaign goes. */
const audience = 100_000
const perSecond = 50
/** Seconds that the server sends, once the campaign is prepared, while requests are measured. */
const sending = 30

/** Measures the preparation of a campaign, and the requests of staff while it is prepared and sent and due steps of sequences are carried out. */
export async function measureCampaign(clinic: Clinic, patients: number, makeDue: () => Promise<void>): Promise<Row[]> {
  // What the measured steps have queued.
  await clinic.query('delete from graphile_worker._private_jobs')
  const outbox = await startSimulator('postmark', [])
  const account = { sid: `AC${'0'.repeat(32)}`, token: '0'.repeat(32), number: '+14165550100' }
  const phones = await startSimulator('twilio', ['--account-sid', account.sid, '--auth-token', account.token, '--number', account.number])
  const server = await startServer(clinic.ownerUrl, {
    PRACTICE_ADDRESS: '1 Lakeshore Road, Oakville, ON L6J 1H5',
    POSTMARK_TOKEN: 'bench',
    POSTMARK_URL: outbox.url,
    TWILIO_ACCOUNT_SID: account.sid,
    TWILIO_AUTH_TOKEN: account.token,
    TWILIO_NUMBER: account.number,
    TWILIO_URL: phones.url,
    TEXTS_PER_DAY: '1000000',
    TEXT_QUIET_FROM: '00:00',
    TEXT_QUIET_TO: '00:00',
    DNS_SERVERS: '127.0.0.1:9',
  })
  try {
    const cookie = await signIn(clinic.ownerUrl, server.url)
    const { campaigns } = clientOf(server.url, cookie)
    const count = Math.min(audience, Math.floor(patients / 2))
    const { tagId, templateId } = await prepare(clinic, count)
    const { id, version } = await campaigns.create({ name: 'Bench', audience: { filter: `tag:${tagId}` }, templateId, perHour: 100_000 })
    const kinds = await readsOf(clinic, cookie)
    const outcomes = new Map(kinds.map((kind): [Kind, Outcome] => [kind, { latencies: [], errors: [] }]))
    const over = new AbortController()
    const requests = pace(
      kinds,
      perSecond,
      600,
      (kind, n, due) => send(server.url, kind.calls(n)[0]!, due, outcomes.get(kind)!),
      over.signal,
    )
    const countLeft = async () =>
      (
        await clinic.query<{ left: number }>(
          `select count(*)::int as left from automation_state where status = 'active' and due_at <= now()`,
        )
      )[0]!.left
    await makeDue()
    const due = await countLeft()
    // Carried out by a job that runs each minute.
    while ((await countLeft()) === due) await wait(100)
    const begin = performance.now()
    await campaigns.start({ id, version })
    while ((await campaigns.get({ id })).status === 'scheduled') await wait(100)
    const prepared = (performance.now() - begin) / 1000
    progress(`  ${count.toLocaleString('en-CA')} recipients prepared in ${prepared.toFixed(1)} s`)
    await wait(sending * 1000)
    over.abort()
    await requests
    const [{ sent }] = (await clinic.query<{ sent: number }>(
      'select count(*)::int as sent from campaign_recipients where sent_at is not null',
    )) as [{ sent: number }]
    progress(`  ${sent} messages of the campaign written, ${await countLeft()} of ${due} steps of sequences left`)
    const all = [...outcomes.values()]
    const errors = all.flatMap((outcome) => outcome.errors)
    for (const error of new Set(errors)) progress(`  ${error}`)
    const latencies = all.flatMap((outcome) => outcome.latencies)
    return [
      toRow({
        case: `campaign of ${count.toLocaleString('en-CA')} prepared`,
        unit: 's',
        ours: prepared,
        aims: [{ of: 'ours', atMost: 60 }],
      }),
      toRow({
        case: `${perSecond} requests a second at the same time, p95`,
        unit: 'ms',
        ours: quantile(latencies, 0.95),
        oursP50: quantile(latencies, 0.5),
        oursP99: quantile(latencies, 0.99),
        aims: [{ of: 'ours', atMost: 300 }],
      }),
      toRow({
        case: `${perSecond} requests a second at the same time: errors`,
        unit: 'errors',
        ours: errors.length,
        aims: [{ of: 'ours', atMost: 0 }],
      }),
    ]
  } catch (error) {
    process.stderr.write(server.output())
    throw error
  } finally {
    await server.stop()
    await Promise.all([outbox.stop(), phones.stop()])
  }
}

const startSimulator = (name: 'postmark' | 'twilio', args: string[]) =>
  startProgram(
    process.execPath,
    [path.join(import.meta.dirname, `../simulators/${name}/server.ts`), '--port', '0', ...args],
    {},
    (output) => /(http:\S+)/.exec(output)?.[1] ?? null,
  )

/** A tag on so many patients who consented to marketing, and a newsletter. */
async function prepare({ query }: Clinic, count: number): Promise<{ tagId: string; templateId: string }> {
  const id = async (text: string): Promise<string> => (await query<{ id: string }>(text))[0]!.id
  const tagId = await id(`insert into tags (name) values ('Newsletter') returning id`)
  await query(
    `with chosen as (select id from contacts where email is not null order by seq desc limit $2),
       tagged as (insert into contact_tags (contact_id, tag_id) select id, $1 from chosen)
     insert into consents (contact_id, channel, basis, source, given_at) select id, 'email', 'express', 'record', now() - interval '1 day' from chosen`,
    [tagId, count],
  )
  await query('analyze consents, contact_tags')
  const templateId = await id(
    `insert into email_templates (name, subject, body, category, channel)
     values ('bench_newsletter', 'News', 'Hello {{first_name}}, here is our news.', 'marketing', 'email') returning id`,
  )
  return { tagId, templateId }
}

async function readsOf({ query }: Clinic, cookie: string): Promise<Kind[]> {
  const ids = (await query<{ id: string }>('select id from contacts order by md5(id::text) limit 500')).map(({ id }) => id)
  const get = (address: string): Call[] => [{ method: 'GET', path: address, headers: { cookie } }]
  const record = (n: number) => `/api/contacts/${ids[n % ids.length]}`
  return [
    { name: 'session', share: 15, calls: () => get('/api/auth/session') },
    { name: 'newest 50', share: 20, calls: () => get('/api/contacts') },
    { name: 'record', share: 30, calls: (n) => get(record(n)) },
    { name: 'timeline', share: 25, calls: (n) => get(`${record(n)}/interactions`) },
    { name: 'conversations', share: 10, calls: () => get('/api/inbox/conversations') },
  ]
}

async function send(url: string, call: Call, due: number, { latencies, errors }: Outcome): Promise<void> {
  const response = await fetch(url + call.path, { headers: call.headers! }).catch(String)
  if (typeof response === 'string') errors.push(response)
  else if (!response.ok) errors.push(`${call.path}: ${response.status}`)
  if (typeof response !== 'string') await response.arrayBuffer()
  latencies.push(performance.now() - due)
}
