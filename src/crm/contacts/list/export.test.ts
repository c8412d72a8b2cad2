import { randomUUID } from 'node:crypto'
import Papa from 'papaparse'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact, insertContacts } from '../../../../test/factories.ts'
import { type Client, useServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { exportColumns } from './export-columns.ts'

describe('CSV export of the list', () => {
  const server = useServer()
  let cookie: string
  let client: Client
  beforeAll(async () => {
    cookie = await server.signIn('sales_rep')
    client = await server.as('sales_rep')
  })

  const get = (query: Record<string, string>) =>
    server.request(`/api/contacts/export.csv?${new URLSearchParams(query)}`, { headers: { cookie } })
  const read = (text: string) => Papa.parse<string[]>(text, { skipEmptyLines: true }).data
  const rowsOf = async (query: Record<string, string>) => {
    const answer = await get(query)
    expect(answer.status).toBe(200)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    return read(bytes.toString().slice(1))
  }

  it('exports the patients of the list in its order, with headers, a byte order mark and CRLF', async () => {
    const name = `Export${randomUUID().slice(0, 8)}`
    await insertContacts(server, [
      { firstName: 'Zoë', lastName: name, email: 'zoe@export.example' },
      { firstName: 'Ana', lastName: name, phone: '+1 416 555 0101' },
      { firstName: 'Bo', lastName: name, stage: 'contacted' },
    ])
    const rows = await rowsOf({ search: name, sort: 'name', columns: 'firstName,lastName,stage,phone' })
    expect(rows).toEqual([
      ['First name', 'Last name', 'Stage', 'Phone'],
      ['Ana', name, 'Lead', '+1 416 555 0101'],
      ['Bo', name, 'Contacted', ''],
      ['Zoë', name, 'Lead', ''],
    ])
    const stageId = (await client.pipeline.stages()).find(({ value }) => value === 'contacted')!.id
    expect((await rowsOf({ search: name, stageId })).map(([first]) => first)).toEqual(['First name', 'Bo'])
    expect((await rowsOf({ search: name, filter: `stage:${stageId}` })).map(([first]) => first)).toEqual(['First name', 'Bo'])
    const answer = await get({ search: name })
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''patients-\d{4}-\d{2}-\d{2}\.csv$/)
    expect((await answer.text()).split('\r\n')).toHaveLength(5)
  })

  it('exports the patients whose phone has the digits with gaps (spec 5)', async () => {
    const name = `Gaps${randomUUID().slice(0, 8)}`
    await insertContact(server, { firstName: 'Gil', lastName: name, phone: '4 817 2639' })
    expect((await rowsOf({ search: '487269', columns: 'lastName' })).map(([last]) => last)).toEqual(['Last name', name])
  })

  it('exports the selected patients posted as a form', async () => {
    const ids = await insertContacts(server, [{ firstName: 'One' }, { firstName: 'Two' }, { firstName: 'Three' }])
    const answer = await server.request('/api/contacts/export.csv', {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ ids: ids.slice(0, 2).join(','), columns: 'firstName', sort: 'oldest' }),
    })
    expect(read(await answer.text())).toEqual([['First name'], ['One'], ['Two']])
  })

  it('escapes text that a spreadsheet would run as a formula', async () => {
    const id = await insertContact(server, { firstName: '=1+1', lastName: '@SUM(A1)', email: null, notes: '-2+3', phone: '+14165550101' })
    const [, row] = await rowsOf({ search: '=1+1', columns: 'firstName,lastName,notes,phone' })
    expect([id.length, row]).toEqual([36, ["'=1+1", "'@SUM(A1)", "'-2+3", '+14165550101']])
  })

  it('audits every exported patient with the user and the number of rows', async () => {
    const name = `Audit${randomUUID().slice(0, 8)}`
    const ids = await insertContacts(
      server,
      Array.from({ length: 1_200 }, (_, i) => ({ firstName: `N${i}`, lastName: name })),
    )
    const answer = await get({ search: name, columns: 'firstName' })
    const requestId = answer.headers.get('x-request-id')
    expect((await answer.text()).split('\r\n')).toHaveLength(1_202)
    const audit = await server.rows<{ actor_role: string; ids: string[]; rows: number }>(
      `select actor_role, contact_ids as ids, (after->>'rows')::int as rows from audit_log where request_id = $1 and action = 'exported' order by id`,
      [requestId],
    )
    expect(audit.map(({ actor_role, rows }) => [actor_role, rows])).toEqual([500, 500, 200].map((count) => ['sales_rep', count]))
    expect(audit.flatMap((row) => row.ids).toSorted()).toEqual(ids.toSorted())
  })

  it('has a unique label per column, and answers 422 to invalid parameters', async () => {
    const labels = Object.values(exportColumns).map(({ label }) => label)
    expect(new Set(labels).size).toBe(labels.length)
    const wrong: Record<string, string>[] = [{ columns: 'secret' }, { sort: 'sideways' }, { ids: 'x' }, { unknown: '1' }]
    for (const query of wrong) expect([query, (await get(query)).status]).toEqual([query, 422])
  })

  it('stops when the client disconnects, and frees the connection for the next export', async () => {
    const name = `Gone${randomUUID().slice(0, 8)}`
    await insertContacts(
      server,
      Array.from({ length: 3_000 }, (_, i) => ({ firstName: `N${i}`, lastName: name, notes: 'x'.repeat(2_000) })),
    )
    for (let i = 0; i < 4; i++) {
      const abort = new AbortController()
      const answer = await until(async () => {
        const sent = await fetch(`${server.url}/api/contacts/export.csv?search=${name}`, { headers: { cookie }, signal: abort.signal })
        return sent.status === 200 && sent
      })
      await answer.body!.getReader().read()
      abort.abort()
    }
    const busy = `select count(*)::int as n from pg_stat_activity where query like '%from lines%' and state like 'idle in transaction%' and datname = current_database()`
    await until(async () => (await server.rows<{ n: number }>(busy))[0]!.n === 0)
    // Read to the end: an export that still runs would take one of the next test's two slots.
    await until(async () => {
      const answer = await get({ search: name, columns: 'firstName' })
      await answer.text()
      return answer.status === 200
    })
  })

  it('exports a file that an import reads back unchanged, matching every patient', async () => {
    const name = `Round${randomUUID().slice(0, 8)}`
    const tag = (await client.tags.create({ name: `=tag ${name}` })).id
    const created = await client.contacts.create({
      firstName: 'Éloïse, "Lou"',
      lastName: name,
      email: `${name}@export.example`,
      phone: '+1 (416) 555-7733 x22',
      notes: '=1+1\nsecond line; and, more',
      leadSource: 'Billboard',
      procedureOfInterest: 'Something',
      revenueCents: 1_333_750,
      surgicalDate: '2026-11-20',
      nextFollowUpDate: '2026-12-01T14:30:00.000Z',
      consentToCommunicate: true,
    })
    await client.contacts.addTag({ id: created.id, tagId: tag })
    const answer = await get({ search: name })
    expect(answer.status).toBe(200)
    const file = await answer.text()

    const sent = await server.request('/api/imports?name=again.csv', { method: 'POST', headers: { cookie }, body: file })
    const { id } = (await sent.json()) as { id: string }
    const settled = () =>
      until(async () => (await client.imports.get({ id })).status.match(/^(checked|done)$/) && client.imports.get({ id }))
    const { columns } = await client.imports.get({ id })
    await client.imports.check({ id, columns: columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
    expect((await settled()).checked).toEqual({ fresh: 0, matches: 1, duplicates: 0, errors: 0 })

    await client.contacts.delete({ id: created.id })
    await client.imports.run({ id, onMatch: 'skip' })
    expect((await settled()).result?.added).toBe(1)
    const [again] = (await client.contacts.list({ search: name })).data
    const { id: _id, createdAt: _c, updatedAt: _u, stageEnteredAt: _s, version: _v, importSource: _i, ...before } = created
    expect(await client.contacts.get({ id: again!.id })).toMatchObject(before)
    expect((await client.contacts.tags({ id: again!.id })).map(({ name: tagName }) => tagName)).toEqual([`=tag ${name}`])
  })
})
