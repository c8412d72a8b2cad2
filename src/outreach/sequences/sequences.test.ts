import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { untilNoneLeft } from '../../../test/jobs.ts'
import { emailsTo } from '../../../test/messages/emails.ts'
import { newNumber, useTexts } from '../../../test/messages/texts.ts'
import { daysFromNow, define, insertTemplate, jobsAt, step, switchOn } from '../../../test/outreach/sequences.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, webhookKey } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { BranchEvent, Trigger } from './definition-contract.ts'

// At any time of the day on which the tests run.
const texts = useTexts({ TEXT_QUIET_FROM: '00:00', TEXT_QUIET_TO: '00:00' })
let admin: Client
let template: string
let text: string
let marketing: string
beforeAll(async () => {
  admin = await texts.server.as('admin')
  template = await insertTemplate(texts.server)
  text = await insertTemplate(texts.server, { channel: 'text' })
  marketing = await insertTemplate(texts.server, { category: 'marketing' })
})

const runsOf = async (contactId: string) => admin.sequences.ofContact({ id: contactId })
const logOf = async (contactId: string) => {
  const [run] = await runsOf(contactId)
  const { entries } = await admin.sequences.log({ id: run!.id })
  return entries
    .toReversed()
    .map(({ title, outcome, reason }) => [title.split(' “')[0], outcome, reason].filter((one) => one !== null).join(' '))
}
/** Skips the step at which a patient was seen to stand. */
const skip = ({ id, step: seen }: { id: string; step: string | null }) => admin.sequences.control({ id, action: 'skip', step: seen! })
const off = (id: string) => admin.sequences.setOn({ id, on: false })

/** Sends a lead from the form, and returns the patient's id. */
async function sendLead(phone: string | null = newNumber()): Promise<string> {
  const email = `${randomUUID()}@example.com`
  const sent = await texts.server.request(`/api/leads/${webhookKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ first_name: 'Lea', last_name: 'Lead', email, ...(phone && { phone }) }),
  })
  expect(sent.status).toBe(202)
  return until(async () => (await texts.server.rows<{ id: string }>('select id from contacts where email = $1', [email]))[0]?.id)
}

/** A patient who gets the tag of a sequence that starts by it. */
async function tagged(steps: Parameters<typeof define>[0]['steps'], given: Partial<Parameters<typeof define>[0]> = {}) {
  const tag = await admin.tags.create({ name: randomUUID() })
  const id = await switchOn(texts.server, define({ trigger: { kind: 'tag', tagId: tag.id }, steps, ...given }))
  const begin = async (contact: Parameters<typeof insertContact>[1] = {}) => {
    const contactId = await insertContact(texts.server, { phone: newNumber(), email: `${randomUUID()}@example.com`, ...contact })
    await admin.contacts.addTag({ id: contactId, tagId: tag.id })
    await until(async () => (await runsOf(contactId)).length > 0)
    return contactId
  }
  return { id, tagId: tag.id, begin }
}
const statusOf = async (contactId: string) => {
  const [run] = await runsOf(contactId)
  return [run!.status, run!.reason].filter((one) => one !== null).join(' ')
}
const untilStatus = (contactId: string, status: string) => until(async () => (await statusOf(contactId)) === status)
const advance = (days: number, hours = 1) => jobsAt(texts.server).advance(daysFromNow(days, hours))
/** Until the first steps, which are due at once, are done. */
const untilWaiting = (contactId: string) =>
  until(async () => {
    const [run] = await runsOf(contactId)
    return run && (run.status !== 'active' || (run.dueAt !== null && new Date(run.dueAt) > new Date(Date.now() + 60_000)))
  })

describe('a sequence for new leads', () => {
  it('texts a lead at once, and the answer takes the way of the branch (issue 28)', async () => {
    const id = await switchOn(
      texts.server,
      define({
        steps: [step.text(text), step.wait(1), step.branch('reply', [step.task('Book the consult'), step.leave()], [step.task('Call')])],
      }),
    )
    const number = newNumber()
    const contactId = await sendLead(number)
    const sent = await until(() => texts.twilio.messages.find(({ to }) => to === number))
    expect(sent.body).toContain('Hello Lea, which day suits you?')
    await texts.twilio.receive({ from: number, body: 'Thursday, please' })
    await untilStatus(contactId, 'left step')
    expect(await logOf(contactId)).toEqual([
      'Start started',
      'Text sent',
      'Wait 1 day waited',
      'Did they reply? yes',
      'Task done',
      'End ended step',
    ])
    const tasks = await texts.server.rows<{ title: string }>('select title from tasks where contact_id = $1', [contactId])
    expect(tasks).toEqual([{ title: 'Book the consult' }])
    await off(id)
    await sendLead().then(async (other) => expect(await runsOf(other)).toEqual([]))
  })
})

describe('a patient under way', () => {
  it('gets each step once, however often and late the jobs run (issue 28)', async () => {
    const { begin } = await tagged([step.task('First'), step.wait(1), step.task('Second'), step.wait(2), step.task('Third')])
    const contactId = await begin()
    await untilWaiting(contactId)
    await Promise.all([advance(1), advance(1), advance(1)])
    await advance(1)
    expect(await logOf(contactId)).toEqual(['Start started', 'Task done', 'Wait 1 day waited', 'Task done'])
    await Promise.all([advance(10), advance(10)])
    expect(await statusOf(contactId)).toBe('finished')
    const tasks = await texts.server.rows<{ title: string }>('select title from tasks where contact_id = $1 order by id', [contactId])
    expect(tasks.map(({ title }) => title)).toEqual(['First', 'Second', 'Third'])
  })

  it('leaves on a booking, a surgery, STOP and the end of what started it, and gets nothing more (issue 28)', async () => {
    const { begin } = await tagged([step.task('First'), step.wait(1), step.task('Second')])
    const number = newNumber()
    const [booking, surgery, stopping] = [await begin(), await begin(), await begin({ phone: number })]
    for (const id of [booking, surgery, stopping]) await untilWaiting(id)
    await texts.server.rows(
      `insert into appointments (contact_id, type, starts_at, ends_at, created_at, updated_at) values ($1, 'consult', '2199-02-01', '2199-02-02', now(), now())`,
      [booking],
    )
    await texts.server.rows(
      `insert into surgeries (contact_id, procedures, anaesthesia, starts_at, ends_at, created_at, updated_at)
       values ($1, '[]', 'general', '2199-02-01', '2199-02-02', now(), now())`,
      [surgery],
    )
    await texts.twilio.receive({ from: number, body: 'ARRÊT' })
    await untilStatus(booking, 'left booking')
    await untilStatus(surgery, 'left surgery')
    await untilStatus(stopping, 'left opt-out')
    await advance(5)
    for (const id of [booking, surgery, stopping])
      expect(await texts.server.rows('select 1 from tasks where contact_id = $1', [id])).toHaveLength(1)
  })

  it('is paused, resumed, skipped and stopped by hand, and each is logged (issue 28)', async () => {
    const { begin } = await tagged([step.task('First'), step.wait(1), step.task('Second'), step.wait(1), step.task('Third')])
    const contactId = await begin()
    await untilWaiting(contactId)
    const [run] = await runsOf(contactId)
    const control = (action: 'pause' | 'resume' | 'stop' | 'retry') => admin.sequences.control({ id: run!.id, action })
    expect((await refusal(control('resume'))).code).toBe('WRONG_STATUS')
    expect(await control('pause')).toMatchObject({ status: 'paused', dueAt: null })
    await advance(3)
    expect(await texts.server.rows('select 1 from tasks where contact_id = $1', [contactId])).toHaveLength(1)
    await control('resume')
    await skip(run!)
    await until(async () => (await texts.server.rows('select 1 from tasks where contact_id = $1', [contactId])).length === 2)
    await control('stop')
    await advance(9)
    expect(await logOf(contactId)).toEqual([
      'Start started',
      'Task done',
      'Changed changed paused',
      'Changed changed resumed',
      'Wait 1 day skipped',
      'Task done',
      'End ended stopped',
    ])
  })

  it('goes the way “No” of a question that staff skip (issue 28)', async () => {
    const question = step.branch('reply', [step.task('Book')], [step.task('Call')], 3)
    const { begin } = await tagged([question, step.wait(1), step.task('Last')])
    const contactId = await begin()
    await untilWaiting(contactId)
    const [run] = await runsOf(contactId)
    expect(run!.step).toBe(question.id)
    await skip(run!)
    await until(async () => (await logOf(contactId)).length === 3)
    expect(await logOf(contactId)).toEqual(['Start started', 'Did they reply? skipped', 'Task done'])
    expect(await runsOf(contactId)).toMatchObject([{ status: 'active', stepTitle: 'Wait 1 day' }])
  })

  it('skips the step that was seen once, however often it is asked at the same time (issue 28)', async () => {
    const { begin } = await tagged([step.wait(1), step.wait(2), step.wait(3), step.task('Last')])
    const contactId = await begin()
    await untilWaiting(contactId)
    const [run] = await runsOf(contactId)
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => skip(run!)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const late = await refusal(skip(run!))
    expect([late.code, late.status]).toEqual(['STEP_CHANGED', 409])
    expect(await logOf(contactId)).toEqual(['Start started', 'Wait 1 day skipped'])
    expect(await runsOf(contactId)).toMatchObject([{ status: 'active', stepTitle: 'Wait 2 days' }])
    const unnamed = await refusal(admin.sequences.control({ id: run!.id, action: 'skip' }))
    expect(unnamed).toMatchObject({ status: 422, data: { fields: { step: 'Name the step to skip' } } })
  })

  it('pauses on a reply if the sequence says so, and goes on when staff resume it (issue 28)', async () => {
    const { begin } = await tagged([step.task('First'), step.wait(1), step.task('Second')], {
      exits: { reply: 'pause', booking: true, surgery: true, stage: false },
    })
    const number = newNumber()
    const contactId = await begin({ phone: number })
    await untilWaiting(contactId)
    await texts.twilio.receive({ from: number, body: 'A question' })
    await untilStatus(contactId, 'paused reply')
    const [run] = await runsOf(contactId)
    await admin.sequences.control({ id: run!.id, action: 'resume' })
    await until(async () => {
      await advance(2)
      return (await statusOf(contactId)) === 'finished'
    })
  })

  it('finishes its version, or moves to the new one with the step at which it stands (issue 28)', async () => {
    const steps = [step.task('First'), step.wait(1), step.task('Second')]
    const { id, begin } = await tagged(steps)
    const [stays] = [await begin()]
    await untilWaiting(stays)
    const { version, draft } = await admin.sequences.get({ id })
    const changed = { ...draft, steps: [...draft.steps.slice(0, 2), step.task('Another')] }
    const updated = await admin.sequences.update({ id, version, draft: changed })
    expect(await admin.sequences.get({ id })).toMatchObject({ hasChanges: true, published: 1 })
    expect(await admin.sequences.publish({ id, version: updated.version, moves: false })).toEqual({ number: 2, moved: 0 })
    const moves = await begin()
    await untilWaiting(moves)
    await advance(2)
    const titles = async (contactId: string) =>
      (await texts.server.rows<{ title: string }>('select title from tasks where contact_id = $1 order by id', [contactId])).map(
        ({ title }) => title,
      )
    expect(await titles(stays)).toEqual(['First', 'Second'])
    expect(await titles(moves)).toEqual(['First', 'Another'])
    const third = await begin()
    await untilWaiting(third)
    const now = await admin.sequences.get({ id })
    const last = await admin.sequences.update({
      id,
      version: now.version,
      draft: { ...changed, steps: [...draft.steps.slice(0, 2), step.task('Newest')] },
    })
    expect(await admin.sequences.publish({ id, version: last.version, moves: true })).toEqual({ number: 3, moved: 1 })
    await until(async () => {
      await advance(2)
      return (await titles(third)).length === 2
    })
    expect(await titles(third)).toEqual(['First', 'Newest'])
  })

  it('tries a failing step again, then has failed, and retries by hand (issue 28)', async () => {
    const tag = await admin.tags.create({ name: randomUUID() })
    const { begin } = await tagged([step.wait(1), step.tag(tag.id), step.task('Last')])
    const contactId = await begin()
    await untilWaiting(contactId)
    await texts.server.rows(`create function fail() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
    await texts.server.rows(
      `create trigger fails before insert on contact_tags for each row when (new.tag_id = '${tag.id}') execute function fail()`,
    )
    for (const hours of [1, 2, 3, 4, 5, 8]) await advance(1, hours)
    expect(await runsOf(contactId)).toMatchObject([{ status: 'failed', stepTitle: expect.stringContaining('Add tag') }])
    await texts.server.rows(`drop trigger fails on contact_tags`)
    const [run] = await runsOf(contactId)
    await admin.sequences.control({ id: run!.id, action: 'retry' })
    await untilStatus(contactId, 'finished')
  })

  it('carries out the steps of all others who are due with a step that fails, each once (issue 28)', async () => {
    const tag = await admin.tags.create({ name: randomUUID() })
    const { begin } = await tagged([step.task('Before'), step.wait(1), step.task('Together'), step.tag(tag.id), step.task('Last')])
    const [first, fails, last] = [await begin(), await begin(), await begin()]
    for (const contactId of [first, fails, last]) await untilWaiting(contactId)
    await texts.server.rows(`create function fail_for_one() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
    await texts.server.rows(
      `create trigger fails_for_one before insert on contact_tags for each row when (new.tag_id = '${tag.id}' and new.contact_id = '${fails}')
       execute function fail_for_one()`,
    )
    await advance(1, 1)
    for (const contactId of [first, last]) {
      await untilStatus(contactId, 'finished')
      expect(await logOf(contactId)).toEqual([
        'Start started',
        'Task done',
        'Wait 1 day waited',
        'Task done',
        'Add tag done',
        'Task done',
        'End ended finished',
      ])
    }
    expect(await logOf(fails)).toEqual(['Start started', 'Task done', 'Wait 1 day waited', 'Task done'])
    const titles = await texts.server.rows('select title from tasks where contact_id = $1 order by id', [fails])
    expect(titles).toEqual([{ title: 'Before' }, { title: 'Together' }])
    await texts.server.rows(`drop trigger fails_for_one on contact_tags`)
    await advance(1, 2)
    await untilStatus(fails, 'finished')
  })
})

describe('who is reached', () => {
  it('does not start where the first message would be refused, and says by which rule (issue 28)', async () => {
    const { begin } = await tagged([step.email(marketing), step.task('After')])
    const contactId = await begin()
    expect(await statusOf(contactId)).toBe('refused no-consent')
    expect(await logOf(contactId)).toEqual(['Start refused no-consent'])
    const without = await begin({ email: null })
    expect(await statusOf(without)).toBe('refused no-email')
  })

  it('refuses a later message without consent and goes on (issue 28)', async () => {
    const { begin } = await tagged([step.email(template), step.email(marketing), step.task('After')])
    const contactId = await begin()
    await untilStatus(contactId, 'finished')
    expect(await logOf(contactId)).toEqual(['Start started', 'Email sent', 'Email refused no-consent', 'Task done', 'End ended finished'])
  })

  it('holds a message over the limit of a week, over all sequences (issue 28)', async () => {
    const first = await tagged([step.email(template), step.email(template), step.email(template)])
    const second = await tagged([step.email(template), step.task('After')])
    const contactId = await first.begin()
    await untilStatus(contactId, 'finished')
    await admin.contacts.addTag({ id: contactId, tagId: second.tagId })
    await until(async () => (await runsOf(contactId)).length === 2)
    await until(async () => (await statusOf(contactId)) === 'active cap')
    await advance(6, 20)
    expect(await statusOf(contactId)).toBe('active cap')
    await advance(7)
    expect(await statusOf(contactId)).toBe('finished')
  })

  it('keeps a comparison group that gets nothing, the same for the dry run and the start (issue 28)', async () => {
    const tag = await admin.tags.create({ name: randomUUID() })
    const ids = await Promise.all(
      Array.from({ length: 40 }, async (_one, i) => insertContact(texts.server, { phone: i % 4 ? newNumber() : null, email: null })),
    )
    for (const id of ids) await texts.server.rows('insert into contact_tags (contact_id, tag_id) values ($1, $2)', [id, tag.id])
    const draft = define({ trigger: { kind: 'tag', tagId: tag.id }, steps: [step.text(text)], holdOut: 50 })
    const { id } = await admin.sequences.create({ name: randomUUID(), draft })
    const dry = await admin.sequences.dryRun({ id, days: 1 })
    expect(dry).toMatchObject({ total: 40, refused: { 'no-mobile': 10 }, held: 0 })
    expect(dry.start + dry.heldOut).toBe(30)
    expect(dry.heldOut).toBeGreaterThan(3)
    expect(await texts.server.rows('select 1 from automation_state where sequence_id = $1', [id])).toEqual([])
    await admin.sequences.publish({ id, version: 1, moves: false })
    expect(await admin.sequences.setOn({ id, on: true, days: 1 })).toEqual({ started: dry.start })
    const counts = await texts.server.rows<{ status: string; n: number }>(
      `select case when status in ('active', 'finished') then 'start' else status end as status, count(*)::int as n from automation_state
       where sequence_id = $1 group by 1 order by 1`,
      [id],
    )
    expect(counts).toEqual([
      { status: 'held-out', n: dry.heldOut },
      { status: 'refused', n: 10 },
      { status: 'start', n: dry.start },
    ])
    expect((await admin.sequences.get({ id })).funnel.heldOut.entered).toBe(dry.heldOut)
    expect(await admin.sequences.dryRun({ id, days: 1 })).toMatchObject({ total: 0 })
  })

  it('starts again only after as many days as the sequence says (issue 28)', async () => {
    const never = await tagged([step.task('First')])
    const again = await tagged([step.task('First')], { again: 7 })
    for (const [sequence, runs] of [
      [never, 1],
      [again, 3],
    ] as const) {
      const contactId = await sequence.begin()
      await untilStatus(contactId, 'finished')
      for (let time = 2; time <= 3; time++) {
        await texts.server.rows(`update automation_state set ended_at = now() - interval '8 days' where contact_id = $1`, [contactId])
        await admin.contacts.removeTag({ id: contactId, tagId: sequence.tagId })
        await admin.contacts.addTag({ id: contactId, tagId: sequence.tagId })
        await untilNoneLeft(texts.server, 'sequences.signals')
        await untilNoneLeft(texts.server, 'sequences.advance')
      }
      expect(await runsOf(contactId)).toMatchObject([{ status: 'finished', run: runs }])
    }
  })
})

describe('what starts a sequence', () => {
  const surgery = `insert into surgeries (contact_id, procedures, anaesthesia, status, starts_at, ends_at, created_at, updated_at)
    values ($1, '[]', 'general', 'confirmed', `
  const appointment = `insert into appointments (contact_id, type, status, starts_at, ends_at, created_at, updated_at) values ($1, 'consult', `
  const quote = `insert into quotes (contact_id, number, title, valid_until, lines, taxes, subtotal_cents, tax_cents, total_cents, deposit_cents,
    instalments, is_before_surgery, status, sent_at, created_at, updated_at)
    values ($1, nextval('quote_numbers'), 'A quote', `
  const rest = `, '[]', '[]', 100, 13, 113, 113, '[]', false, 'sent', now(), now(), now())`
  const kinds: [string, Trigger | 'lead' | 'stage', string][] = [
    [
      'a missed appointment',
      { kind: 'appointment-missed' },
      `${appointment}'no_show', now() - interval '2 hours', now() - interval '1 hour', now(), now())`,
    ],
    [
      'a booked appointment',
      { kind: 'appointment-booked' },
      `${appointment}'booked', now() + interval '9 days', now() + interval '10 days', now(), now())`,
    ],
    [
      'an appointment in three days',
      { kind: 'appointment-before', days: 3 },
      `${appointment}'booked', now() + interval '60 hours', now() + interval '3 days', now() - interval '9 days', now())`,
    ],
    [
      'a surgery in a week',
      { kind: 'surgery-before', days: 7 },
      `${surgery}now() + interval '156 hours', now() + interval '7 days', now() - interval '9 days', now())`,
    ],
    [
      'two days after a surgery',
      { kind: 'surgery-after', days: 2 },
      `${surgery}now() - interval '3 days', now() - interval '60 hours', now(), now())`,
    ],
    ['a quote that was sent', { kind: 'quote-sent' }, `${quote}current_date + 30${rest}`],
    ['a quote that expires in three days', { kind: 'quote-expiring', days: 3 }, `${quote}current_date + 2${rest}`],
    [
      'a form without answers',
      { kind: 'form-unanswered', days: 2 },
      `with template as (insert into form_templates default values returning id),
         version as (insert into form_versions (template_id, number, definition, published_at) select id, 1, '{}', now() from template returning id)
       insert into forms (contact_id, version_id, sent_via, sent_at, expires_at, language)
       select $1, id, 'link', now() - interval '60 hours', now() + interval '9 days', 'en' from version`,
    ],
    [
      'a birthday',
      { kind: 'birthday' },
      `update contacts set date_of_birth = (now() at time zone 'America/Toronto')::date - interval '30 years' where id = $1`,
    ],
    ['a follow-up date', { kind: 'follow-up' }, `update contacts set next_follow_up_date = now() - interval '1 hour' where id = $1`],
    [
      'six months without contact',
      { kind: 'no-contact', months: 6 },
      `update contacts set last_contact_date = now() - interval '6 months' - interval '1 hour' where id = $1`,
    ],
  ]

  it.each(kinds)('%s (issue 28)', async (_words, trigger, statement) => {
    const contactId = await insertContact(texts.server)
    const draft = define({ trigger: trigger as Trigger, steps: [step.task()] })
    const { id } = await admin.sequences.create({ name: randomUUID(), draft })
    const before = await admin.sequences.dryRun({ id, days: 1 })
    await texts.server.rows(statement, [contactId])
    const after = await admin.sequences.dryRun({ id, days: 1 })
    expect([before.total + 1, after.start]).toEqual([after.total, after.total])
  })

  it('days in a stage, and only of patients who meet the filter (issue 28)', async () => {
    const [stage] = await texts.server.rows<{ id: string }>(`select id from funnel_stages where value = 'consult_booked'`)
    const [inToronto, elsewhere] = [
      await insertContact(texts.server, { stage: 'consult_booked' }),
      await insertContact(texts.server, { stage: 'consult_booked' }),
    ]
    await texts.server.rows(`update contacts set stage_entered_at = now() - interval '74 hours' where id = any($1)`, [
      [inToronto, elsewhere],
    ])
    await texts.server.rows(`update contacts set city = 'Québec' where id = $1`, [inToronto])
    const trigger = { kind: 'stage', stageId: stage!.id, days: 3 } as const
    const { id } = await admin.sequences.create({
      name: randomUUID(),
      draft: define({ trigger, steps: [step.task()], filter: 'city:quebec' }),
    })
    expect(await admin.sequences.dryRun({ id, days: 1 })).toMatchObject({ total: 1, start: 1 })
  })

  it('a birthday on the last day of the year, looked for on the first day of the next one (issue 28)', async () => {
    const id = await switchOn(texts.server, define({ trigger: { kind: 'birthday' }, steps: [step.task()] }))
    const contactId = await insertContact(texts.server)
    await texts.server.rows(`update contacts set date_of_birth = '1990-12-31' where id = $1`, [contactId])
    await texts.server.rows(`update sequences set on_since = $2, scanned_until = $2 where id = $1`, [id, '2030-12-30T15:00:00Z'])
    await jobsAt(texts.server).start(new Date('2031-01-01T15:00:00Z'))
    expect(await runsOf(contactId)).toMatchObject([{ sequenceId: id, run: 1 }])
    await off(id)
  })

  it('is looked for by time without a signal, and an appointment that is cancelled ends it (issue 28)', async () => {
    const contactId = await insertContact(texts.server)
    const id = await switchOn(
      texts.server,
      define({ trigger: { kind: 'appointment-before', days: 3 }, steps: [step.until('event', -1, '09:00'), step.task('Prepare')] }),
    )
    const [booked] = await texts.server.rows<{ id: string }>(
      `insert into appointments (contact_id, type, starts_at, ends_at, created_at, updated_at)
       values ($1, 'consult', now() + interval '10 days', now() + interval '10 days 1 hour', now(), now()) returning id`,
      [contactId],
    )
    await jobsAt(texts.server).start(daysFromNow(5))
    expect(await runsOf(contactId)).toEqual([])
    await jobsAt(texts.server).start(daysFromNow(8))
    await jobsAt(texts.server).start(daysFromNow(8, 1))
    expect(await runsOf(contactId)).toMatchObject([{ sequenceId: id, status: 'active', run: 1 }])
    await texts.server.rows(`update appointments set status = 'cancelled', cancel_reason = 'ill', version = version + 1 where id = $1`, [
      booked!.id,
    ])
    await jobsAt(texts.server).advance(daysFromNow(9, 23))
    expect(await statusOf(contactId)).toBe('left subject')
    expect(await texts.server.rows('select 1 from tasks where contact_id = $1', [contactId])).toEqual([])
    await off(id)
  })
})

describe('a sequence', () => {
  it('is changed by one editor at a time, and refuses what does not exist, naming the field (issue 28)', async () => {
    const draft = define({ steps: [step.task()] })
    const name = randomUUID()
    const { id } = await admin.sequences.create({ name, draft })
    expect((await refusal(admin.sequences.create({ name: name.toUpperCase(), draft }))).code).toBe('NAME_TAKEN')
    await admin.sequences.update({ id, version: 1, name: `${name} 2` })
    expect((await refusal(admin.sequences.update({ id, version: 1, name }))).code).toBe('CHANGED_MEANWHILE')
    const gone = await refusal(admin.sequences.update({ id, version: 2, draft: define({ steps: [step.email(randomUUID())] }) }))
    expect(gone).toMatchObject({ code: 'INVALID_REFERENCE', data: { fields: { draft: 'A template of a step no longer exists' } } })
    expect((await refusal(admin.sequences.setOn({ id, on: true }))).code).toBe('NOT_PUBLISHED')
    const empty = await admin.sequences.create({ name: randomUUID(), draft: define({ steps: [] }) })
    expect((await refusal(admin.sequences.publish({ id: empty.id, version: 1, moves: false }))).code).toBe('NO_STEPS')
  })

  it('names the others that are on and that the same event starts (issue 28)', async () => {
    const [one, other] = [await admin.tags.create({ name: randomUUID() }), await admin.tags.create({ name: randomUUID() })]
    const by = (tagId: string) => define({ trigger: { kind: 'tag', tagId }, steps: [step.task()] })
    const isOn = await switchOn(texts.server, by(one.id))
    const { name } = await admin.sequences.get({ id: isOn })
    const sameOf = async (tagId: string) => {
      const { id } = await admin.sequences.create({ name: randomUUID(), draft: by(tagId) })
      return (await admin.sequences.get({ id })).sameTrigger
    }
    expect([await sameOf(one.id), await sameOf(other.id)]).toEqual([[name], []])
    await off(isOn)
    expect(await sameOf(one.id)).toEqual([])
  })

  it('ends for all patients when it is deleted (issue 28)', async () => {
    const { id, begin } = await tagged([step.wait(1), step.task()])
    const contactId = await begin()
    await untilWaiting(contactId)
    expect(await admin.sequences.delete({ id })).toEqual({ stopped: 1 })
    await advance(3)
    expect(await texts.server.rows('select 1 from tasks where contact_id = $1', [contactId])).toEqual([])
    expect((await refusal(admin.sequences.get({ id }))).code).toBe('NOT_FOUND')
  })

  it('shows the steps of a test patient by a clock that runs ahead, and writes nothing (issue 28)', async () => {
    const first = step.text(text)
    const draft = define({
      steps: [first, step.wait(2), step.branch('reply', [step.task('Book')], [step.email(marketing)]), step.task('Last')],
    })
    const { id } = await admin.sequences.create({ name: randomUUID(), draft })
    const contactId = await insertContact(texts.server, { phone: newNumber(), email: `${randomUUID()}@example.com` })
    const outcomes = async (events: { after: string; kind: BranchEvent }[]) => {
      const { entries, end } = await admin.sequences.simulate({ id, contactId, events })
      return [...entries.map(({ title, outcome, reason }) => `${title.split(' “')[0]} ${outcome}${reason ? ` ${reason}` : ''}`), end]
    }
    expect(await outcomes([])).toEqual([
      'Text sent',
      'Wait 2 days waited',
      'Did they reply? no',
      'Email refused no-consent',
      'Task done',
      'finished',
    ])
    expect(await outcomes([{ after: first.id, kind: 'reply' }])).toEqual([
      'Text sent',
      'Wait 2 days waited',
      'Did they reply? yes',
      'Task done',
      'Task done',
      'finished',
    ])
    expect(await runsOf(contactId)).toEqual([])
    expect((await refusal(admin.sequences.simulate({ id, contactId: randomUUID() }))).code).toBe('NO_PATIENT')
  })

  it('refuses in a test what a real run refuses: a value that the patient lacks, and a text that is too long (issue 28)', async () => {
    const about = await insertTemplate(texts.server, { body: 'Your questions about {{procedure}}' })
    const long = await insertTemplate(texts.server, { channel: 'text', body: 'Hello {{first_name}}. '.repeat(200) })
    const { id, begin } = await tagged([step.email(template), step.email(about), step.text(long)])
    const contactId = await begin()
    await untilStatus(contactId, 'finished')
    const { entries } = await admin.sequences.simulate({ id, contactId })
    const steps = ['Email sent', 'Email refused missing-value', 'Text refused too-long']
    expect(entries.map(({ title, outcome, reason }) => `${title.split(' “')[0]} ${outcome}${reason ? ` ${reason}` : ''}`)).toEqual(steps)
    expect(await logOf(contactId)).toEqual(['Start started', ...steps, 'End ended finished'])
  })

  it('makes no task due at night (issue 28)', async () => {
    const { begin } = await tagged([step.wait(1), step.task()], { hours: { from: '08:30', to: '19:00' } })
    const contactId = await begin()
    await untilWaiting(contactId)
    await jobsAt(texts.server).advance(new Date('2031-03-04T02:00:00Z'))
    const due = await texts.server.rows(
      'select due_date::text as day, due_time_constraint::text as time from tasks where contact_id = $1',
      [contactId],
    )
    expect(due).toEqual([{ day: '2031-03-04', time: '08:30' }])
  })

  it('gives tasks in turn (issue 28)', async () => {
    const people = [(await texts.server.account({ role: 'sales_rep' })).id, (await texts.server.account({ role: 'sales_rep' })).id]
    const { begin } = await tagged([step.task('In turn', people)])
    const assigned: string[] = []
    for (let i = 0; i < 4; i++) {
      const contactId = await begin()
      await untilStatus(contactId, 'finished')
      const [task] = await texts.server.rows<{ assigned_to: string }>('select assigned_to from tasks where contact_id = $1', [contactId])
      assigned.push(task!.assigned_to)
    }
    expect(assigned).toEqual([people[0], people[1], people[0], people[1]])
  })
})

describe('a branch on an opened link', () => {
  const link = () => [step.branch('link', [step.task('Call: opened')], [step.task('Call')], 3)]

  it('is decided by a short link in a text, and not by loading its page (issue 28)', async () => {
    const withLink = await insertTemplate(texts.server, { channel: 'text', body: 'Hello {{first_name}}: {{portal_link}}' })
    const { id, begin } = await tagged([step.text(withLink), ...link()])
    const number = newNumber()
    const contactId = await begin({ phone: number })
    const { body } = await until(() => texts.twilio.messages.find(({ to }) => to === number))
    const code = /https:\/\/clinic\.example\/s\/(\w{14})$/.exec(body)![1]!
    await texts.server.client().textLinks.view({ code })
    await advance(0)
    expect(await statusOf(contactId)).toBe('active')
    expect(await texts.server.client().textLinks.open({ code })).toEqual({ path: '/portal' })
    await untilStatus(contactId, 'finished')
    expect(await logOf(contactId)).toEqual(['Start started', 'Text sent', 'Did they open a link? yes', 'Task done', 'End ended finished'])
    const sales = await texts.server.as('sales_rep')
    const { data } = await sales.inbox.conversations({ contactId, show: 'all' })
    const { messages } = await sales.inbox.conversation({ id: data[0]!.id })
    const { name } = await admin.sequences.get({ id })
    expect(messages.at(-1)).toMatchObject({ linkOpenedAt: expect.any(String), origin: { kind: 'sequence', name } })
  })

  it('is decided by a link in an email, which leads where the template does, and counts only while it is in the run (issue 28)', async () => {
    const withLink = await insertTemplate(texts.server, { body: 'Hello {{first_name}}: https://harbourview.example/book?a=1&b=2' })
    const { begin } = await tagged([step.email(withLink), ...link()])
    const [opening, other] = [await begin(), await begin()]
    const addressOf = async (contactId: string) =>
      (await texts.server.rows<{ email: string }>('select email from contacts where id = $1', [contactId]))[0]!.email
    const [mail] = await emailsTo(texts.server, await addressOf(opening))
    const { pathname } = new URL(/href="([^"]*\/c\/[\w-]{22}\/0)"/.exec(mail!.HtmlBody!)![1]!)
    expect((await texts.server.request(pathname, { method: 'HEAD' })).status).toBe(302)
    expect((await texts.server.request(pathname.replace(/0$/, '1'))).status).toBe(404)
    await advance(0)
    expect(await statusOf(opening)).toBe('active')
    const opened = await texts.server.request(pathname)
    expect([opened.status, opened.headers.get('location')]).toEqual([302, 'https://harbourview.example/book?a=1&b=2'])
    await untilStatus(opening, 'finished')
    expect(await logOf(opening)).toEqual(['Start started', 'Email sent', 'Did they open a link? yes', 'Task done', 'End ended finished'])
    await advance(4)
    expect(await logOf(other)).toEqual(['Start started', 'Email sent', 'Did they open a link? no', 'Task done', 'End ended finished'])
  })

  it('leaves the links of a sequence alone that asks about none (issue 28)', async () => {
    const withLink = await insertTemplate(texts.server, { body: 'https://harbourview.example/book' })
    const { begin } = await tagged([step.email(withLink)])
    const contactId = await begin()
    const [{ email } = { email: '' }] = await texts.server.rows<{ email: string }>('select email from contacts where id = $1', [contactId])
    const [mail] = await emailsTo(texts.server, email)
    expect(mail!.HtmlBody).not.toContain('/c/')
  })
})

describe('the check before a sequence starts', () => {
  it('refuses only who gets none of its messages, and counts the others that would be skipped (issue 28)', async () => {
    const first = step.text(text)
    const { tagId, id, begin } = await tagged([first, step.email(template), step.email(marketing)])
    const emailed = await begin({ phone: null })
    await untilStatus(emailed, 'finished')
    expect(await logOf(emailed)).toEqual([
      'Start started',
      'Text refused no-mobile',
      'Email sent',
      'Email refused no-consent',
      'End ended finished',
    ])
    const neither = await begin({ phone: null, email: null })
    expect(await statusOf(neither)).toBe('refused no-mobile')
    await off(id)
    for (const contact of [{ phone: null }, {}, { phone: null, email: null }]) {
      const contactId = await insertContact(texts.server, { phone: newNumber(), email: `${randomUUID()}@example.com`, ...contact })
      await admin.contacts.addTag({ id: contactId, tagId })
    }
    const { start, refused, skipped, missing } = await admin.sequences.dryRun({ id, days: 1 })
    expect({ start, refused, missing }).toEqual({ start: 2, refused: { 'no-mobile': 1 }, missing: [] })
    expect(skipped.map(({ step: one, refused: by }) => [one === first.id, by])).toEqual([
      [true, { 'no-mobile': 1 }],
      [false, { 'no-consent': 2 }],
    ])
  })
})

describe('surgery that is booked late', () => {
  it('skips the steps whose time had passed, and says so (issue 28)', async () => {
    const contactId = await insertContact(texts.server)
    const id = await switchOn(
      texts.server,
      define({
        trigger: { kind: 'surgery-before', days: 14 },
        steps: [step.task('Prepare'), step.until('event', -7), step.task('Call'), step.until('event', -2), step.task('See you soon')],
      }),
    )
    await texts.server.rows(
      `insert into surgeries (contact_id, procedures, anaesthesia, starts_at, ends_at, created_at, updated_at)
       values ($1, '[]', 'general', now() + interval '5 days', now() + interval '5 days 1 hour', now(), now())`,
      [contactId],
    )
    await until(async () => (await runsOf(contactId)).length > 0)
    await untilWaiting(contactId)
    expect(await logOf(contactId)).toEqual([
      'Start started',
      'Task skipped passed',
      'Wait until 7 days before surgery, 10:00 a.m. waited',
      'Task skipped passed',
    ])
    await advance(4)
    const tasks = await texts.server.rows<{ title: string }>('select title from tasks where contact_id = $1', [contactId])
    expect([tasks, await statusOf(contactId)]).toEqual([[{ title: 'See you soon' }], 'finished'])
    await off(id)
  })
})

describe('the watchdog', () => {
  it('gives an administrator one task while a step is late or no one enters, and shows both (issue 28)', async () => {
    const { id, begin } = await tagged([step.wait(1), step.task()], { alertDays: 3 })
    const { name } = await admin.sequences.get({ id })
    const contactId = await begin()
    await untilWaiting(contactId)
    await texts.server.rows(
      `update sequences set on_since = now() - interval '9 days', last_entered_at = now() - interval '4 days' where id = $1`,
      [id],
    )
    // As if the step could not be taken: another process holds the row.
    await texts.server.rows(`update automation_state set due_at = now() - interval '1 hour' where contact_id = $1`, [contactId])
    const held = await texts.server.hold('select 1 from automation_state where contact_id = $1 for update', [contactId])
    const tasks = () => texts.server.rows<{ title: string }>(`select title from tasks where title like $1`, [`%${name}%`])
    await jobsAt(texts.server).watch(new Date())
    await jobsAt(texts.server).watch(new Date())
    const trouble = '1 step is more than 15 minutes late, and no one has entered for 3 days'
    expect(await tasks()).toEqual([{ title: `Look at the sequence “${name}”: ${trouble}` }])
    const { sequences } = await admin.system.status()
    expect(sequences).toContainEqual({ id, name, problem: trouble })
    expect((await admin.sequences.get({ id })).health).toMatchObject({ late: 1, isQuiet: true })
    await held.release()
    await texts.server.rows(`update sequences set last_entered_at = now() where id = $1`, [id])
    await jobsAt(texts.server).advance(new Date())
    await jobsAt(texts.server).watch(new Date())
    expect((await admin.system.status()).sequences.filter((one) => one.id === id)).toEqual([])
    expect(await texts.server.rows('select 1 from sequences where id = $1 and alerted_at is not null', [id])).toEqual([])
  })
})
