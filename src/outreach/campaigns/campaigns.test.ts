import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContacts } from '../../../test/factories.ts'
import { makeDue, untilNoneLeft } from '../../../test/jobs.ts'
import { emailsTo } from '../../../test/messages/emails.ts'
import { useInbox } from '../../../test/messages/inbox.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { campaignMessages } from './contract.ts'
import { sendCampaign } from './send.ts'

const server = useInbox({ PRACTICE_NAME: 'Harbour & Sons', MESSAGES_PER_WEEK: '2' })
let sales: Client
let templateId: string
beforeAll(async () => {
  sales = await server.as('sales_rep')
  templateId = (await newTemplate('Spring', 'Dear {{first_name}}')).id
})

const newTemplate = async (subject: string, body = 'Hello {{first_name}}', name = `Campaign ${randomUUID()}`) =>
  sales.emailTemplates.create({
    name,
    subject,
    body,
    category: 'marketing',
    variables: { html_content: `<p>${body}</p><p><a href="https://clinic.example/book?from=email&amp;x=1">Book</a></p>` },
  })

type Given = Parameters<typeof insertContacts>[1][number] & { consents?: boolean }
/** Patients whose last name is theirs alone, each with consent unless stated, and the search that finds them. */
async function patients(given: Given[]) {
  const mark = `Q${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const rows = given.map(({ consents: _, ...one }) => ({ email: `${randomUUID()}@patient.example`, ...one, lastName: mark }))
  const ids = await insertContacts(server, rows)
  await server.rows(
    `insert into consents (contact_id, basis, source, given_at) select id, 'express', 'paper', now() from unnest($1::uuid[]) as id`,
    [ids.filter((_id, index) => given[index]!.consents !== false)],
  )
  return { ids, emails: rows.map(({ email }) => email!), audience: { search: mark } }
}
const draft = (audience: { search: string }, more: Partial<Parameters<Client['campaigns']['create']>[0]> = {}) =>
  sales.campaigns.create({ name: 'Spring', audience, templateId, perHour: 100_000, ...more })
async function start(campaign: { id: string; version: number }) {
  return sales.campaigns.start({ id: campaign.id, version: campaign.version })
}
const ended = (id: string) =>
  until(async () => {
    const campaign = await sales.campaigns.get({ id })
    return campaign.status === 'done' && campaign
  })
const recipients = (id: string) =>
  server.rows<{
    contact_id: string
    state: string
    refusal: string | null
    variant: string | null
    message_id: string | null
    click_token: string | null
  }>('select contact_id, state, refusal, variant, message_id, click_token from campaign_recipients where campaign_id = $1 order by id', [
    id,
  ])

describe('a campaign', () => {
  it('tells before it is sent who is refused and why, sends the others one email each, and refuses the same (issue 28)', async () => {
    const twin = `${randomUUID()}@patient.example`
    const { ids, emails, audience } = await patients([
      { firstName: 'Ana' },
      { firstName: 'Émilie' },
      { email: null },
      { consents: false },
      {},
      {},
      {},
      { email: twin },
      { email: twin.toUpperCase() },
    ])
    await server.rows('update contacts set preferred_language = $2 where id = $1', [ids[1], 'fr'])
    await server.rows(
      `insert into suppressed_addresses (address, reason, unsubscribed_at, since)
       values ($1, 'bounce', null, now()), ($2, null, now(), now()), ($3, 'complaint', null, now())`,
      [emails[4], emails[5], emails[6]],
    )
    const name = `offer_${randomUUID().slice(0, 8)}`
    const english = await newTemplate('Spring for {{first_name}}', 'Dear {{first_name}}', name)
    await newTemplate('Printemps pour {{first_name}}', 'Chère {{first_name}}', `${name}_fr`)
    const campaign = await draft(audience, { templateId: english.id })
    const check = await sales.campaigns.check({ id: campaign.id })
    const refused = [
      { reason: 'no_address', count: 1 },
      { reason: 'bounced', count: 1 },
      { reason: 'complaint', count: 1 },
      { reason: 'unsubscribed', count: 1 },
      { reason: 'no_consent', count: 1 },
      { reason: 'same_address', count: 1 },
    ]
    expect(check).toMatchObject({
      total: 9,
      sendable: 3,
      refused,
      problems: [],
      contents: [{ variant: 'a', name, hasFrench: true }],
      links: [{ url: 'https://clinic.example/book?from=email&x=1', problem: null }],
    })
    expect([check.unsubscribe.en, check.unsubscribe.fr]).toEqual([
      expect.stringContaining('Unsubscribe'),
      expect.stringContaining('Se désabonner'),
    ])
    const file = async () =>
      (
        await server.request(`/api/campaigns/refused.csv?id=${campaign.id}`, { headers: { cookie: await server.signIn('sales_rep') } })
      ).text()
    const before = await file()
    expect(before.trim().split('\r\n')).toHaveLength(7)
    expect(before).toContain('No consent to commercial email')

    await start(campaign)
    const done = await ended(campaign.id)
    expect(done.progress).toEqual({ waiting: 0, held: 0, sent: 3, refused: 6, stopped: 0 })
    expect(await file()).toBe(before)
    expect((await sales.campaigns.results({ id: campaign.id })).refused).toEqual(refused)
    const [[ana], [emilie]] = [await emailsTo(server, emails[0]!), await emailsTo(server, emails[1]!)]
    expect([ana!.Subject, emilie!.Subject]).toEqual(['Spring for Ana', 'Printemps pour Émilie'])
    expect(ana!.TextBody).toMatch(/^Dear Ana\n[\s\S]*Unsubscribe: http/)
    expect(emilie!.TextBody).toContain('Se désabonner')
    await untilNoneLeft(server, 'inbox.send')
    for (const email of emails.filter((_email, index) => ![0, 1, 7, 8].includes(index) && emails[index])) {
      expect(server.outbox.messages.filter(({ To }) => To === email)).toEqual([])
    }
    expect(server.outbox.messages.filter(({ To }) => To?.toLowerCase() === twin)).toHaveLength(1)
    expect(await server.rows(`select 1 from conversations where contact_id = any($1) and status = 'active'`, [ids])).toEqual([])
  })

  it('counts a click once by a link that says nothing of the patient, and leads nowhere else (issue 28)', async () => {
    const { ids, emails, audience } = await patients([{ firstName: 'Ana' }])
    const campaign = await start(await draft(audience))
    await ended(campaign.id)
    const [sent] = await emailsTo(server, emails[0]!)
    const [, link = ''] = /href="([^"]*\/c\/[^"]+)"/.exec(sent!.HtmlBody ?? '') ?? []
    const { pathname } = new URL(link)
    expect(pathname).toMatch(/^\/c\/[\w-]{22}\/0$/)
    for (const secret of [ids[0]!, emails[0]!, campaign.id, 'Ana'])
      expect(sent!.HtmlBody!.match(/href="[^"]*\/c\/[^"]+"/g)!.join()).not.toContain(secret)
    const clicked = async () => (await sales.campaigns.results({ id: campaign.id })).total.clicked

    const head = await server.request(pathname, { method: 'HEAD' })
    expect([head.status, await clicked()]).toEqual([302, 0])
    for (let i = 0; i < 2; i++) {
      const opened = await server.request(pathname)
      expect([
        opened.status,
        opened.headers.get('location'),
        opened.headers.get('referrer-policy'),
        opened.headers.get('cache-control'),
      ]).toEqual([302, 'https://clinic.example/book?from=email&x=1', 'no-referrer', 'no-store'])
    }
    expect(await clicked()).toBe(1)
    for (const other of [
      pathname.replace(/0$/, '1'),
      pathname.replace(/0$/, '-1'),
      `/c/${'x'.repeat(22)}/0`,
      '/c/%00/0',
      `/c/${'x'.repeat(5_000)}/0`,
    ]) {
      const refused = await server.request(other)
      expect([other.slice(0, 40), refused.status, refused.headers.get('location')]).toEqual([other.slice(0, 40), 404, null])
    }
  })

  it('reports who replied, unsubscribed, bounced and booked, and the revenue (issue 28)', async () => {
    const { ids, emails, audience } = await patients(Array.from({ length: 5 }, () => ({})))
    const campaign = await start(await draft(audience))
    await ended(campaign.id)
    await untilNoneLeft(server, 'inbox.send')
    const mails = await Promise.all(emails.map(async (email) => (await emailsTo(server, email))[0]!))
    await server.outbox.inbound({ from: emails[0]!, to: mails[0]!.ReplyTo!, subject: 'Re: Spring', text: 'Yes please' })
    const unsubscribe = /^Unsubscribe: (\S+)$/m.exec(mails[1]!.TextBody ?? '')![1]!
    await server.request(new URL(unsubscribe).pathname, { method: 'POST' })
    await server.outbox.event({ type: 'HardBounce', messageId: mails[2]!.MessageID })
    const stages = await sales.pipeline.stages()
    const { version } = await sales.contacts.get({ id: ids[3]! })
    await sales.contacts.update({ id: ids[3]!, version, funnelStage: stages.find(({ kind }) => kind === 'won')!.id })
    await insertReceipts(ids[3]!, [
      { cents: 100_000, days: 1 },
      { cents: 5_000, days: 31 },
      { cents: 7_000, days: -1 },
    ])
    await until(async () => {
      const { total } = await sales.campaigns.results({ id: campaign.id })
      return total.replied === 1 && total.bounced === 1
    })
    expect((await sales.campaigns.results({ id: campaign.id })).total).toEqual({
      sent: 5,
      delivered: 4,
      bounced: 1,
      failed: 0,
      uncertain: 0,
      clicked: 0,
      replied: 1,
      unsubscribed: 1,
      booked: 1,
      revenueCents: 100_000,
    })
    // A later campaign takes what comes after its own message.
    const later = await start(await draft(audience))
    await ended(later.id)
    expect((await sales.campaigns.results({ id: campaign.id })).total.revenueCents).toBe(0)
    expect((await sales.campaigns.results({ id: later.id })).total.revenueCents).toBe(100_000)
  })

  it('is paused in the middle, sends no one anything then, goes on, and sends each patient one email (issue 28)', async () => {
    const { ids, emails, audience } = await patients(Array.from({ length: 24 }, () => ({})))
    const campaign = await start(await draft(audience, { perHour: 600 }))
    const sent = async () => (await sales.campaigns.get({ id: campaign.id })).progress.sent
    await until(async () => (await sent()) === 10)
    await sales.campaigns.pause({ id: campaign.id })
    await makeDue(server, `key = 'campaign ${campaign.id}'`)
    await untilNoneLeft(server, 'campaigns.send')
    expect(await sent()).toBe(10)
    expect(await refusal(sales.campaigns.pause({ id: campaign.id }))).toMatchObject({ status: 409, code: 'WRONG_STATE' })
    await sales.campaigns.resume({ id: campaign.id })
    for (let minutes = 0; (await sales.campaigns.get({ id: campaign.id })).status !== 'done'; minutes++) {
      expect(minutes).toBeLessThan(4)
      await untilRun(campaign.id)
      // A minute passes.
      await server.rows(`update campaign_recipients set sent_at = sent_at - interval '1 minute' where campaign_id = $1`, [campaign.id])
      await makeDue(server, `key = 'campaign ${campaign.id}'`)
      await untilRun(campaign.id)
    }
    await untilNoneLeft(server, 'inbox.send')
    const perPatient = await server.rows<{ n: number }>(
      `select count(*)::int as n from messages join conversations on conversations.id = conversation_id where contact_id = any($1) group by contact_id`,
      [ids],
    )
    expect(perPatient.map(({ n }) => n)).toEqual(ids.map(() => 1))
    for (const email of emails) expect(server.outbox.messages.filter(({ To }) => To === email)).toHaveLength(1)
  })

  it('sends each patient one email, however many runs overlap (issue 28)', async () => {
    const { ids, audience } = await patients(Array.from({ length: 20 }, () => ({})))
    const campaign = await draft(audience)
    await server.rows(`update campaigns set status = 'scheduled', contents = $2 where id = $1`, [
      campaign.id,
      JSON.stringify({ variants: { a: { en: { subject: 'Hi', text: 'Hi', html: 'Hi' } } }, links: [] }),
    ])
    await server.rows(
      `insert into campaign_recipients (campaign_id, contact_id, key, address, language, variant, state)
       select $1::uuid, id, $1 || ':' || id, lower(email), 'en', 'a', 'waiting' from contacts where id = any($2)`,
      [campaign.id, ids],
    )
    await server.rows(`update campaigns set status = 'sending', started_at = now() where id = $1`, [campaign.id])
    const scope = { ...server.running.runtime, actor: null, origin: { requestId: 'test', address: null } } as unknown as Scope
    await Promise.all(Array.from({ length: 5 }, () => sendCampaign.run(scope, { id: campaign.id }, { last: false })))
    const rows = await recipients(campaign.id)
    expect(rows.map(({ state }) => state)).toEqual(ids.map(() => 'sent'))
    expect(new Set(rows.map(({ message_id: id }) => id)).size).toBe(20)
    const written = await server.rows<{ n: number }>(
      `select count(*)::int as n from messages join conversations on conversations.id = conversation_id where contact_id = any($1)`,
      [ids],
    )
    expect(written).toEqual([{ n: 20 }])
  })

  it('checks each patient again when their email is written: a withdrawal, a new address and a deletion since the start (issue 28)', async () => {
    const { ids, audience } = await patients(Array.from({ length: 4 }, () => ({})))
    const campaign = await start(await draft(audience, { perHour: 60 }))
    await until(async () => (await sales.campaigns.get({ id: campaign.id })).progress.sent === 1)
    await sales.campaigns.pause({ id: campaign.id })
    const waiting = (await recipients(campaign.id)).filter(({ state }) => state === 'waiting').map(({ contact_id: id }) => id)
    expect([waiting.length, ids.length]).toEqual([3, 4])
    await sales.consent.withdraw({ id: waiting[0]! })
    await server.rows('update contacts set email = $2 where id = $1', [waiting[1], `${randomUUID()}@new.example`])
    await (await server.as('admin')).contacts.delete({ id: waiting[2]! })
    await server.rows(`update campaigns set per_hour = 100000 where id = $1`, [campaign.id])
    await sales.campaigns.resume({ id: campaign.id })
    await ended(campaign.id)
    const rows = await recipients(campaign.id)
    expect(rows.map(({ state, refusal: why }) => [state, why]).toSorted()).toEqual([
      ['refused', 'changed'],
      ['refused', 'no_consent'],
      ['sent', null],
    ])
  })

  it('gives a patient no more messages of campaigns and sequences in a week than the practice allows (issue 28)', async () => {
    const { audience } = await patients([{}])
    for (const sent of [1, 1, 0]) {
      const campaign = await draft(audience)
      const check = await sales.campaigns.check({ id: campaign.id })
      expect([check.sendable, check.refused]).toEqual([sent, sent === 1 ? [] : [{ reason: 'frequency', count: 1 }]])
      if (sent === 0) continue
      await start(campaign)
      expect((await ended(campaign.id)).progress.sent).toBe(sent)
    }
  })

  it('sends A and B to the test share, and the one with more clicks to the others after its time (issue 28)', async () => {
    const { audience } = await patients(Array.from({ length: 10 }, () => ({})))
    const { id: templateBId } = await newTemplate('Summer')
    const campaign = await start(await draft(audience, { templateBId, testPercent: 40, decideAfterHours: 1 }))
    await until(async () => (await sales.campaigns.get({ id: campaign.id })).progress.sent === 4)
    await untilRun(campaign.id)
    const tested = (await recipients(campaign.id)).filter(({ state }) => state === 'sent')
    expect(tested.map(({ variant }) => variant).toSorted()).toEqual(['a', 'a', 'b', 'b'])
    expect((await sales.campaigns.get({ id: campaign.id })).progress.waiting).toBe(6)
    await server.request(`/c/${tested.find(({ variant }) => variant === 'b')!.click_token}/0`)
    // An hour passes.
    await server.rows(`update campaign_recipients set sent_at = sent_at - interval '61 minutes' where campaign_id = $1`, [campaign.id])
    await makeDue(server, `key = 'campaign ${campaign.id}'`)
    expect((await ended(campaign.id)).winner).toBe('b')
    const all = await recipients(campaign.id)
    expect(all.filter(({ variant }) => variant === 'b')).toHaveLength(8)
    const results = await sales.campaigns.results({ id: campaign.id })
    expect(results.variants.map(({ variant, sent, clicked }) => [variant, sent, clicked])).toEqual([
      ['a', 2, 0],
      ['b', 8, 1],
    ])
  })

  it('starts at its time, becomes a draft again before it, and is stopped for the patients who wait (issue 28)', async () => {
    const { audience } = await patients([{}, {}])
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const campaign = await draft(audience, { perHour: 60 })
    const scheduled = await sales.campaigns.start({ id: campaign.id, version: campaign.version, at })
    expect([scheduled.status, scheduled.startsAt]).toEqual(['scheduled', at])
    const back = await sales.campaigns.stop({ id: campaign.id })
    expect(back.status).toBe('draft')
    await makeDue(server, `key = 'campaign ${campaign.id}'`)
    await untilNoneLeft(server, 'campaigns.begin')
    expect((await sales.campaigns.get({ id: campaign.id })).status).toBe('draft')
    await sales.campaigns.start({ id: campaign.id, version: back.version, at })
    await makeDue(server, `key = 'campaign ${campaign.id}'`)
    await until(async () => (await sales.campaigns.get({ id: campaign.id })).progress.sent === 1)
    const stopped = await sales.campaigns.stop({ id: campaign.id })
    expect([stopped.status, stopped.progress]).toEqual(['stopped', { waiting: 0, held: 0, sent: 1, refused: 0, stopped: 1 }])
    expect(await refusal(sales.campaigns.resume({ id: campaign.id }))).toMatchObject({ status: 409, code: 'WRONG_STATE' })
  })

  it('sends what its templates said when it was scheduled (issue 28)', async () => {
    const { emails, audience } = await patients([{}])
    const { id, version } = await newTemplate('As it was')
    const campaign = await draft(audience, { templateId: id })
    await sales.campaigns.start({ id: campaign.id, version: campaign.version, at: new Date(Date.now() + 3_600_000).toISOString() })
    await sales.emailTemplates.update({ id, version, subject: 'Changed since' })
    await sales.emailTemplates.delete({ id })
    await makeDue(server, `key = 'campaign ${campaign.id}'`)
    const [sent] = await emailsTo(server, emails[0]!)
    expect(sent!.Subject).toBe('As it was')
  })

  it('is previewed for a real patient with the reason why they are not sent it, and sent to oneself as a test (issue 28)', async () => {
    const { ids, audience } = await patients([{ firstName: 'Ana' }, { firstName: 'Ben', consents: false }])
    const { id } = await draft(audience)
    expect(await sales.campaigns.preview({ id, contactId: ids[0]! })).toMatchObject({ text: 'Dear Ana', refusedFor: null, missing: [] })
    expect(await sales.campaigns.preview({ id, contactId: ids[1]! })).toMatchObject({ text: 'Dear Ben', refusedFor: 'no_consent' })
    expect(await sales.campaigns.preview({ id })).toMatchObject({ text: 'Dear Olivia', refusedFor: null })
    const frame = await server.request(`/api/campaigns/${id}/preview.html?variant=a&contactId=${ids[0]}`, {
      headers: { cookie: await server.signIn('sales_rep') },
    })
    expect(frame.headers.get('content-security-policy')).toContain('sandbox')
    expect(await frame.text()).toContain('Dear Ana')
    const { to } = await sales.campaigns.test({ id })
    const [sent] = await emailsTo(server, to)
    expect([sent!.Subject, sent!.TextBody]).toEqual(['[Test] Spring', 'Dear Olivia'])
    expect((await recipients(id)).length).toBe(0)
  })

  it('is previewed for a patient outside its audience with the reason why they could not be sent it (issue 28)', async () => {
    const { audience } = await patients([{}])
    const { ids } = await patients([{ consents: false }, { email: null }, {}])
    const { id } = await draft(audience)
    const reasons = await Promise.all(ids.map((contactId) => sales.campaigns.preview({ id, contactId })))
    expect(reasons.map(({ refusedFor }) => refusedFor)).toEqual(['no_consent', 'no_address', null])
  })

  it('refuses each patient whose message would have a gap: in its check, in the file and when it is sent (issue 28)', async () => {
    const twin = `${randomUUID()}@patient.example`
    const { ids, emails, audience } = await patients([{}, {}, {}, { email: twin }, { email: twin }])
    const procedureOf = (index: number, procedure: string | null) =>
      server.rows('update contacts set procedure_text = $2 where id = $1', [ids[index], procedure])
    for (const index of [0, 2, 4]) await procedureOf(index, 'Rhinoplasty')
    const { id: ofProcedure } = await newTemplate('Your {{procedure}}', 'About your {{procedure}}')
    const campaign = await draft(audience, { templateId: ofProcedure, perHour: 60 })
    const refused = [{ reason: 'missing_value', count: 2 }]
    expect(await sales.campaigns.check({ id: campaign.id })).toMatchObject({ total: 5, sendable: 3, refused, problems: [] })
    expect((await sales.campaigns.preview({ id: campaign.id, contactId: ids[1]! })).refusedFor).toBe('missing_value')
    const file = async () => {
      const headers = { cookie: await server.signIn('sales_rep') }
      return (await server.request(`/api/campaigns/refused.csv?id=${campaign.id}`, { headers })).text()
    }
    const before = await file()
    expect(before.match(/A variable of the template has no value/g)).toHaveLength(2)

    await start(campaign)
    await until(async () => (await sales.campaigns.get({ id: campaign.id })).progress.sent === 1)
    await untilRun(campaign.id)
    expect(await file()).toBe(before)
    // One of the others loses the value before their email is written.
    const waiting = (await recipients(campaign.id)).filter(({ state }) => state === 'waiting')
    await procedureOf(ids.indexOf(waiting[0]!.contact_id), null)
    await server.rows('update campaigns set per_hour = 100000 where id = $1', [campaign.id])
    await makeDue(server, `key = 'campaign ${campaign.id}'`)
    expect((await ended(campaign.id)).progress).toMatchObject({ sent: 2, refused: 3 })
    expect((await sales.campaigns.results({ id: campaign.id })).refused).toEqual([{ reason: 'missing_value', count: 3 }])
    await untilNoneLeft(server, 'inbox.send')
    const sent = server.outbox.messages.filter(({ To }) => emails.includes(To!))
    expect(sent.map(({ Subject }) => Subject)).toEqual(['Your Rhinoplasty', 'Your Rhinoplasty'])
  })

  it('is not started with variables that have a value for no patient, also of a French version (issue 28)', async () => {
    const { audience } = await patients([{}])
    const name = `Offer ${randomUUID()}`
    const english = await newTemplate('Hello', 'On {{appointment_day}} {{nonsense}}', name)
    await newTemplate('Bonjour', 'Solde : {{balance_due}}', `${name}_fr`)
    const campaign = await draft(audience, { templateId: english.id })
    const { problems, sendable } = await sales.campaigns.check({ id: campaign.id })
    expect([problems.length, sendable]).toEqual([4, 0])
    for (const [index, variable] of ['nonsense', 'appointment_day', 'balance_due'].entries())
      expect(problems[index]).toContain(`{{${variable}}}, which has no value in a campaign`)
    expect(await refusal(start(campaign))).toMatchObject({ status: 409, code: 'NOT_READY', data: { problems } })
  })

  it('opens the addresses that its text has, also in quotation marks and angle brackets (issue 28)', async () => {
    const { emails, audience } = await patients([{}])
    const { id: ofText } = await sales.emailTemplates.create({
      name: randomUUID(),
      subject: 'Hours',
      body: 'See "https://clinic.example/a" and <https://clinic.example/b>.',
      category: 'marketing',
    })
    const campaign = await draft(audience, { templateId: ofText })
    const links = ['https://clinic.example/a', 'https://clinic.example/b']
    expect((await sales.campaigns.check({ id: campaign.id })).links.map(({ url }) => url)).toEqual(links)
    await start(campaign)
    const [sent] = await emailsTo(server, emails[0]!)
    const opened = Array.from(sent!.HtmlBody!.matchAll(/href="([^"]*\/c\/[^"]+)"/g), ([, link]) => server.request(new URL(link!).pathname))
    expect((await Promise.all(opened)).map(({ headers }) => headers.get('location'))).toEqual(links)
  })

  it.each([
    [{ name: ' ' }, { name: campaignMessages.name }],
    [{ perHour: 5 }, { perHour: campaignMessages.perHour }],
    [{ testPercent: 20 }, { templateBId: campaignMessages.template }],
    [{ templateId: '0192f3c1-7a5e-7c3b-9d2e-4f1a6b8c0d21' }, { templateId: campaignMessages.templateGone }],
  ])('refuses %j, naming the field (issue 28)', async (given, fields) => {
    const response = await server.send(
      'POST',
      '/api/campaigns',
      { name: 'Spring', audience: {}, ...given },
      await server.signIn('sales_rep'),
    )
    expect([response.status, await response.json()]).toMatchObject([422, { data: { fields } }])
  })

  it('is not started without a template, without anyone to send it to, in the past, twice or from an older version (issue 28)', async () => {
    const { audience } = await patients([{ consents: false }])
    const empty = await draft(audience, { templateId: null })
    expect(await refusal(start(empty))).toMatchObject({
      status: 409,
      code: 'NOT_READY',
      data: { problems: [campaignMessages.template, campaignMessages.noOne] },
    })
    const { audience: other } = await patients([{}])
    const campaign = await draft(other)
    expect(
      await refusal(sales.campaigns.start({ id: campaign.id, version: 1, at: new Date(Date.now() - 1_000).toISOString() })),
    ).toMatchObject({
      status: 422,
      data: { fields: { at: campaignMessages.past } },
    })
    expect(await refusal(sales.campaigns.start({ id: campaign.id, version: 7 }))).toMatchObject({ status: 409, code: 'CHANGED_MEANWHILE' })
    await start(campaign)
    expect(await refusal(start(campaign))).toMatchObject({ status: 409, code: 'NOT_DRAFT' })
    expect(await refusal(sales.campaigns.delete({ id: campaign.id }))).toMatchObject({ status: 409, code: 'NOT_DRAFT' })
    await ended(campaign.id)
  })
})

/** Receipts of a patient, so many days from now. */
async function insertReceipts(contactId: string, receipts: { cents: number; days: number }[]) {
  const customer = `customer-${randomUUID()}`
  await server.rows(`insert into contact_customers (contact_id, customer_id, linked_at) values ($1, $2, now())`, [contactId, customer])
  for (const { cents, days } of receipts)
    await server.rows(
      `insert into sales_receipts (kind, state, idempotency_key, payload_hash, request_id, realm_id, customer_id, customer_name, lines, taxes,
         subtotal_cents, discount_percent, discount_cents, tax_cents, total_cents, deposit_account_id, deposit_account_name, is_uncertain, created_by, created_at)
       select 'sale', 'complete', gen_random_uuid(), '', gen_random_uuid()::text, '', $1, 'Ana', '[]', '[]', $2, 0, 0, 0, $2, '1', 'Bank', false, id,
         now() + make_interval(days => $3) from profiles order by id limit 1`,
      [customer, cents, days],
    )
}

/** Waits until no run of a campaign is due. */
const untilRun = (id: string) =>
  until(
    async () =>
      (
        await server.rows(`select 1 from graphile_worker.jobs where key = $1 and (locked_at is not null or run_at <= now())`, [
          `campaign ${id}`,
        ])
      ).length === 0,
  )
