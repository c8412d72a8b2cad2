import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { usePractice } from '../../../../test/care/appointments.ts'
import { insertContact } from '../../../../test/factories.ts'
import { emailsTo } from '../../../../test/messages/emails.ts'
import { refusal } from '../../../../test/refusal.ts'
import { appointmentStatuses, mayFollow } from '../rules.ts'

const practice = usePractice()
const { server, book, nextOf, timelineOf } = practice

const cancelled = { status: 'cancelled', reason: 'Is ill' } as const
/** Tuesday, November 17, 2026 at 10:00: in the past, so it can be missed. */
const inThePast = { startsAt: '2026-11-17T15:00:00Z' }
const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code
const set = (id: string, version: number, given: Omit<Parameters<typeof practice.desk.appointments.setStatus>[0], 'id' | 'version'>) =>
  practice.desk.appointments.setStatus({ id, version, ...given })
const tasksOf = async (contactId: string) => (await server.as('admin')).tasks.ofContact({ contactId })

describe('the status of an appointment', () => {
  it('changes only as the rules allow', async () => {
    let minute = 0
    for (const from of appointmentStatuses) {
      for (const status of appointmentStatuses) {
        const made = await book({ type: 'other', startsAt: new Date(Date.parse('2026-11-16T13:30:00Z') + 60_000 * minute++).toISOString() })
        const row = from === 'booked' ? made : await set(made.id, 1, from === 'cancelled' ? cancelled : { status: from })
        const call = set(row.id, row.version, status === 'cancelled' ? cancelled : { status })
        if (mayFollow(from, status)) expect(await call).toMatchObject({ status, version: row.version + 1 })
        else expect([from, status, await codeOf(call)]).toEqual([from, status, 'NOT_POSSIBLE'])
      }
    }
  })

  it('requires a reason for a cancellation and for nothing else', async () => {
    const { id } = await book()
    const fields = async (given: Parameters<typeof set>[2]) => {
      const { status, data } = await refusal(set(id, 1, given))
      return [status, data.fields]
    }
    expect(await fields({ status: 'cancelled' })).toEqual([422, { reason: 'Enter a reason for the cancellation' }])
    expect(await fields({ status: 'cancelled', reason: '  ' })).toEqual([422, { reason: 'Enter a reason for the cancellation' }])
    expect(await fields({ status: 'no_show', reason: 'x' })).toEqual([422, { reason: 'Only a cancelled appointment has a reason' }])
    const off = await set(id, 1, cancelled)
    expect(off.cancelReason).toBe('Is ill')
    expect((await set(id, off.version, { status: 'booked' })).cancelReason).toBeNull()
  })

  it('adds a timeline entry and an audit entry', async () => {
    const { id, contact } = await book({ type: 'pre_op' })
    await set(id, 1, { status: 'confirmed' })
    await set(id, 2, { status: 'arrived' })
    await set(id, 3, { status: 'completed' })
    expect((await timelineOf(contact.id)).toReversed().slice(1)).toEqual([
      'Pre-op visit on Tue, Dec 1, 2026 at 10:00 a.m. confirmed',
      'Pre-op visit on Tue, Dec 1, 2026 at 10:00 a.m.: the patient has arrived',
      'Pre-op visit on Tue, Dec 1, 2026 at 10:00 a.m. completed',
    ])
    const audit = await server.rows(
      "select before->>'status' as before, after->>'status' as after from audit_log where kind = 'appointment' and before->>'id' = $1 order by id",
      [id],
    )
    expect(audit).toEqual([
      { before: 'booked', after: 'confirmed' },
      { before: 'confirmed', after: 'arrived' },
      { before: 'arrived', after: 'completed' },
    ])
  })

  it('sets the last contact date when completed, never in the future, and shows the next appointment', async () => {
    const contactId = await insertContact(server)
    const past = await book({ contactId, type: 'post_op', startsAt: '2026-11-19T15:00:00Z' })
    await book({ contactId, type: 'post_op', startsAt: '2026-12-10T15:00:00Z' })
    await set(past.id, 1, { status: 'completed' })
    const contact = await practice.desk.contacts.get({ id: contactId })
    expect(contact.lastContactDate).toBe('2026-11-19T15:00:00.000Z')
    expect(await nextOf(contactId)).toEqual(['2026-12-10', '10:00', null])
    const ahead = await book({ contactId, startsAt: '2026-12-02T15:00:00Z' })
    await set(ahead.id, 1, { status: 'completed' })
    expect((await practice.desk.contacts.get({ id: contactId })).lastContactDate).toBe('2026-11-21T15:00:00.000Z')
  })

  it('refuses no-show before the appointment has begun', async () => {
    const { id, contact } = await book({ startsAt: '2026-11-21T15:01:00Z', outsideHours: true })
    const { code, status, message } = await refusal(set(id, 1, { status: 'no_show' }))
    expect([code, status, message]).toEqual(['TOO_EARLY', 409, 'An appointment can only be marked as a no-show once it has started'])
    expect(await tasksOf(contact.id)).toEqual([])
    const begun = await book({ startsAt: '2026-11-21T15:00:00Z', outsideHours: true })
    expect(await set(begun.id, 1, { status: 'no_show' })).toMatchObject({ status: 'no_show' })
  })

  it('refuses to move a missed or cancelled appointment but accepts notes; allows corrections of a completed one', async () => {
    const { id } = await book(inThePast)
    await set(id, 1, { status: 'no_show' })
    const { change } = practice.desk.appointments
    for (const given of [
      { startsAt: '2026-12-03T15:00:00Z' },
      { minutes: 30 },
      { roomId: practice.rooms[0]!.id },
      { providerId: practice.provider.id },
    ])
      expect(await codeOf(change({ id, version: 2, ...given }))).toBe('NOT_HOLDING')
    expect(await change({ id, version: 2, notes: 'Called twice' })).toMatchObject({ notes: 'Called twice', version: 3 })
    const done = await book()
    await set(done.id, 1, { status: 'completed' })
    expect(await change({ id: done.id, version: 2, minutes: 60 })).toMatchObject({ version: 3 })
  })

  it('becomes booked when moved to another time, except an arrived one on the same day; audits the change', async () => {
    const { change } = practice.desk.appointments
    const statusOf = async (status: 'confirmed' | 'arrived', startsAt: string) => {
      const { id } = await book()
      await set(id, 1, { status })
      return (await change({ id, version: 2, startsAt })).status
    }
    expect(await statusOf('confirmed', '2026-12-01T15:30:00Z')).toBe('booked')
    expect(await statusOf('arrived', '2026-12-01T15:30:00Z')).toBe('arrived')
    expect(await statusOf('arrived', '2026-12-02T15:00:00Z')).toBe('booked')
    const [last] = await server.rows<{ before: string; after: string }>(
      "select before->>'status' as before, after->>'status' as after from audit_log where kind = 'appointment' and action = 'changed' order by id desc limit 1",
    )
    expect(last).toEqual({ before: 'arrived', after: 'booked' })
  })

  it('answers 404 for an unknown appointment', async () => {
    expect(await codeOf(set(randomUUID(), 1, { status: 'confirmed' }))).toBe('NOT_FOUND')
    expect(await codeOf(practice.desk.appointments.change({ id: randomUUID(), version: 1 }))).toBe('NOT_FOUND')
  })
})

describe('rebooking tasks', () => {
  it.each([
    [{ status: 'no_show' } as const, 'missed', ' missed: the patient did not show up', 'Tue, Nov 17, 2026', inThePast],
    [cancelled, 'cancelled', ' cancelled: Is ill', 'Tue, Dec 1, 2026', {}],
  ])("creates a task for the patient's sales rep, due on the next open day: %j", async (status, word, phrase, day, when) => {
    const rep = await server.account({ role: 'sales_rep' })
    const contactId = await insertContact(server, { firstName: 'Éloïse', lastName: 'Tremblay' })
    await server.rows('update contacts set assigned_sales_rep_id = $2 where id = $1', [contactId, rep.id])
    const { id } = await book({ contactId, ...when })
    await set(id, 1, status)
    expect(await tasksOf(contactId)).toMatchObject([
      {
        title: `Rebook: ${word} consultation on ${day}`,
        type: 'Follow-up',
        status: 'pending',
        // Today is a Saturday.
        dueDate: '2026-11-23',
        dueTimeConstraint: null,
        assignedTo: rep.id,
        createdBy: practice.deskId,
      },
    ])
    const lines = await timelineOf(contactId)
    expect(lines).toContain(`Consultation on ${day} at 10:00 a.m.${phrase}`)
    expect(await nextOf(contactId)).toEqual([null, null, null])
  })

  it("assigns the task to the actor if there is no active sales rep, and emails an assignee who wants that, without the patient's name", async () => {
    const left = await server.account({ role: 'sales_rep', status: 'disabled' })
    for (const rep of [null, left.id]) {
      const { id, contact } = await book(inThePast)
      await server.rows('update contacts set assigned_sales_rep_id = $2 where id = $1', [contact.id, rep])
      await set(id, 1, { status: 'no_show' })
      expect(await tasksOf(contact.id)).toMatchObject([{ assignedTo: practice.deskId }])
    }
    const keen = await server.account({ role: 'sales_rep' })
    await server.client(keen.cookie).notifications.setPreference({ notificationType: 'task_assigned', enabled: true })
    const { id, contact } = await book({ contactId: await insertContact(server, { lastName: 'Tremblay' }), ...inThePast })
    await server.rows('update contacts set assigned_sales_rep_id = $2 where id = $1', [contact.id, keen.id])
    await set(id, 1, { status: 'no_show' })
    const [mail] = await emailsTo(server, keen.email)
    expect(`${mail!.Subject} ${mail!.TextBody}`).not.toContain('Tremblay')
  })

  it('cancels the task when the appointment is reinstated, unless someone has started on it', async () => {
    const { id, contact } = await book()
    await set(id, 1, cancelled)
    await set(id, 2, { status: 'booked' })
    expect(await tasksOf(contact.id)).toMatchObject([{ status: 'cancelled' }])
    expect(await nextOf(contact.id)).toEqual(['2026-12-01', '10:00', null])
    expect((await timelineOf(contact.id))[0]).toBe('Consultation on Tue, Dec 1, 2026 at 10:00 a.m. is booked again')

    const { id: other, contact: patient } = await book(inThePast)
    await set(other, 1, { status: 'no_show' })
    const [task] = await tasksOf(patient.id)
    await practice.desk.tasks.update({ id: task!.id, version: 1, priority: 'high' })
    await set(other, 2, { status: 'arrived' })
    expect(await tasksOf(patient.id)).toMatchObject([{ status: 'pending', priority: 'high' }])

    const { id: third, contact: last } = await book(inThePast)
    await set(third, 1, { status: 'no_show' })
    const [gone] = await tasksOf(last.id)
    await (await server.as('admin')).tasks.delete({ id: gone!.id })
    expect(await set(third, 2, { status: 'completed' })).toMatchObject({ status: 'completed' })
    expect(await tasksOf(last.id)).toEqual([])
  })

  it('moves the patient to Consult Booked again when a consult is reinstated', async () => {
    const contactId = await insertContact(server)
    const { id } = await book({ contactId })
    await set(id, 1, cancelled)
    const { version } = await practice.desk.contacts.get({ id: contactId })
    await practice.desk.contacts.update({ id: contactId, version, funnelStage: 'contacted' })
    await set(id, 2, { status: 'booked' })
    const moves = await practice.desk.contacts.stageHistory({ id: contactId })
    const stages = await practice.desk.pipeline.stages()
    expect(moves.map(({ toStageId }) => stages.find(({ id: stage }) => stage === toStageId)?.value)).toEqual([
      'consult_booked',
      'contacted',
      'consult_booked',
    ])
  })
})
