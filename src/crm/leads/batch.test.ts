import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeDue } from '../../../test/jobs.ts'
import { useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

type Entry = { id: string; status: string; error_message: string | null; contact_id: string | null; transaction: string }

describe('a burst of leads', () => {
  const server = useServer()
  const address = () => `${randomUUID()}@example.com`
  const person = (more: object = {}) => ({ first_name: 'Ana', last_name: 'Silva', email: address(), message: randomUUID(), ...more })
  /** Stores the leads of one moment, as a busy intake does. Returns their ids. */
  async function store(bodies: object[]): Promise<string[]> {
    const rows = await server.rows<{ id: string }>(
      `with entry as (
         insert into lead_entries (source_id, raw_data, raw_body, content_type)
         select lead_sources.id, body, body::text, 'application/json'
         from jsonb_array_elements($1::jsonb) with ordinality as sent(body, n), lead_sources where name = 'Website Form' order by n returning id
       )
       select id, graphile_worker.add_job('leads.process', json_build_object('entryId', id), max_attempts => 8) from entry`,
      [JSON.stringify(bodies)],
    )
    return rows.map(({ id }) => id)
  }
  const entriesOf = (ids: string[]) =>
    server.rows<Entry>('select *, xmin::text as transaction from lead_entries where id = any($1) order by array_position($1, id)', [ids])
  const processed = (ids: string[]) =>
    until(async () => {
      const entries = await entriesOf(ids)
      return entries.every(({ status }) => status !== 'processing') && entries
    })

  it('is processed in a few transactions, and each lead becomes what it would alone (spec 4)', async () => {
    const admin = await server.as('admin')
    const [shared, listed, known] = [address(), address(), address()]
    const patient = await admin.contacts.create({ firstName: 'Known', lastName: 'Patient', email: known })
    const procedure = await admin.procedures.create({ name: randomUUID() })
    const ids = await store([
      ...Array.from({ length: 20 }, () => person({ procedure: procedure.name })),
      ...Array.from({ length: 5 }, (_, i) => person({ email: i % 2 ? shared : shared.toUpperCase() })),
      person({ email: `${listed}, ${known}` }),
      person({ email: known, phone: '416 555 0100' }),
      person({ last_name: '' }),
    ])
    const entries = await processed(ids)
    const fresh = entries.slice(0, 20)
    expect(new Set(fresh.map(({ contact_id }) => contact_id)).size).toBe(20)
    // Four jobs run at the same time.
    expect(new Set(entries.map(({ transaction }) => transaction)).size).toBeLessThanOrEqual(4)
    expect(new Set(entries.slice(20, 25).map(({ contact_id }) => contact_id)).size).toBe(1)
    expect(await admin.contacts.get({ id: entries[25]!.contact_id! })).toMatchObject({ email: listed, otherEmails: [] })
    expect(entries[26]).toMatchObject({ contact_id: patient.id })
    expect(await admin.contacts.get({ id: patient.id })).toMatchObject({ firstName: 'Known', phone: '416 555 0100' })
    expect(entries[27]).toMatchObject({ status: 'error', error_message: 'Missing required fields' })

    const one = fresh[0]!.contact_id!
    expect(await admin.contacts.get({ id: one })).toMatchObject({ procedureId: procedure.id, status: 'new' })
    expect(await admin.contacts.stageHistory({ id: one })).toMatchObject([{ fromStageId: null, changedBy: null }])
    expect((await admin.interactions.list({ contactId: one })).data.at(-1)).toMatchObject({
      type: 'contact_created',
      description: `Lead from Website Form, asking about ${procedure.name}`,
    })
    expect(await admin.consent.get({ id: one })).toMatchObject({ live: { basis: 'inquiry', source: 'lead' } })
    expect(
      await server.rows(`select action from audit_log where kind = 'contact' and contact_ids = array[$1::uuid]`, [one]),
    ).toContainEqual({
      action: 'created',
    })
  })

  it('is not held up by a lead that can’t be stored', async () => {
    await server.rows(`
      create function refuse_poison() returns trigger language plpgsql as $$ begin raise exception 'poison'; end $$;
      create trigger poison before insert on contacts for each row when (new.first_name = 'Poison') execute function refuse_poison()`)
    const bodies = [
      ...Array.from({ length: 6 }, () => person()),
      person({ first_name: 'Poison' }),
      ...Array.from({ length: 6 }, () => person()),
    ]
    const ids = await store(bodies)
    const poison = ids.splice(6, 1)
    expect((await processed(ids)).map(({ status }) => status)).toEqual(ids.map(() => 'completed'))
    expect(await entriesOf(poison)).toMatchObject([{ status: 'processing' }])
    for (let attempt = 2; attempt <= 8; attempt++) {
      await until(async () => {
        await makeDue(server, `payload->>'entryId' = $1`, poison)
        const [job] = await server.rows<{ attempts: number }>(
          `select attempts from graphile_worker._private_jobs where payload->>'entryId' = $1`,
          poison,
        )
        return !job || job.attempts >= attempt
      })
    }
    expect(await processed(poison)).toMatchObject([{ status: 'error', error_message: 'Failed to process lead' }])
  })
})
