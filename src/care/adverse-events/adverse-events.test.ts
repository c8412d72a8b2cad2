import { describe, expect, it } from 'vitest'
import { databaseFingerprint } from '../../../test/database-fingerprint.ts'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { useSurgeryPractice } from '../../../test/care/surgeries.ts'
import type { Client } from '../../../test/server.ts'
import type { Scope } from '../../kernel/scope.ts'
import { warnOfReports } from './jobs.ts'

const theatre = useSurgeryPractice()
const { server, operate } = theatre
/** The tests' clock is on Saturday, November 21, 2026. */
const friday = '2026-11-20T15:00:00Z'

const warn = () => {
  const scope = { ...server.running.runtime, actor: null, origin: { requestId: 'job', address: null } }
  return warnOfReports.run(scope as unknown as Scope, {}, { last: true })
}

type NewEvent = Parameters<Client['adverseEvents']['create']>[0]
const transfer = async (given: Partial<NewEvent> = {}): Promise<NewEvent> => ({
  contactId: given.contactId ?? (await insertContact(server)),
  kind: 'transfer_to_hospital',
  severity: 'IIIb',
  occurredAt: friday,
  learnedAt: friday,
  ...given,
})
const tasksOf = (ids: readonly string[]) =>
  server.rows<{ title: string; status: string; contactId: string | null; assignee: string; due: string }>(
    `select title, status, contact_id as "contactId", due_date::text as due,
       (select profile_id from task_assignees where task_id = tasks.id limit 1) as assignee from tasks where id = any($1) order by id`,
    [ids],
  )
const taskIds = async (id: string): Promise<string[]> =>
  (await server.rows<{ taskIds: string[] }>('select task_ids as "taskIds" from adverse_events where id = $1', [id]))[0]!.taskIds

describe('adverse events', () => {
  it('store what happened to whom, and start the clock of a report from the day the practice learned of it (issue 27)', async () => {
    const surgery = await operate({ startsAt: '2026-11-20T13:00:00Z' })
    const surgeon = await server.account({ role: 'provider' })
    const api = await server.as('provider')
    const contactId = surgery.contact.id
    const event = await api.adverseEvents.create(
      await transfer({ contactId, surgeryId: surgery.id, peopleIds: [surgeon.id], others: 'Halton paramedics' }),
    )
    expect(event).toMatchObject({
      version: 1,
      contact: { id: contactId },
      surgery: { id: surgery.id, procedures: surgery.procedures },
      kind: 'transfer_to_hospital',
      severity: 'IIIb',
      peopleIds: [surgeon.id],
      others: 'Halton paramedics',
      dueOn: '2026-11-27',
      filedOn: null,
      narrative: null,
    })
    expect(await api.adverseEvents.get({ id: event.id })).toEqual(event)
    expect(await api.adverseEvents.ofContact({ contactId })).toEqual([event])
    const infection = await api.adverseEvents.create(await transfer({ contactId, kind: 'infection', severity: 'II' }))
    expect(infection.dueOn).toBeNull()
    expect(await taskIds(infection.id)).toEqual([])
    const log = await server.rows<{ action: string }>(
      "select action from audit_log where kind = 'adverse event' and contact_ids = array[$1]::uuid[] order by id",
      [contactId],
    )
    expect(log.map(({ action }) => action)).toEqual(['created', 'viewed', 'viewed', 'created'])
  })

  it('give the person who records one a task that names neither the event nor the patient (issue 27)', async () => {
    const api = await server.as('provider')
    const event = await api.adverseEvents.create(await transfer())
    const [task, ...others] = await tasksOf(await taskIds(event.id))
    expect(others).toEqual([])
    expect(task).toMatchObject({
      title: 'A report has to be filed by 2026-11-27',
      status: 'pending',
      contactId: null,
      assignee: event.createdBy,
      due: '2026-11-26',
    })
  })

  it('refuse wrong facts with the field, and write nothing (issue 27)', async () => {
    const api = await server.as('provider')
    const other = await operate()
    const before = await databaseFingerprint(server)
    const cases: [Partial<NewEvent>, Record<string, string>][] = [
      [{ contactId: '019ab2c8-0000-7000-8000-000000000000' }, { contactId: 'This patient does not exist' }],
      [{ contactId: other.contact.id, severity: 'V' }, { severity: 'A death is grade V, and nothing else is' }],
      [{ contactId: other.contact.id, kind: 'death_in_premises' }, { severity: 'A death is grade V, and nothing else is' }],
      [{ contactId: other.contact.id, learnedAt: '2026-12-01T15:00:00Z' }, { learnedAt: 'This can’t be in the future' }],
      [
        { contactId: other.contact.id, learnedAt: '2026-11-19T15:00:00Z' },
        { learnedAt: 'The practice can’t learn of an event before it happens' },
      ],
      [{ contactId: other.contact.id, peopleIds: ['019ab2c8-0000-7000-8000-000000000000'] }, { peopleIds: 'Staff member not found' }],
      [
        { contactId: other.contact.id, surgeryId: '019ab2c8-0000-7000-8000-000000000000' },
        { surgeryId: 'This is not a surgery of the patient' },
      ],
    ]
    for (const [given, fields] of cases) {
      const refused = await refusal(api.adverseEvents.create(await transfer(given)))
      expect([refused.code, refused.status, refused.data.fields]).toEqual(['INVALID_REFERENCE', 422, fields])
    }
    const unknown = await refusal(
      api.adverseEvents.create({ ...(await transfer({ contactId: other.contact.id })), kind: 'bad luck' as 'other' }),
    )
    expect([unknown.status, unknown.data.fields]).toEqual([422, { kind: 'Choose what happened' }])
    expect(await databaseFingerprint(server)).toEqual(before)
  })

  it('move the deadline and its task with the facts, until the report is filed (issue 27)', async () => {
    const api = await server.as('provider')
    const { id } = await api.adverseEvents.create(await transfer({ kind: 'infection', severity: 'II' }))
    const changed = await api.adverseEvents.change({ id, version: 1, kind: 'wrong_side', severity: 'I' })
    expect(changed).toMatchObject({ version: 2, dueOn: '2026-11-27' })
    const first = await taskIds(id)
    // Midnight in Toronto decides, not in Greenwich.
    const moved = await api.adverseEvents.change({ id, version: 2, occurredAt: '2026-11-20T04:30:00Z', learnedAt: '2026-11-20T04:59:00Z' })
    expect(moved.dueOn).toBe('2026-11-26')
    const second = await taskIds(id)
    expect((await tasksOf(first)).map(({ status }) => status)).toEqual(['cancelled'])
    expect((await tasksOf(second)).map(({ status }) => status)).toEqual(['pending'])
    const stale = await refusal(api.adverseEvents.change({ id, version: 2, severity: 'II' }))
    expect([stale.code, stale.status, (stale.data.current as { version: number }).version]).toEqual(['CONFLICT', 409, 3])

    const early = await refusal(api.adverseEvents.file({ id, version: 3, filedOn: '2026-11-18' }))
    expect(early.data.fields).toEqual({ filedOn: 'The report can’t be filed before the practice learned of the event' })
    const late = await refusal(api.adverseEvents.file({ id, version: 3, filedOn: '2026-11-22' }))
    expect(late.data.fields).toEqual({ filedOn: 'This can’t be in the future' })
    const filed = await api.adverseEvents.file({ id, version: 3, filedOn: '2026-11-21', reference: 'OHP-4471' })
    expect(filed).toMatchObject({ filedOn: '2026-11-21', reference: 'OHP-4471' })
    expect(filed.filedBy).not.toBeNull()
    expect((await tasksOf(second)).map(({ status }) => status)).toEqual(['cancelled'])
    expect((await refusal(api.adverseEvents.change({ id, version: 4, severity: 'II' }))).code).toBe('FILED')
    expect((await refusal(api.adverseEvents.void({ id, version: 4, reason: 'Oops' }))).code).toBe('FILED')
    const reopened = await api.adverseEvents.undoFiling({ id, version: 4 })
    expect(reopened).toMatchObject({ filedOn: null, filedBy: null, reference: null })
    expect((await tasksOf(await taskIds(id))).map(({ status }) => status)).toEqual(['pending'])
  })

  it('warn every administrator once, a business day before the deadline, however often the job runs (issue 27)', async () => {
    const api = await server.as('provider')
    const due = await api.adverseEvents.create(await transfer({ occurredAt: '2026-11-16T15:00:00Z', learnedAt: '2026-11-16T15:00:00Z' }))
    const ahead = await api.adverseEvents.create(await transfer())
    const filed = await api.adverseEvents.create(await transfer({ occurredAt: '2026-11-16T15:00:00Z', learnedAt: '2026-11-16T15:00:00Z' }))
    await api.adverseEvents.file({ id: filed.id, version: 1, filedOn: '2026-11-20' })
    // Due on Monday, so that it is near on the Saturday before.
    expect(due.dueOn).toBe('2026-11-23')
    const admins = await server.rows<{ id: string }>("select id from profiles where role = 'admin' and status = 'active'")
    await Promise.all([1, 2, 3].map(() => warn()))
    await warn()
    const tasks = await tasksOf((await taskIds(due.id)).slice(1))
    expect(tasks.map(({ assignee }) => assignee).toSorted()).toEqual(admins.map(({ id }) => id).toSorted())
    expect(tasks.every(({ due: day, contactId }) => day === '2026-11-21' && contactId === null)).toBe(true)
    expect(await taskIds(ahead.id)).toHaveLength(1)
    expect(await taskIds(filed.id)).toEqual([])
  })

  it('have a narrative that is a clinical note: sealed when signed, with addenda after (issue 27)', async () => {
    const api = await server.as('provider')
    const event = await api.adverseEvents.create(await transfer())
    const [started, again] = await Promise.all([1, 2].map(() => api.adverseEvents.startNarrative({ id: event.id })))
    expect(started!.narrative).toEqual(again!.narrative)
    const noteId = started!.narrative!.id
    const draft = await api.notes.get({ id: noteId })
    expect(draft).toMatchObject({ kind: 'adverse_event', status: 'draft', occurredOn: '2026-11-20' })
    const written = await api.notes.save({ id: noteId, version: draft.version, answers: { what_happened: 'Zq bleeding after closure' } })
    await api.notes.sign({ id: noteId, version: written.version })
    await api.notes.addAddendum({ id: noteId, text: 'Discharged on the next day' })
    expect((await api.adverseEvents.get({ id: event.id })).narrative).toEqual({ id: noteId, status: 'signed' })
    await expect(server.rows("update clinical_notes set title = 'x' where id = $1", [noteId])).rejects.toThrow('cannot be changed')
    const report = await server.request(`/api/adverse-events/${event.id}.pdf`, {
      headers: { cookie: (await server.account({ role: 'provider' })).cookie },
    })
    expect([report.status, report.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const [entry] = await server.rows(
      "select 1 from audit_log where kind = 'adverse event' and action = 'exported' and after->>'id' = $1",
      [event.id],
    )
    expect(entry).toBeDefined()
  })

  it('get another narrative when its draft was discarded (issue 27)', async () => {
    const api = await server.as('provider')
    const event = await api.adverseEvents.create(await transfer())
    const { narrative } = await api.adverseEvents.startNarrative({ id: event.id })
    await api.notes.discard({ id: narrative!.id })
    expect((await api.adverseEvents.get({ id: event.id })).narrative).toBeNull()
    expect((await api.adverseEvents.startNarrative({ id: event.id })).narrative!.id).not.toBe(narrative!.id)
  })

  it('stay in the register when they were recorded in error, with the reason and without a deadline (issue 27)', async () => {
    const api = await server.as('provider')
    const { id } = await api.adverseEvents.create(await transfer())
    const tasks = await taskIds(id)
    expect((await refusal(api.adverseEvents.void({ id, version: 1, reason: ' ' }))).data.fields).toEqual({
      reason: 'Enter why this is not an adverse event',
    })
    const voided = await api.adverseEvents.void({ id, version: 1, reason: 'Another patient' })
    expect(voided).toMatchObject({ voidReason: 'Another patient' })
    expect((await tasksOf(tasks)).map(({ status }) => status)).toEqual(['cancelled'])
    for (const call of [
      () => api.adverseEvents.change({ id, version: 2, severity: 'I' }),
      () => api.adverseEvents.file({ id, version: 2, filedOn: '2026-11-21' }),
      () => api.adverseEvents.startNarrative({ id }),
    ])
      expect((await refusal(call())).code).toBe('VOIDED')
    const { data } = await api.adverseEvents.list({ report: 'open', limit: 100 })
    expect(data.some((one) => one.id === id)).toBe(false)
    expect((await api.adverseEvents.list({ limit: 100 })).data.some((one) => one.id === id)).toBe(true)
  })

  it('are listed by kind, surgeon and report, in pages, latest first (issue 27)', async () => {
    const api = await server.as('provider')
    const surgery = await operate({ startsAt: '2026-11-19T13:00:00Z', surgeonId: theatre.provider.id, roomId: null })
    const about = { contactId: surgery.contact.id, surgeryId: surgery.id, kind: 'wound', severity: 'I' } as const
    const made = []
    for (const hour of [10, 11, 12])
      made.push(await api.adverseEvents.create(await transfer({ ...about, occurredAt: `2026-11-20T${hour}:00:00Z`, learnedAt: friday })))
    const ids = made.map(({ id }) => id).toReversed()
    const first = await api.adverseEvents.list({ kind: 'wound', surgeonId: theatre.provider.id, limit: 2 })
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const rest = await api.adverseEvents.list({ kind: 'wound', surgeonId: theatre.provider.id, limit: 2, cursor: first.nextCursor! })
    expect(rest).toMatchObject({ data: [{ id: ids[2] }], nextCursor: null })
    expect((await api.adverseEvents.list({ kind: 'wound', report: 'open' })).data).toEqual([])
    const { openCount, data } = await api.adverseEvents.list({ report: 'open', limit: 100 })
    expect(openCount).toBe(data.length)
  })
})
