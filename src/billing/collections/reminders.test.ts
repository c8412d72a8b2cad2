import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createCustomer, newSale, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { databaseFingerprint } from '../../../test/database-fingerprint.ts'
import { insertContact } from '../../../test/factories.ts'
import { emailsTo } from '../../../test/messages/emails.ts'
import { textOfPdf } from '../../../test/formats/pdf.ts'
import type { Client } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { balanceValues } from './reminder-texts.ts'

const refusalOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'ok',
    (error: { code?: string; data?: { fields?: unknown } }) => [error.code, error.data?.fields],
  )

describe('statements and reminders', () => {
  // Later than the real clock, so that delayed jobs stay delayed.
  const now = { at: new Date('2030-11-22T15:00:00Z') }
  const practice = { PRACTICE_NAME: 'Harbourview', PRACTICE_PHONE: '(905) 555-0118' }
  const till = usePointOfSale(practice, {}, { now: () => now.at })
  const clerk = () => till.server.as('billing')
  const statementOf = async (contactId: string) =>
    till.server.request(`/api/contacts/${contactId}/statement.pdf`, { headers: { cookie: await till.server.signIn('billing') } })
  const pagesOf = async (contactId: string) => textOfPdf(new Uint8Array(await (await statementOf(contactId)).arrayBuffer()))

  async function patient(client: Client) {
    const email = `${randomUUID()}@fastmail.example`
    const { id } = await client.contacts.create({ firstName: 'Nguyễn Thị', lastName: 'Hồng', email })
    return { contactId: id, email }
  }
  const charge = (client: Client, contactId: string, given: object = {}) =>
    client.collections.addCharge({ contactId, description: 'Rhinoplasty', amountCents: 100_000, dueOn: '2030-12-01', ...given })

  it('renders a statement with entries and running balance, open instalments, ageing and deposits', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const { contactId } = customer
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 60_000, taxCode: 'Zero-rated' }])
    const { receiptId, DocNumber } = await client.pos.createReceipt(sale)
    const plan = [
      { dueOn: '2030-10-01', amountCents: 40_000 },
      { dueOn: '2030-11-01', amountCents: 30_000 },
      { dueOn: '2030-12-01', amountCents: 30_000 },
    ]
    const { charges } = await charge(client, contactId, { plan, dueOn: '2030-10-01', isBeforeSurgery: true })
    await client.collections.apply({ id: charges[0]!.id, receiptId, amountCents: 45_000 })
    await client.collections.writeOff({ id: charges[0]!.id, amountCents: 5_000, reason: 'She lost her job' })
    const answer = await statementOf(contactId)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="statement-2030-11-22.pdf"',
      'cache-control': 'no-store',
    })
    const pages = await textOfPdf(new Uint8Array(await answer.arrayBuffer()))
    const text = pages.join(' ')
    for (const words of [
      'Statement of account',
      customer.name,
      'As of Nov 22, 2030',
      'Opening balance $0.00',
      'Nov 22, 2030 Rhinoplasty $1,000.00 $1,000.00',
      `Payment: Sales receipt ${DocNumber}`,
      'For Rhinoplasty $450.00 $550.00',
      'Written off',
      '$50.00 $500.00',
      'Balance $500.00',
      'Instalment 2 of 3. Due before surgery Nov 1, 2030 21 days late $200.00',
      'Instalment 3 of 3. Due before surgery Dec 1, 2030 $300.00',
      'Current 1–30 days 31–60 days 61–90 days 90+ days Balance $300.00 $200.00 $0.00 $0.00 $0.00 $500.00',
      `${DocNumber} Nov 22, 2030 $600.00 $150.00`,
      '(905) 555-0118',
    ])
      expect(text).toContain(words)
    expect(text, 'why it was written off is the clinic’s own').not.toContain('She lost her job')
    const seen = await till.server.rows(
      "select 1 from audit_log where kind = 'ledger' and action = 'printed' and contact_ids @> array[$1::uuid]",
      [contactId],
    )
    expect(seen).toHaveLength(1)
  })

  it('repeats the table header on each page of a long statement and prints the full name', async () => {
    const client = await clerk()
    const { contactId } = await patient(client)
    for (let index = 0; index < 60; index++) await charge(client, contactId, { description: `Visit ${index}`, amountCents: 1_000 + index })
    const pages = await pagesOf(contactId)
    expect(pages.length).toBeGreaterThan(2)
    expect(pages[0]).toContain('Nguyễn Thị Hồng')
    expect(pages[1]).toContain('Paid or written off')
    expect(pages.at(-1)).toContain(`Page ${pages.length} of ${pages.length}`)
    expect(pages.join(' ')).toContain('Visit 59 $10.59 $617.70')
  })

  it('renders an empty account; answers 404 for an unknown patient, 401 without a session and 403 to a provider', async () => {
    const client = await clerk()
    const { contactId } = await patient(client)
    expect((await pagesOf(contactId)).join(' ')).toContain('Opening balance $0.00 Balance $0.00')
    const as = async (role: 'billing' | 'provider' | null, id: string) => {
      const cookie = role ? await till.server.signIn(role) : ''
      const answer = await till.server.request(`/api/contacts/${id}/statement.pdf`, { headers: cookie ? { cookie } : {} })
      return [answer.status, ((await answer.json()) as { code: string }).code]
    }
    expect(await as('billing', randomUUID())).toEqual([404, 'NOT_FOUND'])
    expect(await as('billing', 'x')).toEqual([404, 'NOT_FOUND'])
    expect(await as(null, contactId)).toEqual([401, 'UNAUTHORIZED'])
    expect(await as('provider', contactId)).toEqual([403, 'FORBIDDEN'])
  })

  it('proposes a reminder with the balance, sends the edited text and the statement, and updates the timeline', async () => {
    const client = await clerk()
    const { contactId, email } = await patient(client)
    await charge(client, contactId, { dueOn: '2030-11-02' })
    await charge(client, contactId, { amountCents: 50_000 })
    const proposed = await client.collections.reminder({ contactId })
    expect(proposed).toMatchObject({ addresses: [email], subject: 'Your balance with Harbourview' })
    expect(proposed.text).toContain('Hello Nguyễn Thị,')
    expect(proposed.text).toContain('$1,000.00 was due on November 2, 2030. Next, $500.00 is due on December 1, 2030.')
    const text = 'Hello <b>you</b>,\nplease call.\n\nHarbourview'
    const after = await client.collections.remind({ contactId, email, subject: 'Your balance', text, idempotencyKey: randomUUID() })
    expect(after.balanceCents).toBe(150_000)
    const [mail] = await emailsTo(till.server, email)
    expect(mail).toMatchObject({
      Subject: 'Your balance',
      TextBody: text,
      HtmlBody: expect.stringContaining('<p>Hello &lt;b&gt;you&lt;/b&gt;,<br>\nplease call.</p>\n<p>Harbourview</p>'),
      Attachments: [{ Name: 'statement-2030-11-22.pdf', ContentType: 'application/pdf' }],
    })
    const [page] = await textOfPdf(Buffer.from(mail!.Attachments![0]!.Content, 'base64'))
    expect(page).toContain('Balance $1,500.00')
    const admin = await till.server.as('admin')
    const { data } = await admin.interactions.list({ contactId, kind: 'emails' })
    expect(data.map(({ description }) => description)).toEqual([`Reminder emailed to ${email}\n\nYour balance\n\n${text}`])
    expect((await client.contacts.get({ id: contactId })).lastContactDate).toBe(now.at.toISOString())
    expect((await client.collections.outstanding({})).data.find(({ contact }) => contact.id === contactId)!.lastContactDate).toBe(
      now.at.toISOString(),
    )
  })

  it('answers 409 without a balance, 422 for another person’s address and 404 for an unknown patient, and writes nothing', async () => {
    const client = await clerk()
    const { contactId, email } = await patient(client)
    const mail = { contactId, email, subject: 'Your balance', text: 'Please call.', idempotencyKey: randomUUID() }
    expect(await refusalOf(client.collections.reminder({ contactId }))).toEqual(['NOTHING_OWED', undefined])
    expect(await refusalOf(client.collections.remind(mail))).toEqual(['NOTHING_OWED', undefined])
    await charge(client, contactId)
    const before = await databaseFingerprint(till.server)
    expect(await refusalOf(client.collections.remind({ ...mail, email: 'stranger@fastmail.example' }))).toEqual([
      'INVALID_REFERENCE',
      { email: 'This isn’t one of the patient’s email addresses' },
    ])
    expect(await refusalOf(client.collections.remind({ ...mail, contactId: randomUUID() }))).toEqual(['NOT_FOUND', undefined])
    expect(await refusalOf(client.collections.reminder({ contactId: randomUUID() }))).toEqual(['NOT_FOUND', undefined])
    expect(await databaseFingerprint(till.server)).toEqual(before)
  })

  it('sends a reminder once per key, even for ten concurrent requests, and refuses a key used for another reminder', async () => {
    const client = await clerk()
    const { contactId, email } = await patient(client)
    await charge(client, contactId)
    const mail = { contactId, email, subject: 'Your balance', text: 'Please call.', idempotencyKey: randomUUID() }
    await Promise.all(Array.from({ length: 10 }, () => client.collections.remind(mail)))
    await emailsTo(till.server, email)
    await client.collections.remind(mail)
    await until(
      async () =>
        (await till.server.rows("select 1 from graphile_worker.jobs where task_identifier = 'collections.mail-reminder'")).length === 0,
    )
    expect(await emailsTo(till.server, email)).toHaveLength(1)
    expect(await refusalOf(client.collections.remind({ ...mail, text: 'Another' }))).toEqual(['KEY_REUSED', undefined])
  })

  it('writes the email and the timeline entry together or not at all', async () => {
    const client = await clerk()
    const { contactId, email } = await patient(client)
    await charge(client, contactId)
    await till.server.rows(`create function refuse_reminder() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
    await till.server.rows(
      "create trigger refuse_reminder before insert on audit_log for each row when (new.kind = 'interaction') execute function refuse_reminder()",
    )
    const mail = { contactId, email, subject: 'Your balance', text: 'Please call.', idempotencyKey: randomUUID() }
    await expect(client.collections.remind(mail)).rejects.toMatchObject({ status: 500 })
    expect(await till.server.rows('select 1 from interactions where id = $1', [mail.idempotencyKey])).toEqual([])
    await till.server.rows('drop trigger refuse_reminder on audit_log')
    await client.collections.remind(mail)
    expect(await emailsTo(till.server, email)).toHaveLength(1)
  })

  it('uses the clinic’s template, and its design if the message is unedited', async () => {
    const admin = await till.server.as('admin')
    const { id, version } = await admin.emailTemplates.get({
      id: (await admin.emailTemplates.list({})).find(({ name }) => name === 'payment_reminder')!.id,
    })
    await admin.emailTemplates.update({
      id,
      version,
      subject: 'You have {{balance_due}} left to pay',
      body: 'Dear {{first_name}}: {{balance_due}}. {{balance_details}} Please {{payment_contact}}.',
      variables: { html_content: '<h1>{{balance_due}}</h1>' },
    })
    const client = await clerk()
    const { contactId, email } = await patient(client)
    await charge(client, contactId)
    const proposed = await client.collections.reminder({ contactId })
    expect(proposed).toMatchObject({
      subject: 'You have $1,000.00 left to pay',
      text: 'Dear Nguyễn Thị: $1,000.00. $1,000.00 is due on December 1, 2030. Please call (905) 555-0118 or reply to this email.',
    })
    const { subject, text } = proposed
    await client.collections.remind({ contactId, email, subject, text, idempotencyKey: randomUUID() })
    const [mail] = await emailsTo(till.server, email)
    expect(mail).toMatchObject({ Subject: subject, TextBody: text, HtmlBody: expect.stringContaining('<h1>$1,000.00</h1>') })
    await admin.emailTemplates.update({ id, version: version + 1, category: 'Marketing' })
    expect((await client.collections.reminder({ contactId })).isMarketing).toBe(true)
    const again = { contactId, email, subject, text, idempotencyKey: randomUUID() }
    const before = await databaseFingerprint(till.server)
    expect(await refusalOf(client.collections.remind(again))).toEqual(['MARKETING_TEMPLATE', undefined])
    expect(await databaseFingerprint(till.server)).toEqual(before)
    await admin.emailTemplates.delete({ id })
    expect(await client.collections.reminder({ contactId })).toMatchObject({ isMarketing: false, subject: 'Your balance with Harbourview' })
  })

  it('adds one account note with the balance for ten requests, and leaves a surgery hold in place', async () => {
    const client = await clerk()
    const { contactId, email } = await patient(client)
    await charge(client, contactId)
    await client.collections.hold({ contactId, isHeld: true })
    const mail = { contactId, email, subject: 'Your balance', text: 'Please call.', idempotencyKey: randomUUID() }
    await Promise.all(Array.from({ length: 10 }, () => client.collections.remind(mail)))
    const { notes, isHeld } = await client.collections.account({ contactId })
    expect(notes).toMatchObject([{ kind: 'reminder', amountCents: 100_000, note: `Emailed to ${email}` }, { kind: 'hold' }])
    expect(isHeld).toBe(true)
    expect((await client.collections.outstanding({ show: 'held' })).data.map(({ contact }) => contact.id)).toContain(contactId)
  })

  it('refuses a reminder without a deliverable address and says why; unsubscribed addresses still get it', async () => {
    const client = await clerk()
    const text = { subject: 'Your balance', text: 'Please call.', idempotencyKey: randomUUID() }
    const without = await insertContact(till.server, { email: null })
    await charge(client, without)
    expect(await client.collections.reminder({ contactId: without })).toMatchObject({ addresses: [], blocked: [] })
    expect(await refusalOf(client.collections.remind({ ...text, contactId: without, email: 'a@fastmail.example' }))).toEqual([
      'NO_EMAIL',
      undefined,
    ])
    const { contactId, email } = await patient(client)
    await charge(client, contactId)
    await till.server.rows("insert into suppressed_addresses (address, reason, since) values ($1, 'complaint', now())", [email])
    const reason = `No email is sent to ${email}: the owner of this address has marked an email as spam.`
    expect(await client.collections.reminder({ contactId })).toMatchObject({ addresses: [], blocked: [{ address: email, reason }] })
    const before = await databaseFingerprint(till.server)
    expect(await refusalOf(client.collections.remind({ ...text, contactId, email }))).toEqual(['ADDRESS_BLOCKED', { email: reason }])
    expect(await databaseFingerprint(till.server)).toEqual(before)
    await till.server.rows('update suppressed_addresses set reason = null, unsubscribed_at = now() where address = $1', [email])
    await client.collections.remind({ ...text, contactId, email })
    expect(await emailsTo(till.server, email)).toHaveLength(1)
  })
})

describe('due dates in a reminder', () => {
  const practice = { PRACTICE_PHONE: '', PRACTICE_HOURS: '', PRACTICE_HOURS_FR: '' }
  const portion = (dueOn: string, openCents: number, isBeforeSurgery = false) => ({ chargeId: dueOn, dueOn, openCents, isBeforeSurgery })
  const details = (...portions: ReturnType<typeof portion>[]) => {
    const balanceCents = portions.reduce((sum, { openCents }) => sum + openCents, 0)
    return balanceValues({ balanceCents, portions }, { today: '2026-11-22', practice, payUrl: null, language: 'en' }).balance_details
  }
  it.each([
    ['$10.00 is due on December 1, 2026.', [portion('2026-12-01', 1_000)]],
    ['$10.00 is due today.', [portion('2026-11-22', 1_000)]],
    ['$10.00 was due on November 21, 2026.', [portion('2026-11-21', 1_000)]],
    [
      '$30.00 is overdue; the first part was due on October 1, 2026. Next, $5.00 is due on December 1, 2026.',
      [portion('2026-11-01', 1_000), portion('2026-10-01', 2_000), portion('2026-12-24', 900), portion('2026-12-01', 500)],
    ],
    ['$10.00 is due on December 1, 2026. The full balance must be paid before your surgery.', [portion('2026-12-01', 1_000, true)]],
    [
      '$10.00 was due on November 1, 2026. Next, $5.00 is due on December 1, 2026. $5.00 of the $15.00 balance must be paid before your surgery.',
      [portion('2026-11-01', 1_000), portion('2026-12-01', 500, true)],
    ],
    [
      '$2,734.60 is due today. $2,734.60 of the $13,673.02 balance must be paid before your surgery.',
      [portion('2026-11-22', 273_460, true), portion('2027-02-01', 1_093_842)],
    ],
  ])('%s', (sentences, portions) => expect(details(...portions)).toBe(sentences))

  it('says it in French', () => {
    const portions = [portion('2026-11-01', 1_000), portion('2026-12-01', 500, true)]
    const values = balanceValues({ balanceCents: 1_500, portions }, { today: '2026-11-22', practice, payUrl: null, language: 'fr' })
    const details = values.balance_details.replaceAll(/\s/g, ' ')
    expect(details).toBe(
      'Un montant de 10,00 $ devait être payé le 1er novembre 2026. Ensuite, un montant de 5,00 $ est à payer d’ici le 1er décembre 2026. De ce solde de 15,00 $, un montant de 5,00 $ doit être payé avant votre chirurgie.',
    )
  })
})
