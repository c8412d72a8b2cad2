import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { emailsTo } from '../../../test/messages/emails.ts'
import { createPatient, useInbox } from '../../../test/messages/inbox.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

describe('commercial email', () => {
  const server = useInbox({ PRACTICE_NAME: 'Harbour & Sons' })
  let sales: Client
  beforeAll(async () => {
    sales = await server.as('sales_rep')
  })
  const consentInput = { wording: 'News and offers by email', way: 'paper' as const }
  const mail = (contactId: string, email: string, more: object = {}) => ({
    contactId,
    email,
    subject: 'Offers',
    text: 'Half the price',
    isCommercial: true,
    idempotencyKey: randomUUID(),
    ...more,
  })
  /** A patient who consented and was sent a commercial email, with the unsubscribe link from it. */
  async function subscriber() {
    const patient = await createPatient(server)
    await sales.consent.record({ id: patient.id, ...consentInput })
    await sales.inbox.start(mail(patient.id, patient.email))
    const [sent] = await emailsTo(server, patient.email)
    const link = /^Unsubscribe: (\S+)$/m.exec(sent!.TextBody ?? '')?.[1] ?? ''
    return { ...patient, sent: sent!, link, path: new URL(link).pathname }
  }
  const timelineOf = async (contactId: string) => (await sales.interactions.list({ contactId })).data.map(({ description }) => description)

  it('is refused and not stored without consent, also in a conversation, while other email is sent', async () => {
    const { id, email } = await createPatient(server)
    const refused = { status: 409, code: 'NO_CONSENT', message: expect.stringContaining('Record their consent first') }
    expect(await refusal(sales.inbox.start(mail(id, email)))).toMatchObject(refused)
    expect(await server.rows('select 1 from conversations where contact_id = $1', [id])).toEqual([])
    const { id: conversation } = await sales.inbox.start(mail(id, email, { isCommercial: false }))
    const again = { id: conversation, text: 'Half the price', isCommercial: true, idempotencyKey: randomUUID() }
    expect(await refusal(sales.inbox.reply(again))).toMatchObject(refused)
    await emailsTo(server, email)
  })

  it('is refused once consent has expired', async () => {
    const { id, email } = await createPatient(server)
    await server.rows(
      `insert into consents (contact_id, basis, source, given_at, expires_at) values ($1, 'inquiry', 'lead', now() - interval '1 year', now())`,
      [id],
    )
    expect(await refusal(sales.inbox.start(mail(id, email)))).toMatchObject({ code: 'NO_CONSENT' })
  })

  it('includes every email from a template in the Marketing category, and an unknown template is refused by field', async () => {
    const { id, email } = await createPatient(server)
    const template = { name: randomUUID(), subject: 'Offers', body: 'Half the price' }
    const { id: templateId } = await sales.emailTemplates.create({ ...template, category: 'Marketing' })
    expect(await refusal(sales.inbox.start(mail(id, email, { isCommercial: false, templateId })))).toMatchObject({ code: 'NO_CONSENT' })
    expect(await refusal(sales.inbox.start(mail(id, email, { templateId: randomUUID() })))).toMatchObject({
      code: 'INVALID_REFERENCE',
      data: { fields: { templateId: 'This template no longer exists' } },
    })
  })

  it('names the sender and the postal address, and has the unsubscribe link in the text and in the headers', async () => {
    const { sent, link } = await subscriber()
    expect(sent.TextBody).toMatch(
      /^Half the price\n\n-- \nHarbour & Sons \(1 Lakeshore Road, .*, team@inbound\.example\) sent you this email\.\n/,
    )
    expect(sent.Headers).toEqual(
      expect.arrayContaining([
        { Name: 'List-Unsubscribe', Value: `<${link}>` },
        { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
      ]),
    )
  })

  it('ends in French for a patient who prefers it', async () => {
    const { id, email } = await subscriber()
    await server.rows("update contacts set preferred_language = 'fr' where id = $1", [id])
    await sales.inbox.start({ ...mail(id, email), idempotencyKey: randomUUID() })
    const sent = await until(async () => (await emailsTo(server, email)).find(({ TextBody }) => TextBody?.includes('Ce courriel')))
    expect(sent.TextBody).toMatch(/\nCe courriel vous est envoyé par Harbour & Sons \(.*\)\.\nSe désabonner\s: http\S+\n$/)
  })

  it('is the only email with an unsubscribe link', async () => {
    const { id, email } = await createPatient(server)
    await sales.inbox.start(mail(id, email, { isCommercial: false }))
    const [sent] = await emailsTo(server, email)
    expect(JSON.stringify(sent)).not.toMatch(/unsubscribe/i)
  })

  it('stops after one click, with one timeline entry for simultaneous clicks, while other email is still sent (RFC 8058)', async () => {
    const { id, email, path } = await subscriber()
    const token = path.split('/').at(-1) ?? ''
    expect(await server.client().consent.mailing({ token })).toEqual({ address: email, isUnsubscribed: false })
    const click = () =>
      server.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
    const responses = await Promise.all(Array.from({ length: 10 }, click))
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await server.client().consent.mailing({ token })).toEqual({ address: email, isUnsubscribed: true })
    const state = await sales.consent.get({ id })
    expect(state).toMatchObject({ live: null, unsubscribed: [email], entries: [{ withdrawalSource: 'link', withdrawnBy: null }] })
    expect((await sales.contacts.get({ id })).consentToCommunicate).toBe(false)
    expect((await timelineOf(id)).filter((line) => line === `${email} unsubscribed from commercial email`)).toHaveLength(1)
    expect(await refusal(sales.inbox.start(mail(id, email)))).toMatchObject({ code: 'NO_CONSENT' })
    await sales.inbox.start(mail(id, email, { isCommercial: false, text: 'Your appointment' }))
    await emailsTo(server, email, 2)
  })

  it('is not sent to an unsubscribed address on later implied consent, only on newly recorded express consent', async () => {
    const { id, email, path } = await subscriber()
    await server.request(path, { method: 'POST' })
    await server.rows(`insert into consents (contact_id, basis, source, given_at) values ($1, 'purchase', 'sale', now())`, [id])
    expect(await refusal(sales.inbox.start(mail(id, email)))).toMatchObject({ code: 'NO_CONSENT' })
    await sales.consent.record({ id, ...consentInput })
    await sales.inbox.start(mail(id, email))
    await emailsTo(server, email, 2)
  })

  it('has an unsubscribe page that needs no sign-in and changes nothing, and every invalid token gets the same 404', async () => {
    const { id, path } = await subscriber()
    const [encoded = '', mac = ''] = path.split('/').at(-1)!.split('~')
    expect([200, 503]).toContain((await server.request(path)).status)
    expect((await sales.consent.get({ id })).live).not.toBeNull()
    const forged = Buffer.from(Buffer.from(encoded, 'base64url').toString().replace('@', '@x')).toString('base64url')
    const tokens = ['x', `${encoded}~`, `${encoded}~${mac}x`, `${forged}~${mac}`, `${encoded}=~${mac}`, `${encoded}~${mac}~x`, `~${mac}`]
    for (const token of tokens) {
      const response = await server.request(`/u/${token}`, { method: 'POST' })
      expect([token, response.status, await response.text()]).toEqual([
        token,
        404,
        '{"code":"NOT_FOUND","message":"This link does not work"}',
      ])
      expect(await refusal(server.client().consent.mailing({ token }))).toMatchObject({ status: 404, message: 'This link does not work' })
    }
    expect((await sales.consent.get({ id })).live).not.toBeNull()
  })

  it('can be unsubscribed from with the link of a deleted patient', async () => {
    const { id, email, path } = await subscriber()
    await (await server.as('admin')).contacts.delete({ id })
    expect((await server.request(path, { method: 'POST' })).status).toBe(200)
    expect(await server.rows('select reason, unsubscribed_at from suppressed_addresses where address = $1', [email])).toEqual([
      { reason: null, unsubscribed_at: expect.any(Date) as Date },
    ])
  })

  it.each(['SubscriptionChange', 'Unsubscribe'] as const)('stops when Postmark reports an unsubscribe: %s', async (type) => {
    const { id, email } = await subscriber()
    await server.outbox.event({ type, email })
    await until(async () => (await sales.consent.get({ id })).live === null)
    expect(await sales.consent.get({ id })).toMatchObject({ unsubscribed: [email], entries: [{ withdrawalSource: 'postmark' }] })
    await server.outbox.event({ type: 'SubscriptionChange', email, suppressSending: false, origin: 'Customer' })
    expect((await sales.consent.get({ id })).unsubscribed).toEqual([email])
  })

  it.each(['before', 'after'] as const)(
    'stays stopped for someone who unsubscribed %s a bounce, even once Postmark delivers again, until express consent is recorded',
    async (when) => {
      const { id, email, path, sent } = await subscriber()
      if (when === 'before') await server.request(path, { method: 'POST' })
      await server.outbox.event({ type: 'HardBounce', messageId: sent.MessageID, email })
      if (when === 'after') await server.request(path, { method: 'POST' })
      expect(await sales.consent.get({ id })).toMatchObject({ live: null, unsubscribed: [email] })
      expect((await timelineOf(id)).filter((line) => line === `${email} unsubscribed from commercial email`)).toHaveLength(1)
      const other = mail(id, email, { isCommercial: false, text: 'Your appointment' })
      expect(await refusal(sales.inbox.start(other))).toMatchObject({ code: 'SUPPRESSED' })
      await server.outbox.event({ type: 'SubscriptionChange', email, suppressSending: false, origin: 'Customer' })
      await server.rows(`insert into consents (contact_id, basis, source, given_at) values ($1, 'purchase', 'sale', now())`, [id])
      expect(await refusal(sales.inbox.start(mail(id, email)))).toMatchObject({ code: 'NO_CONSENT' })
      await sales.inbox.start(other)
      await sales.consent.record({ id, ...consentInput })
      expect((await sales.consent.get({ id })).unsubscribed).toEqual([])
      await sales.inbox.start(mail(id, email))
      await emailsTo(server, email, 3)
    },
  )

  it('is not sent to a bounced address, even after consent is recorded', async () => {
    const { id, email, path, sent } = await subscriber()
    await server.request(path, { method: 'POST' })
    await server.outbox.event({ type: 'HardBounce', messageId: sent.MessageID, email })
    await sales.consent.record({ id, ...consentInput })
    expect(await refusal(sales.inbox.start(mail(id, email)))).toMatchObject({ code: 'SUPPRESSED' })
    await server.outbox.event({ type: 'SubscriptionChange', email, suppressSending: false, origin: 'Customer' })
    await sales.inbox.start(mail(id, email))
    await emailsTo(server, email, 2)
  })

  it('is checked again when it is sent: a withdrawal while it is queued stops it, and the message shows why', async () => {
    const { id, email } = await createPatient(server)
    await sales.consent.record({ id, ...consentInput })
    // Postmark is unavailable at first, so the message stays queued.
    await fetch(`${server.outbox.url}/_control/faults`, { method: 'POST', body: JSON.stringify({ status: 503 }) })
    const { id: conversation } = await sales.inbox.start(mail(id, email))
    const messageOf = async () => (await sales.inbox.conversation({ id: conversation })).messages[0]!
    await until(async () => (await messageOf()).problem !== null)
    await sales.consent.withdraw({ id })
    const message = await until(async () => {
      const now = await messageOf()
      return now.status === 'failed' && now
    })
    expect(message.problem).toBe('It was not sent: the patient no longer consents to commercial email.')
    expect(server.outbox.messages.filter(({ To }) => To === email)).toEqual([])
  })
})

describe('commercial email without a postal address of the practice', () => {
  const server = useInbox({ PRACTICE_ADDRESS: '' })

  it('is refused with the setting to fill in, while other email is sent', async () => {
    const sales = await server.as('sales_rep')
    const { id, email } = await createPatient(server)
    await sales.consent.record({ id, wording: 'News and offers by email', way: 'paper' })
    const mail = { contactId: id, email, subject: 'Offers', text: 'Half the price', isCommercial: true, idempotencyKey: randomUUID() }
    const refused = { status: 409, code: 'NO_POSTAL_ADDRESS', message: expect.stringContaining('under Settings, Practice') }
    expect(await refusal(sales.inbox.start(mail))).toMatchObject(refused)
    await sales.inbox.start({ ...mail, isCommercial: false })
    await emailsTo(server, email)
  })
})
