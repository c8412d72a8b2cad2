import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../../test/refusal.ts'
import { type Account, type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { mailReport, sendReports } from './jobs.ts'
import { maxSaved } from './saved-contract.ts'

const friday = new Date('2026-11-20T15:00:00Z') // 10:00 in Toronto
let now = friday
const server = useServer({}, { now: () => now })
let [account, colleague] = [{} as Account, {} as Account]
let [mine, theirs] = [{} as Client, {} as Client]
beforeAll(async () => {
  account = await server.account({ role: 'sales_rep' })
  colleague = await server.account({ role: 'billing' })
  mine = server.client(account.cookie)
  theirs = server.client(colleague.cookie)
})

afterEach(() => {
  now = friday
})

const ask = { report: 'leads', period: 'last-7-days', source: 'Referral' } as const
const scope = () => server.running.runtime as unknown as Scope
const look = () => sendReports.run(scope(), {}, { last: true })
const emailsTo = (email: string) => server.outbox.messages.filter(({ To }) => To === email)

describe('saved reports', () => {
  it("lists own and shared reports by name with their request, and hides others' private ones", async () => {
    const own = await mine.reports.save({ name: 'Weekly referrals', isShared: false, ask })
    const shared = await mine.reports.save({ name: 'Éclair', isShared: true, ask: { report: 'tasks' } })
    expect(own).toMatchObject({
      name: 'Weekly referrals',
      ask,
      isShared: false,
      ownerId: account.id,
      schedule: null,
      nextAt: null,
      lastAt: null,
      stopped: null,
    })
    expect((await mine.reports.saved()).map(({ name }) => name)).toEqual(['Éclair', 'Weekly referrals'])
    expect((await theirs.reports.saved()).map(({ name }) => name)).toEqual(['Éclair'])
    expect(await refusal(theirs.reports.change({ id: own.id, name: 'x' }))).toMatchObject({ status: 404 })
    expect(await refusal(theirs.reports.change({ id: shared.id, name: 'x' }))).toMatchObject({ status: 403, code: 'NOT_YOURS' })
    const admin = await server.as('admin')
    expect(await admin.reports.change({ id: shared.id, name: 'Tidied' })).toMatchObject({ name: 'Tidied', ownerId: account.id })
    expect(await mine.reports.change({ id: own.id, ask: { report: 'receipts' } })).toMatchObject({
      name: 'Weekly referrals',
      ask: { report: 'receipts' },
    })
    const rows = await server.rows<{ action: string }>(
      "select action from audit_log where kind = 'saved-report' and after->>'id' = $1 order by id",
      [own.id],
    )
    expect(rows.map(({ action }) => action)).toEqual(['created', 'changed'])
  })

  it('stores ids for known names, so renames change nothing; unknown values stay as given', async () => {
    const admin = await server.as('admin')
    const procedure = await admin.procedures.create({ name: 'Saved Lift' })
    const saved = await mine.reports.save({
      name: 'By name',
      isShared: false,
      ask: { report: 'leads', user: account.email.toUpperCase(), procedure: 'saved lift', source: 'FACEBOOK' },
    })
    expect(saved.ask).toEqual({ report: 'leads', user: account.id, procedure: procedure.id, source: 'Social Media' })
    expect((await mine.reports.change({ id: saved.id, ask: { report: 'leads', procedure: 'Not Yet' } })).ask).toEqual({
      report: 'leads',
      procedure: 'Not Yet',
    })
    await mine.reports.delete({ id: saved.id })
  })

  it('deletes a report, stops sending it, restores it on undo, and purges it a day later', async () => {
    const saved = await mine.reports.save({ name: 'Gone', isShared: true, ask })
    await mine.reports.schedule({ id: saved.id, every: 'day', weekday: null, monthDay: null, time: '08:00', recipientIds: [account.id] })
    await mine.reports.delete({ id: saved.id })
    expect((await mine.reports.saved()).some(({ id }) => id === saved.id)).toBe(false)
    expect(await refusal(theirs.reports.restore({ id: saved.id }))).toMatchObject({ status: 403 })
    expect(await mine.reports.restore({ id: saved.id })).toMatchObject({ name: 'Gone', nextAt: '2026-11-21T13:00:00.000Z' })
    await mine.reports.delete({ id: saved.id })
    now = new Date(now.getTime() + 25 * 3_600_000)
    const other = await mine.reports.save({ name: 'Other', isShared: false, ask })
    await mine.reports.delete({ id: other.id })
    expect(await refusal(mine.reports.restore({ id: saved.id }))).toMatchObject({ status: 404 })
  })

  it('answers 422 with the field for invalid reports, and limits how many a person saves', async () => {
    const wrong: [object, string][] = [
      [{ name: ' ', isShared: false, ask }, 'name'],
      [{ name: 'x', isShared: false, ask: { report: 'tasks', source: 'Referral' } }, 'ask.source'],
      [{ name: 'x', isShared: false, ask: { report: 'leads', period: 'custom' } }, 'ask.from'],
      [{ name: 'x', isShared: false, ask: { report: 'leads', page: 2 } }, 'ask.page'],
    ]
    for (const [input, field] of wrong) {
      const answer = await server.send('POST', '/api/saved-reports', input, account.cookie)
      expect([answer.status, Object.keys(((await answer.json()) as { data: { fields: object } }).data.fields)]).toEqual([422, [field]])
    }
    const { cookie } = await server.account({ role: 'billing' })
    const answers = await Promise.all(
      Array.from({ length: maxSaved + 3 }, (_, i) =>
        server.send('POST', '/api/saved-reports', { name: `R${i}`, isShared: false, ask }, cookie),
      ),
    )
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3)
  })
})

describe('emailing saved reports', () => {
  const weekly = (recipientIds: string[]) => ({ every: 'week' as const, weekday: 1, monthDay: null, time: '08:00', recipientIds })

  it("schedules only for staff with report access, in the practice's time zone", async () => {
    const provider = await server.account({ role: 'provider' })
    const saved = await mine.reports.save({ name: 'Plan', isShared: false, ask })
    expect(await refusal(mine.reports.schedule({ id: saved.id, ...weekly([account.id, provider.id]) }))).toMatchObject({
      status: 422,
      data: { fields: { recipientIds: 'Only staff with access to reports can receive one' } },
    })
    expect(await mine.reports.schedule({ id: saved.id, ...weekly([account.id]) })).toMatchObject({
      schedule: weekly([account.id]),
      nextAt: '2026-11-23T13:00:00.000Z',
      lastAt: null,
    })
    expect(await mine.reports.unschedule({ id: saved.id })).toMatchObject({ schedule: null, nextAt: null })
    const answer = await server.send(
      'PUT',
      `/api/saved-reports/${saved.id}/schedule`,
      { ...weekly([account.id]), weekday: null },
      account.cookie,
    )
    expect([answer.status, await answer.json()]).toMatchObject([422, { data: { fields: { weekday: 'Choose a day of the week' } } }])
  })

  it('emails figures, a link and a file once per time and recipient, with several processes, then schedules the next', async () => {
    await server.rows(
      `insert into contacts (first_name, last_name, lead_source_text, funnel_stage, created_at, stage_entered_at)
       select 'Ana', 'Geheim', 'referral', (select id from funnel_stages where is_initial), '2026-11-19T15:00Z', '2026-11-19T15:00Z' from generate_series(1, 3)`,
    )
    const saved = await mine.reports.save({ name: 'Referrals', isShared: true, ask })
    await mine.reports.schedule({ id: saved.id, ...weekly([account.id, colleague.id]) })
    now = new Date('2026-11-23T12:59:59Z')
    await look()
    expect(emailsTo(account.email)).toHaveLength(0)
    now = new Date('2026-11-23T13:00:00Z')
    await Promise.all([look(), look(), look()])
    await until(() => emailsTo(account.email).length > 0 && emailsTo(colleague.email).length > 0)
    // Again, as after a crash between the work and completing the job.
    await mailReport.run(scope(), { id: saved.id, recipientId: account.id, dueAt: '2026-11-23T13:00:00.000Z' }, { last: true })
    await look()
    const sent = await server.rows<{ count: number }>('select count(*)::int as count from report_sendings where saved_report_id = $1', [
      saved.id,
    ])
    expect(sent).toEqual([{ count: 2 }])
    const [mail, ...more] = emailsTo(account.email)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ Subject: 'Referrals: Nov 17, 2026 to Nov 23, 2026' })
    expect(mail!.TextBody).toContain('Leads: 3 (before: 0)')
    expect(mail!.TextBody).toContain('\nSource: Referral\n')
    expect(mail!.TextBody).toContain(`/reports?report=leads&period=last-7-days&source=Referral&saved=${saved.id}`)
    expect(JSON.stringify(mail)).not.toContain('Geheim')
    const [file] = mail!.Attachments!
    expect(file!.Name).toBe('leads-2026-11-17-2026-11-23.csv')
    const text = Buffer.from(file!.Content, 'base64').toString()
    expect(text).toContain('\r\nSource,Referral\r\n\r\nFigure,')
    expect(text).toContain('Referral,3,0,0,0\r\n')
    const [listed] = (await mine.reports.saved()).filter(({ id }) => id === saved.id)
    expect(listed).toMatchObject({ lastAt: '2026-11-23T13:00:00.000Z', nextAt: '2026-11-30T13:00:00.000Z' })
    await mine.reports.unschedule({ id: saved.id })
  })

  it('sends once after days of downtime, not once per day', async () => {
    const { id, email, cookie } = await server.account({ role: 'sales_rep' })
    const client = server.client(cookie)
    const saved = await client.reports.save({ name: 'Daily', isShared: false, ask })
    await client.reports.schedule({ id: saved.id, every: 'day', weekday: null, monthDay: null, time: '08:00', recipientIds: [id] })
    now = new Date('2026-11-25T18:00:00Z')
    await look()
    await until(() => emailsTo(email).length > 0)
    await look()
    expect((await client.reports.saved()).find((one) => one.id === saved.id)).toMatchObject({ nextAt: '2026-11-26T13:00:00.000Z' })
    const sent = await server.rows('select 1 from report_sendings where saved_report_id = $1', [saved.id])
    expect(sent).toHaveLength(1)
    await client.reports.unschedule({ id: saved.id })
  })

  it('stops when its owner is disabled or loses the role, and skips such recipients', async () => {
    const made = async (recipient: Account) => {
      const owner = await server.account({ role: 'sales_rep' })
      const client = server.client(owner.cookie)
      const saved = await client.reports.save({ name: `Of ${randomUUID()}`, isShared: true, ask })
      await client.reports.schedule({
        id: saved.id,
        every: 'day',
        weekday: null,
        monthDay: null,
        time: '08:00',
        recipientIds: [recipient.id],
      })
      return { owner, saved }
    }
    const reader = await server.account({ role: 'admin' })
    const leaver = await server.account({ role: 'billing' })
    const [gone, demoted, unread] = [await made(reader), await made(reader), await made(leaver)]
    await server.rows(`update profiles set status = 'disabled' where id = $1`, [gone.owner.id])
    await server.rows(`update profiles set role = 'provider' where id = $1`, [demoted.owner.id])
    await server.rows(`update profiles set role = 'front_desk' where id = $1`, [leaver.id])
    now = new Date('2026-11-21T13:00:00Z')
    await look()
    const saved = await server.client(reader.cookie).reports.saved()
    const stopped = (id: string) => saved.find((one) => one.id === id)
    expect(stopped(gone.saved.id)).toMatchObject({ stopped: 'owner', nextAt: null, lastAt: null })
    expect(stopped(demoted.saved.id)).toMatchObject({ stopped: 'owner', nextAt: null })
    expect(stopped(unread.saved.id)).toMatchObject({ stopped: 'recipients', nextAt: null })
    expect(emailsTo(reader.email)).toEqual([])
    // Also skips a recipient who loses the role after the report was queued.
    await mailReport.run(scope(), { id: unread.saved.id, recipientId: leaver.id, dueAt: '2026-11-21T13:00:00.000Z' }, { last: true })
    expect(await server.rows('select 1 from report_sendings where saved_report_id = $1', [unread.saved.id])).toEqual([])
  })

  it('limits each recipient to their own permissions: no reasons for billing', async () => {
    const admin = await server.account({ role: 'admin' })
    const billing = await server.account({ role: 'billing' })
    const client = server.client(admin.cookie)
    await server.rows(
      `insert into appointments (contact_id, type, starts_at, ends_at, status, cancel_reason, created_at, updated_at)
       select id, 'consult', '2026-11-18T15:00Z', '2026-11-18T16:00Z', 'cancelled', 'Is unwell', now(), now() from contacts limit 1`,
    )
    const saved = await client.reports.save({ name: 'Cancelled', isShared: false, ask: { report: 'cancellations', period: 'last-7-days' } })
    await client.reports.schedule({
      id: saved.id,
      every: 'day',
      weekday: null,
      monthDay: null,
      time: '08:00',
      recipientIds: [admin.id, billing.id],
    })
    now = new Date('2026-11-21T13:00:00Z')
    await look()
    await until(() => emailsTo(admin.email).length > 0 && emailsTo(billing.email).length > 0)
    const fileTo = (email: string) => Buffer.from(emailsTo(email)[0]!.Attachments![0]!.Content, 'base64').toString()
    expect(fileTo(admin.email)).toContain('Is unwell')
    expect(fileTo(billing.email)).not.toContain('Is unwell')
    expect(fileTo(billing.email)).toContain('Cancelled,1,0')
  })
})
