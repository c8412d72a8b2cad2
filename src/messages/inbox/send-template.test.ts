import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { newNumber, sendTemplate, useTexts } from '../../../test/messages/texts.ts'
import type { Client } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { MessageOrigin } from './rules.ts'
import { prepareTemplate, sendTemplates } from './send-template.ts'

const texts = useTexts()
let desk: Client
beforeAll(async () => {
  desk = await texts.server.as('front_desk')
})
beforeEach(() => texts.twilio.clearFaults())

const scope = (env: object = {}): Scope => {
  const { runtime } = texts.server.running
  const system = { ...runtime, actor: null, origin: { requestId: 'test', address: null } } as unknown as Scope
  return { ...system, env: Object.assign(Object.create(runtime.env) as Scope['env'], env) }
}
const template = async (body: string, more: object = {}) =>
  (await desk.emailTemplates.create({ channel: 'text', name: randomUUID(), subject: '', body, ...more })).id
const emailTemplate = async (more: object = {}) =>
  (await desk.emailTemplates.create({ name: randomUUID(), subject: 'Hello {{first_name}}', body: 'Dear {{first_name}}', ...more })).id
type Given = Omit<Parameters<typeof sendTemplate>[2], 'idempotencyKey'> & { idempotencyKey?: string }
const send = ({ idempotencyKey = randomUUID(), ...given }: Given, env?: object) =>
  scope().db.transaction((tx) => sendTemplate(tx, scope(env), { ...given, idempotencyKey }))
const reasonOf = async (given: Given, env?: object) => {
  const result = await send(given, env)
  return isRefusal(result) ? result.refusal : 'sent'
}
const patient = async (contact: Parameters<typeof insertContact>[1] = {}) => {
  const [number, email] = [newNumber(), `${randomUUID()}@fastmail.example`]
  return { number, email, contactId: await insertContact(texts.server, { phone: number, email, ...contact }) }
}
const consent = { wording: 'Offers', way: 'paper' as const }

describe('sending a template', () => {
  it('sends a text once for a key, to the mobile number, with the values filled in (issue 28)', async () => {
    const { number, contactId } = await patient({ firstName: 'Zoë', otherPhones: ['+33 1 42 68 53 00'] })
    const given = { contactId, templateId: await template('Hello {{first_name}}’s', { name: randomUUID() }), idempotencyKey: randomUUID() }
    const [first, second] = [await send(given), await send(given)]
    if (isRefusal(first) || isRefusal(second)) throw new Error('It was refused')
    expect(second.message.id).toBe(first.message.id)
    await until(() => texts.twilio.messages.some(({ to }) => to === number))
    expect(texts.twilio.messages.filter(({ to }) => to === number).map(({ body }) => body)).toEqual(["Hello Zoë's"])
  })

  it('leaves the inbox to what people write: a conversation is archived until the patient answers (issue 28)', async () => {
    const { number, contactId } = await patient()
    expect(await reasonOf({ contactId, templateId: await template('Hello {{first_name}}') })).toBe('sent')
    expect(await reasonOf({ contactId, templateId: await emailTemplate() })).toBe('sent')
    const statuses = async () =>
      (await texts.server.rows<{ status: string }>('select status from conversations where contact_id = $1 order by id', [contactId])).map(
        ({ status }) => status,
      )
    expect(await statuses()).toEqual(['archived', 'archived'])
    await texts.twilio.receive({ from: number, body: 'Thursday, please' })
    await until(async () => (await statuses()).includes('active'))
    expect(await reasonOf({ contactId, templateId: await emailTemplate() })).toBe('sent')
    expect((await statuses()).at(-1)).toBe('active')
  })

  it('uses the version in the patient’s language, whichever of the two is named (issue 28)', async () => {
    const name = randomUUID()
    const english = await template('Good morning', { name })
    const french = await template('Bonjour', { name: `${name}_fr` })
    const { contactId } = await patient()
    const bodyOf = async (templateId: string) => {
      const result = await scope().db.transaction((tx) => prepareTemplate(tx, scope(), { contactId, templateId }))
      return isRefusal(result) ? result.refusal : result.text
    }
    expect([await bodyOf(english), await bodyOf(french)]).toEqual(['Good morning', 'Good morning'])
    await texts.server.rows(`update contacts set preferred_language = 'fr' where id = $1`, [contactId])
    expect([await bodyOf(english), await bodyOf(french)]).toEqual(['Bonjour', 'Bonjour'])
  })

  it('sends an email with its HTML to the first address that may get it (issue 28)', async () => {
    const bounced = `${randomUUID()}@fastmail.example`
    const { email, contactId } = await patient({ firstName: 'Zoë' })
    await texts.server.rows('update contacts set email = $2, other_emails = array[$3] where id = $1', [contactId, bounced, email])
    await texts.server.rows(`insert into suppressed_addresses (address, reason, since) values ($1, 'bounce', now())`, [bounced])
    expect(await reasonOf({ contactId, templateId: await emailTemplate() })).toBe('sent')
    const mail = await until(() => texts.server.outbox.messages.find(({ To }) => To === email))
    expect(mail).toMatchObject({ Subject: 'Hello Zoë', TextBody: 'Dear Zoë' })
    expect(mail.HtmlBody).toContain('<p>Dear Zoë</p>')
  })

  it('refuses with a stable reason, and writes nothing (issue 28)', async () => {
    const { number, email, contactId } = await patient()
    const [textId, emailId] = [await template('Hello'), await emailTemplate()]
    expect(await reasonOf({ contactId: randomUUID(), templateId: textId })).toBe('NO_PATIENT')
    expect(await reasonOf({ contactId, templateId: randomUUID() })).toBe('NO_TEMPLATE')
    expect(await reasonOf({ contactId, templateId: textId, isCommercial: true })).toBe('NO_CONSENT')
    expect(await reasonOf({ contactId, templateId: emailId, isCommercial: true })).toBe('NO_CONSENT')
    expect(await reasonOf({ contactId, templateId: await template('Hello', { category: 'Marketing' }) })).toBe('NO_CONSENT')
    expect(await reasonOf({ contactId, templateId: await template('See {{appointment_day}}') })).toBe('MISSING_VALUE')
    expect(
      await reasonOf({ contactId, templateId: await template('See {{appointment_day}}'), more: { appointment_day: 'Rhinoplasty' } }),
    ).toBe('CLINICAL_WORD')
    expect(await reasonOf({ contactId, templateId: textId }, { TWILIO_ACCOUNT_SID: undefined })).toBe('NOT_SET_UP')
    const unreachable = await insertContact(texts.server, { phone: '800 555 0100', email: null })
    expect(await reasonOf({ contactId: unreachable, templateId: textId })).toBe('NO_MOBILE_NUMBER')
    expect(await reasonOf({ contactId: unreachable, templateId: emailId })).toBe('NO_ADDRESS')
    await texts.twilio.receive({ from: number, body: 'STOP' })
    expect(await reasonOf({ contactId, templateId: textId })).toBe('STOPPED')
    await texts.server.rows(`insert into suppressed_addresses (address, reason, since) values ($1, 'complaint', now())`, [email])
    expect(await reasonOf({ contactId, templateId: emailId })).toBe('BOUNCED')
    const written = await texts.server.rows(
      `select body from messages join conversations on conversations.id = conversation_id where contact_id = $1 and direction = 'outbound'`,
      [contactId],
    )
    // The confirmation of STOP only.
    expect(written).toHaveLength(1)
  })

  it('sends marketing with consent by the channel, and counts its end in the length of a text (issue 28)', async () => {
    const { contactId } = await patient()
    await desk.consent.record({ id: contactId, ...consent, channels: ['text'] })
    const offer = await template('Half the price', { category: 'Marketing' })
    expect(await reasonOf({ contactId, templateId: offer })).toBe('sent')
    expect(await reasonOf({ contactId, templateId: await emailTemplate({ category: 'Marketing' }) })).toBe('NO_CONSENT')
    expect(await reasonOf({ contactId, templateId: await template('a'.repeat(1_590), { category: 'Marketing' }) })).toBe('TOO_LONG')
  })

  it('leaves after what staff write if a sequence sends it, and after everything if a campaign does (issue 28)', async () => {
    const templateId = await template('Hello')
    const priorityOf = async (origin?: MessageOrigin) => {
      const { contactId } = await patient()
      return scope().db.transaction(async (tx) => {
        const sent = await sendTemplates(tx, scope(), { templateId }, [{ contactId, idempotencyKey: randomUUID(), origin }])
        const { message } = sent.get(contactId) as { message: { id: string } }
        const { rows } = await tx.execute<{ priority: number }>(
          sql`select priority from graphile_worker.jobs where key = ${`message ${message.id}`}`,
        )
        return rows[0]!.priority
      })
    }
    const [byStaff, bySequence, byCampaign] = [
      await priorityOf(),
      await priorityOf({ kind: 'sequence', name: 'New lead' }),
      await priorityOf({ kind: 'campaign', name: 'Spring' }),
    ]
    expect(byStaff).toBeLessThan(bySequence)
    expect(bySequence).toBeLessThan(byCampaign)
  })
})
