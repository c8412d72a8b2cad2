import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { insertContacts } from '../../../test/factories.ts'
import { makeDue } from '../../../test/jobs.ts'
import { newNumber, useTexts } from '../../../test/messages/texts.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { campaignMessages } from './contract.ts'

/** Each test has days of its own, by which texts are counted: noon in Toronto. */
let now = new Date('2027-01-04T17:00:00Z')
const texts = useTexts({ PRACTICE_ADDRESS: '1 Lakeshore Road, Oakville' }, { now: () => now })
let sales: Client
let templateId: string
beforeAll(async () => {
  sales = await texts.server.as('sales_rep')
  templateId = await newTemplate('Hello {{first_name}}, our new hours: https://clinic.example/hours')
})
beforeEach(() => {
  now = new Date(now.getTime() + 7 * 86_400_000)
  texts.twilio.setDeliveries({})
})

const newTemplate = async (body: string, name: string = randomUUID()) =>
  (await sales.emailTemplates.create({ name, channel: 'text', subject: '', body, category: 'marketing' })).id

type Given = Parameters<typeof insertContacts>[1][number] & { consents?: boolean }
/** Patients whose last name is theirs alone, each with consent to texts unless stated, and the search that finds them. */
async function patients(given: Given[]) {
  const mark = `Q${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const rows = given.map(({ consents: _, ...one }) => ({ phone: newNumber(), ...one, lastName: mark }))
  const ids = await insertContacts(texts.server, rows)
  await texts.server.rows(
    `insert into consents (contact_id, channel, basis, source, given_at) select id, 'text', 'express', 'paper', $2 from unnest($1::uuid[]) as id`,
    [ids.filter((_id, index) => given[index]!.consents !== false), now],
  )
  return { ids, phones: rows.map(({ phone }) => phone!), audience: { search: mark } }
}
const draft = (audience: { search: string }, more: Partial<Parameters<Client['campaigns']['create']>[0]> = {}) =>
  sales.campaigns.create({ name: 'Spring', channel: 'text', audience, templateId, perHour: 100_000, ...more })
const start = ({ id, version }: { id: string; version: number }) => sales.campaigns.start({ id, version })
const untilCampaign = (id: string, isIt: (campaign: Awaited<ReturnType<Client['campaigns']['get']>>) => boolean) =>
  until(async () => {
    const campaign = await sales.campaigns.get({ id })
    return isIt(campaign) && campaign
  })
const ended = (id: string) => untilCampaign(id, ({ status }) => status === 'done')
const sentTo = (number: string) =>
  texts.twilio.messages.filter(({ to, direction }) => to === number && direction === 'outbound-api').map(({ body }) => body)

describe('a campaign by text', () => {
  it('names before it is sent who is refused, the segments and the price, sends the others one text each, and refuses the same (issue 28)', async () => {
    const twin = newNumber()
    const { ids, phones, audience } = await patients([
      { firstName: 'Ana' },
      { firstName: 'Émilie' },
      { phone: null },
      { phone: '+18002345678' },
      { phone: '+447911123456' },
      { consents: false },
      {},
      {},
      {},
      { phone: twin },
      { phone: twin },
    ])
    await texts.server.rows('update contacts set preferred_language = $2 where id = $1', [ids[1], 'fr'])
    await texts.server.rows(
      `insert into suppressed_addresses (address, reason, unsubscribed_at, since)
       values ($1, 'stopped', now(), now()), ($2, null, now(), now()), ($3, 'landline', null, now())`,
      [phones[6], phones[7], phones[8]],
    )
    const name = `hours_${randomUUID().slice(0, 8)}_text`
    const english = await newTemplate('Hello {{first_name}}, we are open on Saturdays.', name)
    await newTemplate('Bonjour {{first_name}}, nous sommes maintenant ouverts le samedi de 9 h à midi.', `${name}_fr`)
    const campaign = await draft(audience, { templateId: english })
    const check = await sales.campaigns.check({ id: campaign.id })
    const refused = [
      { reason: 'no_number', count: 4 },
      { reason: 'stopped', count: 1 },
      { reason: 'unsubscribed', count: 1 },
      { reason: 'no_consent', count: 1 },
      { reason: 'same_address', count: 1 },
    ]
    expect(check).toMatchObject({ total: 11, sendable: 3, refused, problems: [], from: texts.twilio.number })
    expect(check.texts).toEqual({ segments: { en: 1, fr: 2 }, isShortened: false, cost: 4 * 79, perHour: 1_800 })
    const file = async () => {
      const headers = { cookie: await texts.server.signIn('sales_rep') }
      return (await texts.server.request(`/api/campaigns/refused.csv?id=${campaign.id}`, { headers })).text()
    }
    const before = await file()
    expect(before).toContain('Another patient has the same number')

    await start(campaign)
    expect((await ended(campaign.id)).progress).toEqual({ waiting: 0, held: 0, sent: 3, refused: 8, stopped: 0 })
    expect(await file()).toBe(before)
    await until(() => [phones[0]!, phones[1]!, twin].every((number) => sentTo(number).length === 1))
    expect(sentTo(phones[0]!)).toEqual([
      'Hello Ana, we are open on Saturdays.\nHarbourview, 1 Lakeshore Road, Oakville, (905) 555-0118. Reply STOP to end texts.',
    ])
    expect(sentTo(phones[1]!)[0]).toMatch(
      /^Bonjour Émilie, nous sommes maintenant ouverts le samedi de 9 h à midi\.\n.*Répondez ARRET pour ne plus recevoir de textos\.$/,
    )
    expect(texts.twilio.messages.filter(({ to }) => [phones[3], phones[4], phones[6], phones[7], phones[8]].includes(to))).toEqual([])
    expect(await texts.server.rows(`select 1 from conversations where contact_id = any($1) and status = 'active'`, [ids])).toEqual([])
    const [inInbox] = (await sales.inbox.conversations({ contactId: ids[0]!, show: 'all' })).data
    const { messages } = await sales.inbox.conversation({ id: inInbox!.id })
    expect(messages.map(({ origin }) => origin)).toEqual([{ kind: 'campaign', name: 'Spring' }])
  })

  it('waits for the end of the quiet hours on each patient’s own clock (issue 28)', async () => {
    // 8:30 a.m. in Toronto, 9:30 a.m. in Halifax.
    now = new Date(`${now.toISOString().slice(0, 10)}T13:30:00Z`)
    const { phones, audience } = await patients([{}, { phone: '+19025550142' }])
    const campaign = await start(await draft(audience))
    const held = await untilCampaign(campaign.id, ({ progress }) => progress.sent === 1 && progress.held === 1)
    expect(held.status).toBe('sending')
    await until(() => sentTo(phones[1]!).length === 1)
    expect(sentTo(phones[0]!)).toEqual([])
    now = new Date(now.getTime() + 30 * 60_000)
    await until(async () => {
      await makeDue(texts.server, `key = 'campaign ${campaign.id}'`)
      return (await sales.campaigns.get({ id: campaign.id })).status === 'done'
    })
    await until(() => sentTo(phones[0]!).length === 1)
  })

  it('goes on the next day where the day’s limit of texts is reached (issue 28)', async () => {
    const admin = await texts.server.as('admin')
    onTestFinished(async () => {
      await admin.practice.changeSettings({ textsPerDay: null })
    })
    await admin.practice.changeSettings({ textsPerDay: 2 })
    const { phones, audience } = await patients([{}, {}, {}])
    const campaign = await start(await draft(audience))
    await untilCampaign(campaign.id, ({ progress }) => progress.sent === 2 && progress.held === 1)
    now = new Date(now.getTime() + 86_400_000)
    await until(async () => {
      await makeDue(texts.server, `key = 'campaign ${campaign.id}'`)
      return (await sales.campaigns.get({ id: campaign.id })).progress.sent === 3
    })
    await until(() => phones.every((number) => sentTo(number).length === 1))
  })

  it('reports what was delivered, answered and stopped; STOP is no reply (issue 28)', async () => {
    const { phones, audience } = await patients([{}, {}, {}, {}])
    const campaign = await start(await draft(audience, { perHour: 60 }))
    const untilReported = (count: number) =>
      until(async () => {
        const { total } = await sales.campaigns.results({ id: campaign.id })
        return total.delivered + total.failed + total.uncertain === count
      })
    /** A minute passes, in which one more is sent. */
    const sendNext = async (count: number) => {
      await texts.server.rows(`update campaign_recipients set sent_at = sent_at - interval '1 minute' where campaign_id = $1`, [
        campaign.id,
      ])
      await until(async () => (await makeDue(texts.server, `key = 'campaign ${campaign.id}'`)) === 1)
      await untilReported(count)
    }
    await untilReported(1)
    await sendNext(2)
    texts.twilio.setDeliveries({ outcome: 'undelivered', errorCode: 30003 })
    await sendNext(3)
    texts.twilio.setDeliveries({ outcome: 'none' })
    texts.twilio.fault({ kind: 'dropAfter' })
    await sendNext(4)
    await ended(campaign.id)
    now = new Date(now.getTime() + 60_000)
    const delivered = phones.filter((number) => sentTo(number).length === 1).slice(0, 2)
    await texts.twilio.receive({ from: delivered[0]!, body: 'Yes please' })
    await texts.twilio.receive({ from: delivered[1]!, body: 'Arrêt.' })
    await until(async () => {
      const { total } = await sales.campaigns.results({ id: campaign.id })
      return total.replied === 1 && total.unsubscribed === 1
    })
    expect((await sales.campaigns.results({ id: campaign.id })).total).toEqual({
      sent: 4,
      delivered: 2,
      bounced: 0,
      failed: 1,
      uncertain: 1,
      clicked: 0,
      replied: 1,
      unsubscribed: 1,
      booked: 0,
      revenueCents: 0,
    })
  })

  it('is not sent with a clinical word, also where the procedure was added since (issue 28)', async () => {
    const procedure = `Glow ${randomUUID().slice(0, 8)}`
    const clinical = await newTemplate(`Ask us about ${procedure}`)
    const { phones, audience } = await patients([{}])
    const campaign = await draft(audience, { templateId: clinical })
    const scheduled = await sales.campaigns.start({
      id: campaign.id,
      version: campaign.version,
      at: new Date(now.getTime() + 60_000).toISOString(),
    })
    await texts.server.rows('insert into procedures (name) values ($1)', [procedure])
    const later = await draft(audience, { templateId: clinical })
    expect((await sales.campaigns.check({ id: later.id })).problems).toEqual([expect.stringContaining(`“${procedure}”`)])
    expect(await refusal(start(later))).toMatchObject({ status: 409, code: 'NOT_READY' })
    await makeDue(texts.server, `key = 'campaign ${scheduled.id}'`)
    await ended(scheduled.id)
    expect((await sales.campaigns.results({ id: scheduled.id })).refused).toEqual([{ reason: 'clinical', count: 1 }])
    expect(sentTo(phones[0]!)).toEqual([])
  })

  it('refuses a text with the values of an appointment, and patients for whom it would have a gap (issue 28)', async () => {
    const { ids, audience } = await patients([{}, {}])
    const ofAppointment = await draft(audience, { templateId: await newTemplate('See you on {{appointment_day}}') })
    expect((await sales.campaigns.check({ id: ofAppointment.id })).problems).toEqual([
      expect.stringContaining('{{appointment_day}}, which has no value in a campaign'),
      campaignMessages.noOne,
    ])
    expect(await refusal(start(ofAppointment))).toMatchObject({ status: 409, code: 'NOT_READY' })

    await texts.server.rows(`update contacts set email = 'ana@patient.example' where id = $1`, [ids[0]])
    const campaign = await draft(audience, { templateId: await newTemplate('We write to {{email}}') })
    const refused = [{ reason: 'missing_value', count: 1 }]
    expect(await sales.campaigns.check({ id: campaign.id })).toMatchObject({ sendable: 1, refused, problems: [] })
    await start(campaign)
    await ended(campaign.id)
    expect((await sales.campaigns.results({ id: campaign.id })).refused).toEqual(refused)
  })

  it('is previewed as it is sent, with its segments, and not sent as a test (issue 28)', async () => {
    const { ids, audience } = await patients([{ firstName: 'Ana' }, { consents: false }])
    const { id } = await draft(audience)
    expect(await sales.campaigns.preview({ id, contactId: ids[0]! })).toMatchObject({
      text: expect.stringMatching(/^Hello Ana, our new hours: https:\/\/clinic\.example\/hours\n.*Reply STOP to end texts\.$/),
      html: '',
      segments: 1,
      refusedFor: null,
    })
    expect((await sales.campaigns.preview({ id, contactId: ids[1]! })).refusedFor).toBe('no_consent')
    expect(await refusal(sales.campaigns.test({ id }))).toMatchObject({ status: 409, code: 'EMAIL_ONLY' })
  })

  it('takes templates of texts only, and decides a test by replies (issue 28)', async () => {
    const email = await sales.emailTemplates.create({ name: randomUUID(), subject: 'Hi', body: 'Hi', category: 'marketing' })
    expect(await refusal(draft({ search: 'Ana' }, { templateId: email.id }))).toMatchObject({
      status: 422,
      data: { fields: { templateId: campaignMessages.templateGone } },
    })
    expect(await refusal(draft({ search: 'Ana' }, { templateBId: templateId, testPercent: 20 }))).toMatchObject({
      status: 422,
      data: { fields: { decideBy: campaignMessages.noClicks } },
    })
  })
})
