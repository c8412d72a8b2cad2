import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

const server = useServer()

/** Sends a lead to a new source. Returns the source and the entry once it is processed. */
async function sendLead(admin: Client, body: object) {
  const source = await admin.leadSources.create({ name: randomUUID() })
  const { intakeAddress } = await admin.leadSources.get({ id: source.id })
  const path = new URL(`${intakeAddress}${source.webhookKey}`).pathname
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(202)
  const entry = async () => (await admin.leads.entries({ sourceId: source.id })).data[0]!
  await until(async () => (await entry()).status !== 'processing')
  return { source, entry: await entry(), reloadEntry: entry }
}

describe('lead source', () => {
  it('returns the number of its leads and never its key', async () => {
    const admin = await server.as('admin')
    const { source } = await sendLead(admin, { first_name: 'Ana', last_name: 'Silva', email: `${randomUUID()}@elsewhere.example` })
    const shown = await admin.leadSources.get({ id: source.id })
    expect(shown).toMatchObject({ name: source.name, hasWebhookKey: true, leads: 1 })
    expect(JSON.stringify(shown)).not.toContain(source.webhookKey)
    const other = await admin.leadSources.create({ name: randomUUID() })
    expect((await admin.leadSources.get({ id: other.id })).leads).toBe(0)
    expect((await refusal(admin.leadSources.get({ id: randomUUID() }))).status).toBe(404)
  })

  it('audits changes and a new key, without the key itself', async () => {
    const admin = await server.as('admin')
    const source = await admin.leadSources.create({ name: randomUUID() })
    await admin.leadSources.update({ id: source.id, thankYouUrl: 'https://clinic.example/thanks' })
    const { webhookKey } = await admin.leadSources.rotateKey({ id: source.id })
    const audit = await server.rows<{ before: object; after: object }>(
      "select before, after from audit_log where kind = 'lead-source' and action = 'changed' and after->>'id' = $1 order by id",
      [source.id],
    )
    const plain = { id: source.id, name: source.name, thankYouUrl: null, sendsWelcome: true, isActive: true }
    const thanked = { ...plain, thankYouUrl: 'https://clinic.example/thanks' }
    expect(audit).toEqual([
      { before: plain, after: thanked },
      { before: null, after: { ...thanked, webhookKey: 'replaced' } },
    ])
    expect(JSON.stringify(audit)).not.toContain(webhookKey)
  })
})

describe('failed lead', () => {
  it('shows its sender as far as known, and is retried once by simultaneous requests', async () => {
    const admin = await server.as('admin')
    const { entry, reloadEntry } = await sendLead(admin, { first_name: 'Ana\u202e', email: 'ana@elsewhere.example' })
    expect(entry).toMatchObject({ status: 'error', errorMessage: 'Missing required fields', name: 'Ana', email: 'ana@elsewhere.example' })
    const sales = await server.as('sales_rep')
    expect((await refusal(sales.leads.retry({ id: entry.id }))).status).toBe(403)
    expect((await refusal(admin.leads.retry({ id: randomUUID() }))).status).toBe(404)
    await server.rows(`update lead_entries set raw_data = raw_data || '{"last_name": "Silva"}' where id = $1`, [entry.id])
    const results = await Promise.allSettled([1, 2, 3].map(() => admin.leads.retry({ id: entry.id })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await until(async () => (await reloadEntry()).status === 'completed')
    expect((await reloadEntry()).contactId).not.toBeNull()
    expect((await refusal(admin.leads.retry({ id: entry.id }))).code).toBe('NOT_FAILED')
    const [made] = await server.rows("select count(*)::int as n from contacts where email = 'ana@elsewhere.example'")
    expect(made).toEqual({ n: 1 })
    const [audit] = await server.rows("select before, after from audit_log where kind = 'lead-entry' and action = 'changed'")
    expect(audit).toMatchObject({ before: { status: 'error' }, after: { id: entry.id, status: 'processing' } })
  })
})
