import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createCustomer, type Sold, newSale, usePointOfSale } from '../../../../test/billing/point-of-sale.ts'
import { databaseFingerprint } from '../../../../test/database-fingerprint.ts'
import { emailsTo } from '../../../../test/messages/emails.ts'
import { amountsIn, textOfPdf } from '../../../../test/formats/pdf.ts'
import type { Client } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

const refusalOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'ok',
    (error: { code?: string; data?: { fields?: unknown } }) => [error.code, error.data?.fields],
  )

describe('receipt PDF and email', () => {
  // Later than the real clock, so that delayed jobs stay delayed.
  const now = { at: new Date('2030-11-22T04:30:00Z') }
  const practice = { PRACTICE_NAME: 'Harbourview', PRACTICE_PHONE: '(905) 555-0118', PRACTICE_SUBTITLE: 'Plastic Surgery, Oakville' }
  const till = usePointOfSale(practice, {}, { now: () => now.at })
  const clerk = () => till.server.as('front_desk')
  const pdfTextOf = async (id: string, query = '') =>
    till.server.request(`/api/pos/receipts/${id}.pdf${query}`, { headers: { cookie: await till.server.signIn('front_desk') } })
  const readPdf = async (id: string) => (await textOfPdf(new Uint8Array(await (await pdfTextOf(id)).arrayBuffer()))).join(' ')
  const cart: Sold[] = [
    { name: 'Rhinoplasty', unitPrice: 820_000, quantity: 2 },
    { name: 'Septoplasty', unitPrice: 190_000, taxCode: 'Exempt', exemptReason: 'Referred, airway obstruction' },
  ]
  afterEach(() => till.quickBooks.setOffline(false))

  async function sold(client: Client, given: { discount?: number; cart?: Sold[]; change?: object } = {}) {
    const customer = await createCustomer(client)
    const sale = await newSale(client, customer, given.cart ?? cart, { discount: given.discount ?? 0 })
    return { customer, ...(await client.pos.createReceipt({ ...sale, ...given.change })) }
  }
  const mailJobs = () =>
    till.server.rows<{ task_identifier: string }>("select 1 from graphile_worker.jobs where task_identifier = 'pos.mail-receipt'")

  it('prints a sale and its refund in the patient’s language, with the same figures', async () => {
    const client = await clerk()
    const { receiptId, DocNumber, customer } = await sold(client, { discount: 1_000, change: { paymentMethod: 'Debit' } })
    await till.server.rows("update contacts set preferred_language = 'fr' where id = $1", [customer.contactId])
    const answer = await pdfTextOf(receiptId)
    expect(answer.headers.get('content-disposition')).toBe(`inline; filename="recu-${DocNumber}.pdf"`)
    const french = (await textOfPdf(new Uint8Array(await answer.arrayBuffer()))).join(' ')
    for (const words of [
      `Reçu ${DocNumber}`,
      `Facturé à ${customer.name}`,
      '21 nov. 2030, 23 h 30',
      'Mode de paiement Carte de débit',
      'TVH ON 2 × 8 200,00 $ 16 400,00 $',
      'Exonéré : Referred, airway obstruction',
      'Rabais de 10 % −1 830,00 $',
      'TVH ON 13 % sur 14 760,00 $ 1 918,80 $',
      'Exonéré sur 1 710,00 $ 0,00 $',
      'Total 18 388,80 $',
    ])
      expect(french).toContain(words)
    const english = (await textOfPdf(new Uint8Array(await (await pdfTextOf(receiptId, '?language=en')).arrayBuffer()))).join(' ')
    expect(english).toContain('Paid by Debit')
    const unknown = await pdfTextOf(receiptId, '?language=de')
    expect([unknown.status, await unknown.json()]).toEqual([422, { code: 'INVALID_INPUT', message: 'The language is en or fr' }])
    expect(amountsIn(french)).toEqual(amountsIn(english))
  })

  it('prints the customer, local time, items, tax by rate, total and payment method', async () => {
    const { receiptId, DocNumber, customer } = await sold(await clerk(), { discount: 1_000 })
    const answer = await pdfTextOf(receiptId)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="receipt-${DocNumber}.pdf"`,
      'cache-control': 'no-store',
      'content-security-policy': "frame-ancestors 'none'",
    })
    const text = (await textOfPdf(new Uint8Array(await answer.arrayBuffer()))).join(' ')
    for (const words of [
      'Harbourview',
      'Plastic Surgery, Oakville',
      '(905) 555-0118',
      `Receipt ${DocNumber}`,
      customer.name,
      'Nov 21, 2030, 11:30 p.m.',
      'Paid by Visa',
      'Memo Thank you',
      'HST ON 2 × $8,200.00 $16,400.00',
      'Exempt 1 × $1,900.00 $1,900.00',
      'Exempt: Referred, airway obstruction',
      'Subtotal $18,300.00',
      'Discount 10% −$1,830.00',
      'HST ON 13% on $14,760.00 $1,918.80',
      'Exempt on $1,710.00 $0.00',
      'Total $18,388.80',
      'Page 1 of 1',
    ])
      expect(text).toContain(words)
    expect(text).not.toContain('Not recorded')
    const seen = await till.server.rows(
      "select 1 from audit_log where kind = 'sales receipt' and action = 'printed' and contact_ids @> array[$1::uuid]",
      [customer.contactId],
    )
    expect(seen.length).toBeGreaterThan(0)
  })

  it('prints all of a hundred lines, on two pages', async () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ name: 'Rhinoplasty', unitPrice: 10_000 + index }))
    const { receiptId } = await sold(await clerk(), { cart: many })
    const pages = await textOfPdf(new Uint8Array(await (await pdfTextOf(receiptId)).arrayBuffer()))
    expect(pages.length).toBeGreaterThan(1)
    for (const [index, page] of pages.entries()) expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
    expect(pages[1]).toContain('Quantity × price')
    for (let index = 0; index < 40; index++) expect(pages.join(' ')).toContain(`1 × $100.${String(index).padStart(2, '0')}`)
  })

  it('prints a large warning while QuickBooks does not have the receipt', async () => {
    till.quickBooks.setOffline(true)
    const client = await clerk()
    const customer = await createCustomerBeforeOutage(client)
    const failed = (await client.pos.createReceipt(await newSale(client, customer, cart)).catch((error: unknown) => error)) as {
      data: { receiptId: string }
    }
    const { receiptId } = failed.data
    expect(await readPdf(receiptId)).toContain('Not recorded yet')
    expect(await refusalOf(client.pos.emailReceipt({ id: receiptId, email: customer.email, idempotencyKey: randomUUID() }))).toEqual([
      'NOT_COMPLETE',
      undefined,
    ])
    await till.server.rows("update sales_receipts set state = 'failed', is_uncertain = false, settling_until = null where id = $1", [
      receiptId,
    ])
    expect(await readPdf(receiptId)).toContain('Refused')
    await client.pos.cancel({ id: receiptId })
    expect(await readPdf(receiptId)).toContain('Cancelled')
  })
  /** Creates the customer before QuickBooks goes down. */
  async function createCustomerBeforeOutage(client: Client) {
    till.quickBooks.setOffline(false)
    const customer = await createCustomer(client)
    till.quickBooks.setOffline(true)
    return customer
  }

  it('prints a refund as its own document, with the receipt’s number and no negative amounts', async () => {
    const client = await till.server.as('billing')
    const { receiptId, DocNumber, customer } = await sold(client, { cart: [{ name: 'Rhinoplasty', unitPrice: 10_000 }] })
    const { accounts } = await client.pos.accounts()
    const refund = await client.pos.refund({
      id: receiptId,
      lines: [0],
      amountCents: 5_650,
      reason: 'Second visit cancelled',
      depositAccount: accounts[0]!.Id,
      paymentMethod: 'Visa',
      idempotencyKey: randomUUID(),
    })
    const text = await readPdf(refund.receiptId)
    for (const words of ['Refund receipt', `Refund of Receipt ${DocNumber}`, 'Reason Second visit cancelled', 'Total refunded $56.50'])
      expect(text).toContain(words)
    expect(text).not.toContain('−$')
    await client.pos.emailReceipt({ id: refund.receiptId, email: customer.email, idempotencyKey: randomUUID() })
    const [mail] = await emailsTo(till.server, customer.email)
    expect(mail!.ReplyTo).toBe('team@refyne.example')
    expect(mail!.Subject).toMatch(/^Refund receipt .+ from Harbourview$/)
  })

  it('answers 404 for an unknown receipt, 401 without a session, 403 to a provider and 405 to HEAD', async () => {
    const { receiptId } = await sold(await clerk())
    const as = async (role: 'front_desk' | 'provider' | null, id: string, method = 'GET') => {
      const cookie = role ? await till.server.signIn(role) : ''
      const answer = await till.server.request(`/api/pos/receipts/${id}.pdf`, { method, headers: cookie ? { cookie } : {} })
      return [answer.status, method === 'HEAD' ? null : ((await answer.json()) as { code: string }).code]
    }
    expect(await as('front_desk', randomUUID())).toEqual([404, 'NOT_FOUND'])
    expect(await as('front_desk', 'x')).toEqual([404, 'NOT_FOUND'])
    expect(await as(null, receiptId)).toEqual([401, 'UNAUTHORIZED'])
    expect(await as('provider', receiptId)).toEqual([403, 'FORBIDDEN'])
    expect(await as('front_desk', receiptId, 'HEAD')).toEqual([405, null])
  })

  it('is emailed in the patient’s preferred language', async () => {
    const client = await clerk()
    const { receiptId, DocNumber, customer } = await sold(client)
    await till.server.rows("update contacts set preferred_language = 'fr' where id = $1", [customer.contactId])
    await client.pos.emailReceipt({ id: receiptId, email: customer.email, idempotencyKey: randomUUID() })
    const [mail] = await emailsTo(till.server, customer.email)
    expect(mail).toMatchObject({
      Subject: `Reçu ${DocNumber} de Harbourview`,
      // Two rhinoplasties and a septoplasty, of which the email names none.
      TextBody: expect.stringMatching(
        /^Bonjour .+,\n\nNous avons reçu votre paiement de [\d\s,]+\$\. Mode de paiement\s: \S.*\.\n\nPièce jointe\s: Reçu \d+\. Merci\.\n/,
      ),
    })
  })

  it('emails the PDF to any address of the patient or the customer, and adds a timeline entry', async () => {
    const client = await clerk()
    const { receiptId, DocNumber, customer } = await sold(client)
    const other = `${randomUUID()}@fastmail.example`
    const { version } = await client.contacts.get({ id: customer.contactId })
    await client.contacts.update({ id: customer.contactId, version, email: other, otherEmails: [customer.email] })
    const { addresses } = await client.pos.receiptAddresses({ id: receiptId })
    expect(addresses).toEqual([
      { email: other, owner: 'patient' },
      { email: customer.email, owner: 'patient' },
    ])
    expect(await client.pos.emailReceipt({ id: receiptId, email: other.toUpperCase(), idempotencyKey: randomUUID() })).toEqual({
      email: other,
    })
    const [mail] = await emailsTo(till.server, other)
    expect(mail).toMatchObject({ Subject: `Receipt ${DocNumber} from Harbourview`, TextBody: expect.stringContaining('(905) 555-0118') })
    expect(mail!.Attachments).toMatchObject([{ Name: `receipt-${DocNumber}.pdf`, ContentType: 'application/pdf' }])
    const [page] = await textOfPdf(Buffer.from(mail!.Attachments![0]!.Content, 'base64'))
    expect(page).toContain(customer.name)
    expect(`${mail!.TextBody} ${mail!.Subject}`).not.toContain('Rhinoplasty')
    const { data } = await client.interactions.list({ contactId: customer.contactId, kind: 'emails' })
    expect(data.map(({ description }) => description)).toEqual([`Receipt ${DocNumber} emailed to ${other}`])
    expect((await client.contacts.get({ id: customer.contactId })).lastContactDate).toBe(now.at.toISOString())
    const audited = await till.server.rows(
      "select 1 from audit_log where kind = 'interaction' and action = 'created' and contact_ids @> array[$1::uuid]",
      [customer.contactId],
    )
    expect(audited).toHaveLength(1)
  })

  it('offers the customer’s address when the patient does not have it', async () => {
    const client = await clerk()
    const { receiptId, customer } = await sold(client)
    const { version } = await client.contacts.get({ id: customer.contactId })
    await client.contacts.update({ id: customer.contactId, version, email: null })
    expect((await client.pos.receiptAddresses({ id: receiptId })).addresses).toEqual([{ email: customer.email, owner: 'customer' }])
    await client.pos.emailReceipt({ id: receiptId, email: customer.email, idempotencyKey: randomUUID() })
    expect(await emailsTo(till.server, customer.email)).toHaveLength(1)
  })

  it('answers 422 for any other address, and writes and sends nothing', async () => {
    const client = await clerk()
    const { receiptId } = await sold(client)
    const { customer: otherCustomer } = await sold(client)
    const before = await databaseFingerprint(till.server)
    expect(await refusalOf(client.pos.emailReceipt({ id: receiptId, email: otherCustomer.email, idempotencyKey: randomUUID() }))).toEqual([
      'INVALID_REFERENCE',
      { email: 'This isn’t an email address of the patient or the customer' },
    ])
    expect(
      await refusalOf(client.pos.emailReceipt({ id: randomUUID(), email: otherCustomer.email, idempotencyKey: randomUUID() })),
    ).toEqual(['NOT_FOUND', undefined])
    expect(await refusalOf(client.pos.receiptAddresses({ id: randomUUID() }))).toEqual(['NOT_FOUND', undefined])
    expect(await databaseFingerprint(till.server)).toEqual(before)
    expect(till.server.outbox.messages.filter(({ To }) => To === otherCustomer.email)).toEqual([])
  })

  it('sends once per key, even for ten concurrent requests, and refuses a key used for another email', async () => {
    const client = await clerk()
    const { receiptId, customer } = await sold(client)
    const { receiptId: second } = await sold(client)
    const sending = { id: receiptId, email: customer.email, idempotencyKey: randomUUID() }
    await Promise.all(Array.from({ length: 10 }, () => client.pos.emailReceipt(sending)))
    await emailsTo(till.server, customer.email)
    await client.pos.emailReceipt(sending)
    await until(async () => (await mailJobs()).length === 0)
    expect(await emailsTo(till.server, customer.email)).toHaveLength(1)
    const [address] = (await client.pos.receiptAddresses({ id: second })).addresses
    expect(await refusalOf(client.pos.emailReceipt({ ...sending, id: second, email: address!.email }))).toEqual(['KEY_REUSED', undefined])
  })

  it('sends later when Postmark is down, and adds a timeline entry when an address rejects it', async () => {
    const client = await clerk()
    const { receiptId, DocNumber, customer } = await sold(client)
    await fetch(`${till.server.outbox.url}/_control/faults`, { method: 'POST', body: JSON.stringify({ status: 503 }) })
    await client.pos.emailReceipt({ id: receiptId, email: customer.email, idempotencyKey: randomUUID() })
    // The first attempt has failed, and the job is queued for the next.
    await until(
      async () =>
        (
          await till.server.rows(
            "select 1 from graphile_worker.jobs where task_identifier = 'pos.mail-receipt' and attempts = 1 and locked_at is null",
          )
        ).length === 1,
    )
    await till.server.rows(
      "update graphile_worker._private_jobs set run_at = now() where id in (select id from graphile_worker.jobs where task_identifier = 'pos.mail-receipt')",
    )
    expect(await emailsTo(till.server, customer.email)).toHaveLength(1)

    await fetch(`${till.server.outbox.url}/_control/inactive`, { method: 'POST', body: JSON.stringify({ addresses: [customer.email] }) })
    await client.pos.emailReceipt({ id: receiptId, email: customer.email, idempotencyKey: randomUUID() })
    const entries = async () =>
      (await client.interactions.list({ contactId: customer.contactId, kind: 'emails' })).data.map(({ description }) => description)
    const all = await until(async () => (await entries()).length === 3 && entries())
    expect(all).toContain(`Receipt ${DocNumber} could not be emailed to ${customer.email}: Postmark rejected it`)
  })

  it('skips an address that bounced, and gives the reason on the timeline', async () => {
    const client = await clerk()
    const { receiptId, DocNumber, customer } = await sold(client)
    await till.server.rows(`insert into suppressed_addresses (address, reason, since) values (lower($1), 'bounce', now())`, [
      customer.email,
    ])
    await client.pos.emailReceipt({ id: receiptId, email: customer.email, idempotencyKey: randomUUID() })
    const failure = `Receipt ${DocNumber} could not be emailed to ${customer.email}: an email to this address bounced permanently`
    await until(async () =>
      (await client.interactions.list({ contactId: customer.contactId, kind: 'emails' })).data.some(
        ({ description }) => description === failure,
      ),
    )
    expect(till.server.outbox.messages.filter(({ To }) => To === customer.email)).toEqual([])
  })
})
