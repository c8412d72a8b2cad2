import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publishForm } from '../../../test/chart/sent-forms.ts'
import { useSurgeryPractice } from '../../../test/care/surgeries.ts'
import { insertContact } from '../../../test/factories.ts'
import { portalOf } from '../../../test/portal.ts'
import { refusal } from '../../../test/refusal.ts'
import { until } from '../../../test/until.ts'
import { starters } from '../../chart/forms/starters.ts'
import type { Scope } from '../../kernel/scope.ts'
import { runCheckIns } from './jobs.ts'

const theatre = useSurgeryPractice({ TRUST_PROXY: 'true', PRACTICE_NAME: 'Harbourview' })
const { server, operate } = theatre
const portal = portalOf(server)
const start = theatre.clock.now
/** Day 1 is Saturday, November 21, the day of the tests' clock. */
const friday = '2026-11-20T13:00:00Z'
let templateId: string
const run = () => {
  const scope = { ...server.running.runtime, actor: null, origin: { requestId: 'job', address: null } }
  return runCheckIns.run(scope as unknown as Scope, {}, { last: true })
}

beforeAll(async () => {
  templateId = (await publishForm(theatre.admin, starters.check_in)).id
  await theatre.admin.checkIns.setSchedule({ id: theatre.procedures[0]!.id, templateId, days: [30, 1, 3], version: 0 })
})
beforeEach(() => void (theatre.clock.now = start))

async function operated(given: { language?: string; email?: string | null; surgeonId?: string } = {}) {
  const { language = 'en', email = `${randomUUID()}@mail.example`, surgeonId = null } = given
  const contactId = await insertContact(server, { email })
  await server.rows('update contacts set preferred_language = $2 where id = $1', [contactId, language])
  const surgery = await operate({ contactId, startsAt: friday, surgeonId, status: 'confirmed' })
  await theatre.waiveSafety(surgery.id)
  await theatre.desk.surgeries.setStatus({ id: surgery.id, version: 1, status: 'completed' })
  return { id: surgery.id, contactId, email: email ?? '' }
}
const statesOf = async (id: string) => (await theatre.desk.checkIns.ofSurgery({ id })).map(({ day, dueOn, state }) => [day, dueOn, state])
const tasksOf = (contactId: string) =>
  server.rows<{ title: string; assignee: string; due: string }>(
    `select title, due_date::text as due, (select profile_id from task_assignees where task_id = tasks.id limit 1) as assignee
     from tasks where contact_id = $1 and type = 'Follow-up' and title like 'Call%' order by tasks.id`,
    [contactId],
  )
const later = (hours: number) => void (theatre.clock.now = new Date(start.getTime() + hours * 3_600_000))

describe('check-ins after a surgery', () => {
  it('are sent once for each due day, in the patient’s language, however often and in parallel the job runs (issue 27)', async () => {
    const { id, contactId, email } = await operated({ language: 'fr' })
    expect(await statesOf(id)).toEqual([
      [1, '2026-11-21', 'planned'],
      [3, '2026-11-23', 'planned'],
      [30, '2026-12-20', 'planned'],
    ])
    await Promise.all([1, 2, 3, 4].map(run))
    await run()
    await until(() => portal.emailsTo(email).length > 0)
    expect(await statesOf(id)).toEqual([
      [1, '2026-11-21', 'sent'],
      [3, '2026-11-23', 'planned'],
      [30, '2026-12-20', 'planned'],
    ])
    const [mail, ...more] = portal.emailsTo(email)
    expect(more).toEqual([])
    expect(mail!.Subject).toBe('Comment allez-vous? Quelques questions de Harbourview')
    expect(mail!.TextBody).toContain('appelez le 911')
    expect(`${mail!.Subject}${mail!.TextBody}`).not.toContain('chirurgie')
    expect(await theatre.desk.forms.ofContact({ contactId })).toMatchObject([
      { title: starters.check_in.title, status: 'sent', sentBy: null, language: 'fr' },
    ])
    later(48)
    await run()
    expect(await statesOf(id)).toMatchObject([
      [1, '2026-11-21', 'missed'],
      [3, '2026-11-23', 'sent'],
      [30, '2026-12-20', 'planned'],
    ])
    expect(await server.rows('select day from check_ins where surgery_id = $1 order by day', [id])).toEqual([{ day: 1 }, { day: 3 }])
  })

  it('leave neither a form nor an email when the server dies before the transaction ends, and are sent by the next run (issue 27)', async () => {
    const { id, email } = await operated()
    // The lock makes the job wait inside its transaction, which is then cut off as by a kill.
    const held = await server.hold('lock table check_ins in access exclusive mode')
    const cut = run().catch(() => 'killed')
    await until(async () => {
      const rows = await server.rows<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '%check_ins%'",
      )
      for (const { pid } of rows) await server.rows('select pg_terminate_backend($1)', [pid])
      return rows.length > 0
    })
    expect(await cut).toBe('killed')
    await held.release()
    expect(await server.rows('select 1 from check_ins where surgery_id = $1', [id])).toEqual([])
    await run()
    await run()
    await until(() => portal.emailsTo(email).length > 0)
    expect(portal.emailsTo(email)).toHaveLength(1)
  })

  it('give the surgeon a task at once for a red flag, and administrators nothing if the surgeon can have it (issue 27)', async () => {
    const surgeon = await server.account({ role: 'provider' })
    const { id, contactId, email } = await operated({ language: 'fr', surgeonId: surgeon.id })
    await run()
    await until(() => portal.emailsTo(email).length === 1)
    const [form] = await theatre.desk.forms.ofContact({ contactId })
    const patient = await portal.signInAs(contactId)
    const own = { contactId, sessionToken: patient.token, id: form!.id, language: 'fr' }
    const answers = { pain: 3, breathing: false, fever: true, bleeding: false, redness: false, discharge: false }
    expect(await portal.call('patient-form-save', { ...own, revision: 0, changes: answers })).toMatchObject({ body: { problems: [] } })
    expect(await portal.call('patient-form-submit', { ...own, revision: 1 })).toMatchObject({ status: 200 })
    expect(await tasksOf(contactId)).toEqual([
      { title: 'Call the patient now about the check-in', assignee: surgeon.id, due: '2026-11-21' },
    ])
    const api = await server.as('provider')
    expect((await api.checkIns.ofSurgery({ id }))[0]).toMatchObject({ state: 'answered', redFlagCount: 1, escalatedAt: expect.any(String) })
    expect((await theatre.desk.checkIns.ofSurgery({ id }))[0]).toMatchObject({ state: 'answered', redFlagCount: null })
    expect((await api.forms.toReview()).some(({ id: waiting }) => waiting === form!.id)).toBe(true)
  })

  it('need no task when the answers raise no red flag (issue 27)', async () => {
    const { id, contactId, email } = await operated()
    await run()
    await until(() => portal.emailsTo(email).length === 1)
    const [form] = await theatre.desk.forms.ofContact({ contactId })
    const { token } = await portal.signInAs(contactId)
    const own = { contactId, sessionToken: token, id: form!.id, language: 'en' }
    const answers = { pain: 7, breathing: false, fever: false, bleeding: false, redness: false, discharge: false }
    await portal.call('patient-form-save', { ...own, revision: 0, changes: answers })
    expect(await portal.call('patient-form-submit', { ...own, revision: 1 })).toMatchObject({ status: 200 })
    later(72)
    await run()
    expect(await tasksOf(contactId)).toEqual([])
    expect((await statesOf(id))[0]).toEqual([1, '2026-11-21', 'answered'])
  })

  it('are followed when no one answers: a reminder after a day, a task to call after two, each once (issue 27)', async () => {
    const { id, contactId, email } = await operated()
    await run()
    await until(() => portal.emailsTo(email).length === 1)
    later(23)
    await run()
    later(24)
    await Promise.all([run(), run()])
    await run()
    await until(() => portal.emailsTo(email).length === 2)
    expect(portal.emailsTo(email)[0]!.Subject).toBe('Reminder: Harbourview would like to know how you are')
    expect(await tasksOf(contactId)).toEqual([])
    later(46)
    await run()
    expect(await tasksOf(contactId)).toEqual([])
    later(48)
    await Promise.all([run(), run()])
    await run()
    expect((await tasksOf(contactId)).map(({ title }) => title)).toEqual([
      'Call the patient: the check-in after the surgery is not answered',
    ])
    expect((await theatre.desk.checkIns.ofSurgery({ id }))[0]).toMatchObject({
      remindedAt: expect.any(String),
      escalatedAt: expect.any(String),
    })
  })

  it('ask someone to call a patient who has no email address (issue 27)', async () => {
    const { id, contactId } = await operated({ email: null })
    await run()
    await run()
    expect((await tasksOf(contactId)).map(({ title }) => title)).toEqual([
      'Call the patient after the surgery: no email address for the check-in',
    ])
    expect((await statesOf(id))[0]).toEqual([1, '2026-11-21', 'call'])
  })

  it('ask someone to call when their form is no longer active (issue 27)', async () => {
    const { id, contactId } = await operated()
    await theatre.admin.forms.setActive({ id: templateId, isActive: false })
    await run()
    await run()
    await theatre.admin.forms.setActive({ id: templateId, isActive: true })
    await run()
    expect((await tasksOf(contactId)).map(({ title }) => title)).toEqual([
      'Call the patient after the surgery: the form of the check-in is not active',
    ])
    expect((await statesOf(id))[0]).toEqual([1, '2026-11-21', 'call'])
  })

  it('are sent again when the surgery was marked as not completed by mistake, unless they were answered (issue 27)', async () => {
    const { id, contactId } = await operated()
    await run()
    await theatre.desk.surgeries.setStatus({ id, version: 2, status: 'confirmed' })
    await theatre.desk.surgeries.setStatus({ id, version: 3, status: 'completed' })
    await run()
    await run()
    expect((await statesOf(id)).filter(([day]) => day === 1)).toEqual([
      [1, '2026-11-21', 'stopped'],
      [1, '2026-11-21', 'sent'],
    ])
    expect((await theatre.desk.forms.ofContact({ contactId })).map(({ status }) => status).toSorted()).toEqual(['sent', 'withdrawn'])
    await server.rows("update forms set status = 'submitted', submitted_at = now() where contact_id = $1 and status = 'sent'", [contactId])
    await theatre.desk.surgeries.setStatus({ id, version: 4, status: 'confirmed' })
    await theatre.desk.surgeries.setStatus({ id, version: 5, status: 'completed' })
    await run()
    expect((await statesOf(id)).filter(([day]) => day === 1)).toHaveLength(2)
  })

  it('stop when the surgery is moved or not completed after all: open ones are withdrawn at once, and none follows (issue 27)', async () => {
    for (const stop of [
      (id: string) => theatre.desk.surgeries.setStatus({ id, version: 2, status: 'confirmed' }),
      (id: string) => theatre.desk.surgeries.change({ id, version: 2, startsAt: '2026-11-19T13:00:00Z' }),
    ]) {
      const { id, contactId } = await operated()
      await run()
      await stop(id)
      expect(await theatre.desk.forms.ofContact({ contactId })).toMatchObject([{ status: 'withdrawn' }])
      expect((await statesOf(id)).find(([, dueOn]) => dueOn === '2026-11-21')).toEqual([1, '2026-11-21', 'stopped'])
    }
    const { id, contactId } = await operated()
    await theatre.desk.surgeries.setStatus({ id, version: 2, status: 'confirmed' })
    await theatre.desk.surgeries.setStatus({ id, version: 3, status: 'cancelled', reason: 'Was not done' })
    later(24 * 3)
    await run()
    expect(await theatre.desk.forms.ofContact({ contactId })).toEqual([])
    expect(await statesOf(id)).toEqual([])
  })

  it('are not sent for another procedure, or before nine (issue 27)', async () => {
    const surgery = await operate({ startsAt: friday, procedureIds: [theatre.procedures[1]!.id], status: 'confirmed' })
    await theatre.waiveSafety(surgery.id)
    await theatre.desk.surgeries.setStatus({ id: surgery.id, version: 1, status: 'completed' })
    const { id } = await operated()
    theatre.clock.now = new Date('2026-11-21T13:59:00Z')
    await run()
    expect((await statesOf(id))[0]).toEqual([1, '2026-11-21', 'planned'])
    theatre.clock.now = start
    await run()
    expect((await statesOf(id))[0]).toEqual([1, '2026-11-21', 'sent'])
    expect(await statesOf(surgery.id)).toEqual([])
  })
})

describe('the schedule of a procedure', () => {
  it('has days in order, and refuses wrong ones and forms that are not published with the field (issue 27)', async () => {
    const { admin } = theatre
    const { id } = await admin.procedures.create({ name: 'Otoplasty' })
    const set = (days: number[], given: { templateId?: string; version?: number } = {}) =>
      admin.checkIns.setSchedule({ id, templateId, days, version: 0, ...given })
    for (const days of [[], [0], [366], [1, 1], [1.5]])
      expect(Object.keys((await refusal(set(days))).data.fields ?? {})[0]).toMatch(/^days/)
    const draft = await admin.forms.createTemplate({ starter: 'check_in' })
    expect((await refusal(set([1], { templateId: draft.id }))).data.fields).toEqual({
      templateId: 'This form is not published, or no longer active',
    })
    expect(await set([30, 1, 7])).toEqual({ procedureId: id, templateId, days: [1, 7, 30], version: 1 })
    expect((await refusal(set([1]))).code).toBe('CHANGED_MEANWHILE')
    expect(await set([2], { version: 1 })).toMatchObject({ days: [2], version: 2 })
    expect((await refusal(admin.checkIns.removeSchedule({ id, version: 1 }))).code).toBe('CHANGED_MEANWHILE')
    await admin.checkIns.removeSchedule({ id, version: 2 })
    expect((await admin.checkIns.schedules()).some(({ procedureId }) => procedureId === id)).toBe(false)
    expect((await refusal(admin.checkIns.setSchedule({ id: randomUUID(), templateId, days: [1], version: 0 }))).code).toBe('NOT_FOUND')
  })
})
