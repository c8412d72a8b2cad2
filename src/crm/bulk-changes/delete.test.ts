import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { childRowsOf, insertChildRows } from '../../../test/crm/child-rows.ts'
import { insertContact, insertContacts } from '../../../test/factories.ts'
import { makeDue } from '../../../test/jobs.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { BulkProgress } from './contract.ts'
import { eraseDeleted } from './jobs.ts'

describe('bulk deletion', () => {
  const server = useServer()
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    await admin.leadSources.create({ name: 'Referral' })
  })

  const waitUntilSettled = ({ id }: BulkProgress): Promise<BulkProgress> =>
    until(async () => {
      const progress = await admin.bulkChanges.get({ id })
      return progress.status !== 'running' && progress.status !== 'undoing' && progress
    })
  const begin = (ids: string[], forGood = false) => admin.bulkChanges.start({ selection: { ids }, change: { kind: 'delete', forGood } })
  const remove = async (ids: string[], forGood = false) => waitUntilSettled(await begin(ids, forGood))
  const undo = async ({ id }: BulkProgress) => waitUntilSettled(await admin.bulkChanges.undo({ id }))
  const countKeptRows = async ({ id }: BulkProgress) =>
    (await server.rows<{ count: number }>('select count(*)::int from deleted_contact_rows where deletion_id = $1', [id]))[0]?.count

  /** Tables that the deletion itself writes, and derived counts and queues. */
  const excludedTables = [
    'audit_log',
    'audit_seals',
    'bulk_changes',
    'bulk_change_items',
    'contact_counts',
    'contact_day_counts',
    'contact_source_counts',
    'deleted_contact_rows',
    'duplicate_checks',
    'duplicate_pairs',
  ]
  /** All rows of all other tables, and the number of patients in each stage. */
  async function databaseSnapshot(): Promise<unknown[]> {
    const tables = await server.rows<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all($1) order by 1`,
      [excludedTables],
    )
    const rows = await Promise.all(
      tables.map(({ name }) => server.rows(`select '${name}' as name, to_jsonb(t) as row from "${name}" as t order by to_jsonb(t)::text`)),
    )
    const counts = await server.rows(
      'select funnel_stage, sum(change)::int from contact_counts group by 1 having sum(change) <> 0 order by 1',
    )
    return [...rows.flat(), ...counts]
  }

  it('restores every row on undo: timelines, tags, lead forms and merges', async () => {
    const ids = await insertContacts(
      server,
      Array.from({ length: 130 }, (_, i) => ({ email: `many${i}@example.com` })),
    )
    const [one = '', two = ''] = ids
    const merged = await insertContact(server)
    for (const id of [one, two, merged]) await insertChildRows(server, id)
    await admin.contacts.merge({ id: one, version: 1, sourceId: merged, sourceVersion: 1 })
    await server.rows(
      `insert into lead_entries (source_id, status, raw_data, raw_body, content_type)
       select id, 'failed', '{"email": "MANY1@example.com"}', '', '' from lead_sources limit 1`,
    )
    const before = await databaseSnapshot()

    const done = await remove(ids)
    expect(done).toMatchObject({ status: 'done', total: 130, changed: 130, canUndo: true })
    expect(await childRowsOf(server, ids)).toEqual([])
    expect(await server.rows('select 1 from contacts where id = any($1)', [ids])).toEqual([])
    expect(await server.rows('select 1 from contact_merges')).toEqual([])
    expect((await admin.contacts.count({ search: 'many' })).total).toBe(0)

    expect(await undo(done)).toMatchObject({ status: 'undone', undone: 130, kept: 0 })
    expect(await databaseSnapshot()).toEqual(before)
    expect(await countKeptRows(done)).toBe(0)
    const auditCounts = await server.rows(
      `select action, count(*)::int from audit_log where contact_ids[1] = any($1) and action in ('deleted', 'restored') group by 1 order by 1`,
      [ids],
    )
    expect(auditCounts).toEqual([
      { action: 'deleted', count: 130 },
      { action: 'restored', count: 130 },
    ])
  })

  it('answers 403 to roles that may not delete patients, audits the attempt and starts nothing', async () => {
    const id = await insertContact(server)
    for (const role of ['provider', 'front_desk', 'billing'] as const) {
      const other = await server.as(role)
      const refused = await refusal(other.bulkChanges.start({ selection: { ids: [id] }, change: { kind: 'delete' } }))
      expect([refused.status, refused.code]).toEqual([403, 'FORBIDDEN'])
    }
    expect(await server.rows('select id from contacts where id = $1', [id])).toEqual([{ id }])
    expect(await server.rows(`select distinct actor_role from audit_log where action = 'denied' and kind = 'bulk-change'`)).toHaveLength(3)
  })

  it('never leaves a patient half deleted when cancelled, and undo restores the deleted ones', async () => {
    const ids = await insertContacts(
      server,
      Array.from({ length: 450 }, () => ({})),
    )
    await Promise.all(ids.slice(0, 20).map((id) => insertChildRows(server, id)))
    const before = await databaseSnapshot()
    const started = await begin(ids)
    await admin.bulkChanges.cancel({ id: started.id })
    const cancelled = await waitUntilSettled(started)
    const left = await server.rows('select id from contacts where id = any($1)', [ids])
    expect(left).toHaveLength(450 - cancelled.changed)
    expect(
      await server.rows('select contact_id from interactions where contact_id is not null and contact_id not in (select id from contacts)'),
    ).toEqual([])
    expect(await undo(cancelled)).toMatchObject({ undone: cancelled.changed, kept: 0 })
    expect(await databaseSnapshot()).toEqual(before)
  })

  it('rolls the batch back and resumes when the process is killed in the middle of it', async () => {
    const ids = await insertContacts(
      server,
      Array.from({ length: 150 }, () => ({})),
    )
    const late = ids.toSorted()[120] ?? ''
    await insertChildRows(server, late)
    const before = await childRowsOf(server, [late])
    const held = await server.hold('select 1 from interactions where contact_id = $1 for update', [late])
    const started = await begin(ids)
    await until(async () => {
      const killed = await server.rows(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from "interactions"%'`)
      return killed.length > 0
    })
    expect(await server.rows('select 1 from contacts where id = any($1)', [ids])).toHaveLength(50)
    expect(await childRowsOf(server, [late])).toEqual(before)
    expect(await admin.bulkChanges.get({ id: started.id })).toMatchObject({ status: 'running', changed: 100 })
    await held.release()
    const resumed = await until(async () => {
      await makeDue(server, "payload->>'id' = $1 and attempts > 0", [started.id])
      const progress = await admin.bulkChanges.get({ id: started.id })
      return progress.status !== 'running' && progress
    })
    expect(resumed).toMatchObject({ status: 'done', changed: 150, unchanged: 0 })
    await undo(started)
    expect(await childRowsOf(server, [late])).toEqual(before)
  })

  it('restores a patient whose email a new patient has taken since, and both keep it', async () => {
    const email = `taken-${randomUUID()}@example.com`
    const old = await insertContact(server, { email })
    const done = await remove([old])
    const newer = await admin.contacts.create({ firstName: 'New', lastName: 'Comer', email })
    expect(await undo(done)).toMatchObject({ undone: 1, kept: 0 })
    expect((await admin.contacts.get({ id: old })).email).toBe(email)
    expect((await admin.contacts.get({ id: newer.id })).email).toBe(email)
  })

  it('restores a patient without a tag deleted since, and keeps the name of a deleted procedure as text', async () => {
    const admin = await server.as('admin')
    const procedure = await admin.procedures.create({ name: `Lift ${randomUUID()}` })
    const tag = await admin.tags.create({ name: `Tag ${randomUUID()}` })
    const { id } = await admin.contacts.create({ firstName: 'Ana', lastName: 'Gone', procedureOfInterest: procedure.name })
    await admin.contacts.addTag({ id, tagId: tag.id })
    const done = await remove([id])
    await admin.procedures.delete({ id: procedure.id })
    await admin.tags.delete({ id: tag.id })
    expect(await undo(done)).toMatchObject({ undone: 1 })
    expect(await admin.contacts.get({ id })).toMatchObject({ procedureId: null, procedureText: procedure.name })
    expect(await admin.contacts.tags({ id })).toEqual([])
  })

  it('lists your own deletions for as long as a patient can be restored from them', async () => {
    const done = await remove(await insertContacts(server, [{}, {}]))
    await remove([await insertContact(server)], true)
    const listed = async (by: Client) => (await by.bulkChanges.deletions()).map(({ id }) => id)
    expect((await listed(admin))[0]).toBe(done.id)
    expect(await listed(await server.as('sales_rep'))).toEqual([])
    await undo(done)
    expect(await listed(admin)).not.toContain(done.id)
  })

  it('keeps no undo data for a permanent deletion and refuses to undo it', async () => {
    const ids = await insertContacts(server, [{}, {}])
    const done = await remove(ids, true)
    expect(done).toMatchObject({ changed: 2, canUndo: false })
    expect(await countKeptRows(done)).toBe(0)
    const refused = await refusal(admin.bulkChanges.undo({ id: done.id }))
    expect([refused.status, refused.code]).toEqual([409, 'UNDO_EXPIRED'])
  })

  it('erases the undo data after 24 hours and then refuses to undo', async () => {
    const done = await remove([await insertContact(server)])
    const age = (hours: number) =>
      server.rows(
        `with older as (update bulk_changes set created_at = created_at - make_interval(hours => $2) where id = $1)
         update deleted_contact_rows set deleted_at = deleted_at - make_interval(hours => $2) where deletion_id = $1`,
        [done.id, hours],
      )
    const erase = () => eraseDeleted.run(server.running.runtime as unknown as Scope, {}, { last: false })
    await age(23)
    await erase()
    expect(await countKeptRows(done)).toBeGreaterThan(0)
    await age(1)
    await erase()
    expect(await countKeptRows(done)).toBe(0)
    expect((await refusal(admin.bulkChanges.undo({ id: done.id }))).code).toBe('UNDO_EXPIRED')
  })

  it('leaves a patient with a clinical record to administrators', async () => {
    const sales = await server.as('sales_rep')
    const [charted, other] = await insertContacts(server, [{}, {}])
    await (await server.as('provider')).health.addEntry({ contactId: charted!, kind: 'condition', name: 'Asthma' })
    const deletion = { kind: 'delete' as const, forGood: true }
    expect((await refusal(sales.contacts.delete({ id: charted! }))).code).toBe('CHARTED')
    expect((await refusal(sales.bulkChanges.start({ selection: { ids: [charted!] }, change: deletion }))).code).toBe('CHARTED')
    const { id } = await sales.bulkChanges.start({ selection: { ids: [charted!, other!] }, change: deletion })
    expect(await until(async () => (await sales.bulkChanges.get({ id })).status === 'done' && sales.bulkChanges.get({ id }))).toMatchObject(
      {
        changed: 1,
        unchanged: 1,
      },
    )
    expect((await admin.health.get({ contactId: charted! })).entries).toHaveLength(1)
    await admin.contacts.delete({ id: charted! })
    expect((await refusal(admin.contacts.get({ id: charted! }))).code).toBe('NOT_FOUND')
  })
})
