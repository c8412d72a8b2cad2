import { afterEach, describe, expect, it } from 'vitest'
import { insertChildRow, insertChildRows } from '../../../test/crm/child-rows.ts'
import { insertContact } from '../../../test/factories.ts'
import { useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { purgeNightly } from './jobs.ts'
import type { RetentionKind } from './rules.ts'

const day = 24 * 3_600_000
let clockOffsetMs = 0

describe('retention', () => {
  const server = useServer({}, { now: () => new Date(Date.now() + clockOffsetMs) })
  afterEach(async () => {
    clockOffsetMs = 0
    await server.rows('delete from retention_rules')
  })
  const run = () =>
    purgeNightly.run(
      { ...(server.running.runtime as unknown as Scope), actor: null, origin: { requestId: 'night', address: null } },
      {},
      { last: true },
    )
  const admin = () => server.as('admin')
  const exists = async (id: string) => (await server.rows('select 1 from contacts where id = $1', [id])).length > 0

  it('deletes rejected files and ended sessions after the set number of days and keeps accepted files', async () => {
    const contactId = await insertContact(server)
    const [rejected, accepted] = await Promise.all(
      ['rejected', 'accepted'].map(async (state) => {
        const [row] = await server.rows<{ id: string }>(
          `insert into documents (contact_id, name, mime_type, size, sha256, storage_key, upload_source, document_type, is_shared, review_state, scan_state, created_at)
           values ($1, 'Scan.pdf', 'application/pdf', 3, 'a', gen_random_uuid()::text, 'patient', 'patient_upload', true, $2, 'off', now() - interval '40 days') returning id`,
          [contactId, state],
        )
        return row!.id
      }),
    )
    const account = await server.account()
    await server.rows("update sessions set expires_at = now() - interval '10 days' where user_id = $1", [account.id])
    const client = await admin()
    await client.retention.set({ kind: 'refusedUploads', isOn: true, days: 30 })
    await client.retention.set({ kind: 'endedSessions', isOn: true, days: 7 })
    await run()
    const rows = await server.rows<{ id: string; isDeleted: boolean }>(
      'select id, deleted_at is not null as "isDeleted" from documents where contact_id = $1',
      [contactId],
    )
    expect(new Map(rows.map((row) => [row.id, row.isDeleted]))).toEqual(
      new Map([
        [rejected, true],
        [accepted, false],
      ]),
    )
    expect(await server.rows('select 1 from sessions where user_id = $1', [account.id])).toEqual([])
  })

  const purgeAfter = async (kind: RetentionKind, days: number) => {
    const client = await admin()
    const { count } = await client.retention.count({ kind, days })
    await client.retention.set({ kind, isOn: true, days })
    await run()
    expect((await client.retention.list()).find((rule) => rule.kind === kind)).toMatchObject({ lastCount: count })
    await Promise.all([run(), run()]) // may run twice
    return count
  }

  it('deletes the raw content of lead forms, keeps the lead, and keeps the content of failed forms', async () => {
    const contactId = await insertContact(server)
    const entry = async (status: string, days: number) => {
      const [row] = await server.rows<{ id: string }>(
        `insert into lead_entries (source_id, status, raw_data, raw_body, content_type, contact_id, received_at)
         select id, $1, '{"notes": "Nose"}', 'notes=Nose', 'text/plain', $2, now() - make_interval(days => $3) from lead_sources limit 1 returning id`,
        [status, status === 'error' ? null : contactId, days],
      )
      return row!.id
    }
    const [old, recent, failed] = [await entry('completed', 400), await entry('completed', 100), await entry('error', 400)]
    expect(await purgeAfter('leadBodies', 365)).toBe(1)
    const entryById = async (id: string) =>
      (await server.rows('select raw_data, raw_body, contact_id from lead_entries where id = $1', [id]))[0]
    expect(await entryById(old)).toEqual({ raw_data: {}, raw_body: '', contact_id: contactId })
    expect(await entryById(recent)).toMatchObject({ raw_body: 'notes=Nose' })
    expect(await entryById(failed)).toMatchObject({ raw_data: { notes: 'Nose' }, raw_body: 'notes=Nose' })
    expect(await exists(contactId)).toBe(true)
  })

  it('deletes unlinked conversations completely and keeps a patient’s conversation of the same age', async () => {
    const [patient, unlinked] = await Promise.all([insertContact(server), insertContact(server)])
    for (const id of [patient, unlinked]) await insertChildRow(server, 'conversations', id)
    await server.rows("update conversations set last_message_at = now() - interval '400 days' where contact_id = any($1)", [
      [patient, unlinked],
    ])
    const [row] = await server.rows<{ id: string }>('update conversations set contact_id = null where contact_id = $1 returning id', [
      unlinked,
    ])
    expect(await purgeAfter('unlinkedMails', 365)).toBe(1)
    expect(await server.rows('select 1 from conversations where id = $1', [row!.id])).toEqual([])
    for (const table of ['messages', 'conversation_notes'])
      expect([table, await server.rows(`select 1 from ${table} where conversation_id = $1`, [row!.id])]).toEqual([table, []])
    expect(await server.rows('select 1 from conversations where contact_id = $1', [patient])).toHaveLength(1)
    expect(await server.rows('select 1 from message_attachments')).toHaveLength(1)
  })

  it('deletes emails that failed permanently, but no emails still being retried and no other failed jobs', async () => {
    const job = async (name: string, attempts: number) => {
      const [row] = await server.rows<{ id: string }>(
        `select id from graphile_worker.add_job($1, '{"to": "ana@elsewhere.example"}'::json, run_at => now() + interval '1 day', max_attempts => 8)`,
        [name],
      )
      await server.rows("update graphile_worker._private_jobs set attempts = $2, updated_at = now() - interval '40 days' where id = $1", [
        row!.id,
        attempts,
      ])
      return row!.id
    }
    const [failed, retrying, other] = [await job('mail.send', 8), await job('mail.send', 3), await job('leads.process', 8)]
    expect(await purgeAfter('unsentMails', 30)).toBe(1)
    const remaining = await server.rows<{ id: string }>('select id from graphile_worker._private_jobs where id = any($1::bigint[])', [
      [failed, retrying, other],
    ])
    expect(remaining.map(({ id }) => id).toSorted()).toEqual([retrying, other].toSorted())
  })

  it('erases deleted documents before the 32 days are over and keeps the others', async () => {
    const contactId = await insertContact(server)
    await Promise.all([1, 2, 3].map(() => insertChildRow(server, 'documents', contactId)))
    const [old, recent] = await server.rows<{ id: string }>('select id from documents where contact_id = $1', [contactId])
    await server.rows("update documents set deleted_at = now() - interval '10 days' where id = $1", [old!.id])
    await server.rows("update documents set deleted_at = now() - interval '3 days' where id = $1", [recent!.id])
    expect(await purgeAfter('deletedDocuments', 7)).toBe(1)
    const remaining = await server.rows<{ id: string }>('select id from documents where contact_id = $1', [contactId])
    expect(remaining.map(({ id }) => id)).not.toContain(old!.id)
    expect(remaining).toHaveLength(2)
  })

  it('erases deleted patients overnight unless they are being restored, and no longer offers an undo', async () => {
    const client = await admin()
    const deleted = async () => {
      const id = await insertContact(server)
      await insertChildRows(server, id)
      const { id: deletion } = await client.bulkChanges.start({ selection: { ids: [id] }, change: { kind: 'delete', forGood: false } })
      await until(async () => (await client.bulkChanges.get({ id: deletion })).status === 'done')
      return { id, deletion }
    }
    const [erased, restoring] = [await deleted(), await deleted()]
    await server.rows("update bulk_changes set status = 'undoing' where id = $1", [restoring.deletion])
    const { count } = await client.retention.count({ kind: 'deletedPatients', days: 0 })
    expect(count).toBe(1)
    expect((await client.bulkChanges.deletions()).map(({ id }) => id)).toContain(erased.deletion)
    await purgeAfter('deletedPatients', 0)
    expect(await server.rows('select distinct contact_id from deleted_contact_rows')).toEqual([{ contact_id: restoring.id }])
    expect((await client.bulkChanges.deletions()).map(({ id }) => id)).not.toContain(erased.deletion)
    await expect(client.bulkChanges.undo({ id: erased.deletion })).rejects.toMatchObject({ code: 'UNDO_EXPIRED' })
  })

  it('deletes imported files with their rows, but no import that is running', async () => {
    const account = await server.account({ role: 'admin' })
    const file = async (status: string, days: number) => {
      const [row] = await server.rows<{ id: string }>(
        `with made as (insert into imports (file_name, encoding, header_key, columns, status, created_by, asked_by, created_at)
           values ('a.csv', 'utf-8', 'a', '[]', $1, $2, $2, now() - make_interval(days => $3)) returning id),
         batch as (insert into import_batches (import_id, first_row, rows) select id, 0, '[[2, ["Ana"]]]' from made)
         select id from made`,
        [status, account.id, days],
      )
      return row!.id
    }
    const old = await Promise.all(Array.from({ length: 12 }, (_, i) => file(['done', 'mapping', 'undone', 'cancelled'][i % 4]!, 10)))
    const [recent, working] = [await file('done', 3), await file('running', 10)]
    await (await admin()).retention.count({ kind: 'importFiles', days: 7 })
    await (await admin()).retention.set({ kind: 'importFiles', isOn: true, days: 7 })
    await run()
    const remaining = await server.rows<{ import_id: string }>('select import_id from import_batches where import_id = any($1)', [
      [...old, recent, working],
    ])
    expect(remaining.map((row) => row.import_id).toSorted()).toEqual([recent, working].toSorted())
    expect((await (await admin()).retention.list()).find(({ kind }) => kind === 'importFiles')).toMatchObject({ lastCount: old.length })
  })

  it('refuses more days than a kind is kept in any case', async () => {
    const cookie = await server.signIn('admin')
    for (const [kind, days, message] of [
      ['deletedPatients', 1, 'At most 0 days'],
      ['importFiles', 30, 'At most 29 days'],
      ['deletedDocuments', 32, 'At most 31 days'],
    ] as const) {
      const response = await server.send('PUT', `/api/retention/${kind}`, { isOn: true, days }, cookie)
      expect([kind, response.status, await response.json()]).toMatchObject([
        kind,
        422,
        { code: 'TOO_LONG', data: { fields: { days: message } } },
      ])
    }
  })

  it('refuses too few days, naming the field, and records changes in the audit log', async () => {
    const cookie = await server.signIn('admin')
    const response = await server.send('PUT', '/api/retention/untouchedLeads', { isOn: true, days: 30 }, cookie)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ code: 'TOO_SHORT', data: { fields: { days: 'At least 180 days' } } })
    await (await admin()).retention.set({ kind: 'readNotifications', isOn: true, days: 5 })
    const rows = await server.rows(
      "select before, after from audit_log where kind = 'retention' and action = 'changed' order by id desc limit 1",
    )
    expect(rows).toEqual([
      { before: { kind: 'readNotifications', isOn: false, days: null }, after: { kind: 'readNotifications', isOn: true, days: 5 } },
    ])
    clockOffsetMs = day
  })
})
