import pg from 'pg'
import { hashToken } from '../../src/kernel/tokens.ts'
import { expect, inject, it, onTestFinished } from 'vitest'
import { type ChildServer, startChildServer } from '../processes/process.ts'
import { copyTemplate } from '../database.ts'

/** `LEADS=10000 npm test -- --unit test/durability/lead` runs the full test with ten kills. */
const leads = Number(process.env.LEADS ?? 100)
const connections = 16
const kills = leads < 10_000 ? 2 : 10

type Lead = { key: string; email: string; body: string; valid: boolean }

/** 20% repeat an email (in different case, with a different body), 5% lack the last name. */
function makeLead(n: number): Lead {
  const repeats = n % 5 === 4
  const email = repeats ? `Person.${n - 4}@Example.CA` : `person.${n}@example.ca`
  const valid = n % 20 !== 7
  const fields = { first_name: `Zoë ${n}`, last_name: valid ? 'Nguyễn' : ' ', email, phone: `(905) 555-${String(n).padStart(4, '0')}` }
  return { key: `lead-${n}`, email: email.toLowerCase(), body: JSON.stringify(fields), valid }
}

it(
  'keeps every lead from 16 connections through repeated kill -9: one response each, one contact per email, none lost (spec 5)',
  {
    timeout: 600_000,
  },
  async () => {
    const database = await copyTemplate(inject('postgres'))
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`insert into lead_sources (name, webhook_key_hash) values ('Website Form', $1)`, [hashToken('durable')])

    const settings = {
      LEADS_PER_MINUTE_PER_KEY: '1000000',
      LEADS_PER_MINUTE_PER_ADDRESS: '1000000',
      LOG_LEVEL: 'silent',
      DATABASE_POOL: '8',
    }
    let server: Promise<ChildServer> = startChildServer(database.url, settings)
    onTestFinished(async () => {
      await (await server).kill('SIGTERM')
      await client.end()
      await database.drop()
    })
    await server

    const all = Array.from({ length: leads }, (_, n) => makeLead(n))
    const leadIds = new Map<string, string>()
    let next = 0
    let killed = 0

    /** Kills the server and starts another; clients without a response resend their lead. */
    const killWhenDue = () => {
      if (killed >= kills || leadIds.size < ((killed + 1) * leads) / (kills + 2)) return
      killed++
      server = server.then(async (running) => {
        await running.kill('SIGKILL')
        return startChildServer(database.url, settings)
      })
    }

    const send = async (lead: Lead): Promise<string> => {
      for (;;) {
        const { url } = await server
        const headers = { 'content-type': 'application/json', 'idempotency-key': lead.key }
        const response = await fetch(`${url}/api/leads/durable`, { method: 'POST', headers, body: lead.body }).catch(() => null)
        if (response?.status === 202) return ((await response.json()) as { id: string }).id
        if (response && response.status !== 503) throw new Error(`${response.status}: ${await response.text()}`)
      }
    }

    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (next < all.length) {
          const lead = all[next++]!
          leadIds.set(lead.key, await send(lead))
          killWhenDue()
        }
      }),
    )
    expect(killed).toBe(kills)

    const countProcessing = async () =>
      Number((await client.query(`select count(*) from lead_entries where status = 'processing'`)).rows[0].count)
    await expect.poll(countProcessing, { timeout: 120_000, interval: 250 }).toBe(0)

    const entries = (
      await client.query<{ id: string; status: string; email: string }>(
        `select id, status, lower(raw_data->>'email') as email from lead_entries`,
      )
    ).rows
    expect(new Set(leadIds.values()).size).toBe(leads)
    expect(entries.map((entry) => entry.id).toSorted()).toEqual([...leadIds.values()].toSorted())
    const expected = all.map((lead) => `${leadIds.get(lead.key)} ${lead.valid ? 'completed' : 'error'}`)
    expect(entries.map((entry) => `${entry.id} ${entry.status}`).toSorted()).toEqual(expected.toSorted())

    const contacts = (
      await client.query<{ email: string; histories: string; arrivals: string }>(`
    select lower(email) as email,
      (select count(*) from contact_stage_history h where h.contact_id = c.id) as histories,
      (select count(*) from interactions i where i.contact_id = c.id and i.type <> 'email') as arrivals
    from contacts c order by 1`)
    ).rows
    const emails = [...new Set(all.filter((lead) => lead.valid).map((lead) => lead.email))].toSorted()
    expect(contacts.map((contact) => contact.email)).toEqual(emails)
    expect(contacts.every((contact) => contact.histories === '1')).toBe(true)
    const arrivals = contacts.reduce((sum, contact) => sum + Number(contact.arrivals), 0)
    expect(arrivals).toBe(all.filter((lead) => lead.valid).length)
  },
)
