import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCustomer, type Sold, newSale, prepareSales, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { insertContact } from '../../../test/factories.ts'
import { makeDue } from '../../../test/jobs.ts'
import { until } from '../../../test/until.ts'

describe('sales', () => {
  const till = usePointOfSale()
  const clerk = () => till.server.as('front_desk')
  const entriesOf = async (contactId: string) =>
    (await (await clerk()).interactions.list({ contactId, kind: 'payments' })).data.map(({ description, createdBy }) => [
      description,
      createdBy,
    ])

  it('records a sale in QuickBooks, returns its ID and number, and adds a timeline entry with all fields (spec 7)', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const made = await client.pos.createReceipt(sale)
    const [booked] = till.quickBooks.receipts()
    expect(made).toEqual({
      Id: booked!.Id,
      DocNumber: booked!.DocNumber,
      receiptId: expect.any(String),
      contactId: customer.contactId,
      differenceCents: null,
    })
    expect(booked).toMatchObject({
      TotalAmt: 169.5,
      CustomerRef: { value: customer.id },
      DepositToAccountRef: { value: sale.depositAccount },
    })
    const [{ id: me }] = (await till.server.rows<{ id: string }>("select id from profiles where role = 'front_desk' limit 1")) as [
      { id: string },
    ]
    expect(await entriesOf(customer.contactId)).toEqual([[`Sales receipt ${made.DocNumber}, $169.50`, me]])
    const [entry] = await till.server.rows('select * from interactions where qb_sales_receipt_id = $1', [made.Id])
    expect(entry).toMatchObject({
      contact_id: customer.contactId,
      payment_method: 'Visa',
      deposit_account: expect.stringMatching(/clearing|Undeposited/),
      sales_receipt_data: { totalCents: 16_950, taxCents: 1_950 },
    })
    expect(await client.pos.receipt({ id: made.receiptId })).toMatchObject({
      state: 'complete',
      totalCents: 16_950,
      contactId: customer.contactId,
      isUncertain: false,
    })
  })

  it('reaches the confirmed total in QuickBooks with a discount and mixed tax codes (spec 9)', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const cart: Sold[] = [
      { name: 'Rhinoplasty', unitPrice: 820_000 },
      { name: 'Operating room', unitPrice: 81_500, quantity: 3 },
      { name: 'Septoplasty', unitPrice: 190_000, taxCode: 'Exempt', exemptReason: 'Referred, airway obstruction' },
      { name: 'scar gel', unitPrice: 4_895, quantity: 2 },
    ]
    const made = await client.pos.createReceipt(await newSale(client, customer, cart, { discount: 500 }))
    expect(till.quickBooks.receipts()[0]).toMatchObject({ Id: made.Id, TotalAmt: 13_337.5, TxnTaxDetail: { TotalTax: 1_326.75 } })
    const { lines, totalCents, differenceCents } = await client.pos.receipt({ id: made.receiptId })
    expect([totalCents, differenceCents, lines[2]!.exemptReason]).toEqual([1_333_750, null, 'Referred, airway obstruction'])
  })

  it('QuickBooks’ own total is ours to the cent, whatever the cart', { timeout: 60_000 }, async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const names = ['scar gel', 'Consultation']
    const saleOf = await prepareSales(client, names)
    const line = fc.record({
      name: fc.constantFrom(...names),
      unitPrice: fc.nat(99_999),
      quantity: fc.integer({ min: 1, max: 7 }),
      taxCode: fc.constantFrom('HST ON', 'GST', 'Zero-rated', 'QST 9.975%'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), fc.nat(10_000), async (cart, discount) => {
        const sale = saleOf(customer, cart, { discount })
        const made = await client.pos.createReceipt(sale)
        expect(made.differenceCents).toBeNull()
        expect(till.quickBooks.receipts()[0]).toMatchObject({ Id: made.Id, TotalAmt: sale.total })
      }),
      { numRuns: 60 },
    )
  })

  it("resolves 'TAX' to the practice's default tax code", async () => {
    const client = await clerk()
    const sale = await newSale(client, await createCustomer(client), [{ name: 'Consultation', unitPrice: 10_000 }])
    sale.lineItems[0]!.SalesItemLineDetail.TaxCodeRef.value = 'TAX'
    const { receiptId } = await client.pos.createReceipt(sale)
    expect((await client.pos.receipt({ id: receiptId })).lines[0]).toMatchObject({ taxCodeName: 'HST ON', taxCents: 1_300 })
  })

  it('sets created_by to the signed-in user and ignores the client’s value', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const { Id } = await client.pos.createReceipt(await newSale(client, customer, [{ name: 'Consultation' }]))
    const entry = {
      contact_id: customer.contactId,
      type: 'sales_receipt' as const,
      description: 'Mine',
      created_by: randomUUID(),
      qb_sales_receipt_id: Id,
      sales_receipt_data: {},
      payment_method: 'Cash',
      deposit_account: 'Mine',
    }
    const first = await client.pos.logInteraction(entry)
    expect(await client.pos.logInteraction(entry)).toEqual(first)
    expect(await entriesOf(customer.contactId)).toHaveLength(1)
    await expect(client.pos.logInteraction({ ...entry, qb_sales_receipt_id: '999999' })).rejects.toMatchObject({
      status: 422,
      code: 'NO_RECEIPT',
    })
    await expect(client.pos.logInteraction({ ...entry, contact_id: randomUUID() })).rejects.toMatchObject({ status: 404 })
  })

  it('accepts and ignores any sales_receipt_data object up to 64 KiB (spec 7)', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const { Id } = await client.pos.createReceipt(await newSale(client, customer, [{ name: 'Consultation' }]))
    const entry = { contact_id: customer.contactId, type: 'sales_receipt' as const, description: 'Paid', qb_sales_receipt_id: Id }
    const ignoredData = { Id, total: 'a lot', line_items: [{ Amount: 1.005, nested: { deep: [null] } }] }
    await client.pos.logInteraction({ ...entry, sales_receipt_data: ignoredData })
    expect(JSON.stringify(await entriesOf(customer.contactId))).not.toContain('a lot')
    await expect(client.pos.logInteraction({ ...entry, sales_receipt_data: { notes: 'x'.repeat(70_000) } })).rejects.toMatchObject({
      status: 422,
      data: { fields: { sales_receipt_data: 'This is too large: 64 KiB at most' } },
    })
  })

  it('accepts an Exempt line without a reason (spec 3)', async () => {
    const client = await clerk()
    const sale = await newSale(client, await createCustomer(client), [{ name: 'Septoplasty', unitPrice: 190_000, taxCode: 'Exempt' }])
    expect(sale.lineItems[0]).not.toHaveProperty('exemptReason')
    const { receiptId } = await client.pos.createReceipt(sale)
    expect((await client.pos.receipt({ id: receiptId })).lines[0]).toMatchObject({ taxCodeName: 'Exempt', taxCents: 0, exemptReason: null })
  })

  it("returns the field's message as `error` in a refused point-of-sale call (spec 7)", async () => {
    const cookie = await till.server.signIn('front_desk')
    const errorOf = async (path: string, body: unknown, as?: string, method = 'POST') => {
      const answer = await till.server.send(method, path, body, as)
      return [answer.status, ((await answer.json()) as { error?: string }).error]
    }
    const incomplete = { firstName: 'Ana', lastName: '', email: '' }
    const needed = 'First name, last name, and email are required for POS customers'
    expect(await errorOf('/api/qbo/customers/create', incomplete, cookie)).toEqual([422, needed])
    expect(await errorOf('/api/qbo/customers/update-email', { customerId: '1', email: '' }, cookie)).toEqual([422, 'Email is required'])
    expect(await errorOf('/api/qbo/customers/create', incomplete)).toEqual([401, 'Please sign in'])
    // The sentence must name the field, because nothing else does.
    expect(await errorOf('/api/qbo/customers/pos-search?query=a&assignee=x', undefined, cookie, 'GET')).toEqual([
      422,
      'Query: type at least 2 characters. The field assignee is not known',
    ])
    expect(await errorOf('/api/qbo/nothing', {}, cookie)).toEqual([404, 'Unknown call'])
    expect(await errorOf('/api/functions/request-document-access', { email: 'x' })).toEqual([422, 'Please enter a valid email address'])
    expect(await errorOf('/api/functions/verify-document-access', [])).toEqual([422, 'Send a JSON object'])
    const text = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }
    const other = await till.server.request('/api/functions/patient-documents-fetch', text)
    expect([other.status, await other.json()]).toMatchObject([415, { error: 'Send application/json' }])
  })

  it('requires an email before a customer can pay (spec 5)', async () => {
    const client = await clerk()
    const { customers } = await client.pos.searchCustomers({ query: 'an', type: 'name' })
    const silent = customers.find(({ email, refyneContactId }) => email === null && refyneContactId === null)!
    const sale = await newSale(client, silent, [{ name: 'Consultation' }])
    await expect(client.pos.createReceipt(sale)).rejects.toMatchObject({
      status: 422,
      data: { fields: { customerId: 'Email is required' } },
    })
    const email = `${randomUUID()}@fastmail.example`
    const { refyneContactId } = await client.pos.updateCustomerEmail({ customerId: silent.id, email })
    expect(till.quickBooks.customers().find(({ Id }) => Id === silent.id)).toMatchObject({ PrimaryEmailAddr: { Address: email } })
    await client.pos.createReceipt(sale)
    expect(await entriesOf(refyneContactId)).toHaveLength(1)
  })

  it('completes the receipt when the patient cannot be saved, and adds the timeline entry later, once', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    await till.server.rows(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no' ; end $$;
      create trigger refuse before insert on interactions for each row when (new.type = 'sales_receipt') execute function refuse()`)
    const made = await client.pos.createReceipt(await newSale(client, customer, [{ name: 'Consultation' }]))
    expect(await client.pos.receipt({ id: made.receiptId })).toMatchObject({ state: 'complete' })
    expect(await entriesOf(customer.contactId)).toEqual([])
    await till.server.rows('drop trigger refuse on interactions')
    await until(async () => {
      await makeDue(till.server, "id in (select id from graphile_worker.jobs where task_identifier = 'pos.log-receipt')")
      return (await entriesOf(customer.contactId)).length === 1
    })
  })
})

describe('customers', () => {
  const till = usePointOfSale()
  const clerk = () => till.server.as('billing')

  it('finds customers by name or email from 2 characters, ignoring accents and apostrophes, with the matching patient', async () => {
    const client = await clerk()
    const made = await createCustomer(client)
    const byName = await client.pos.searchCustomers({ query: "eloise o'neill", type: 'name' })
    expect(byName.customers).toContainEqual({ id: made.id, name: made.name, email: made.email, refyneContactId: made.contactId })
    const byEmail = await client.pos.searchCustomers({ query: made.email.toUpperCase(), type: 'email' })
    expect(byEmail.customers.map(({ id }) => id)).toEqual([made.id])
    for (const query of ['a', ' a ', '']) {
      await expect(client.pos.searchCustomers({ query, type: 'name' })).rejects.toMatchObject({
        status: 422,
        data: { fields: { query: 'Type at least 2 characters' } },
      })
    }
    for (const query of ['%%', "' OR 1=1", '\\\\', '__'])
      expect(Array.isArray((await client.pos.searchCustomers({ query, type: 'name' })).customers)).toBe(true)
  })

  it('finds customers just added in QuickBooks, and known ones while QuickBooks is down', async () => {
    const client = await clerk()
    const known = await createCustomer(client)
    await till.server.rows('delete from quickbooks_objects where id = $1', [known.id])
    expect((await client.pos.searchCustomers({ query: known.name, type: 'name' })).customers).toMatchObject([{ id: known.id }])
    till.quickBooks.setOffline(true)
    expect(await client.pos.searchCustomers({ query: known.name, type: 'name' })).toMatchObject({
      customers: [{ id: known.id }],
      isUnavailable: false,
    })
    expect(await client.pos.searchCustomers({ query: 'no one of that name', type: 'name' })).toMatchObject({
      customers: [],
      isUnavailable: true,
    })
    till.quickBooks.setOffline(false)
  })

  it('requires first name, last name and email of a new customer, and links the patient with that email (spec 5)', async () => {
    const client = await clerk()
    const email = `${randomUUID()}@fastmail.example`
    const contactId = await insertContact(till.server, { email })
    for (const missing of ['firstName', 'lastName', 'email'] as const) {
      await expect(client.pos.createCustomer({ firstName: 'Ana', lastName: 'Silva', email, [missing]: ' ' })).rejects.toMatchObject({
        status: 422,
        data: { fields: { [missing]: 'First name, last name, and email are required for POS customers' } },
      })
    }
    const made = await client.pos.createCustomer({ firstName: 'Ana', lastName: 'Silva', email: email.toUpperCase() })
    expect(made.refyneContactId).toBe(contactId)
    // A second click creates no duplicate; another person of the same name stays separate.
    expect(await client.pos.createCustomer({ firstName: 'Ana', lastName: 'Silva', email: email.toUpperCase() })).toEqual(made)
    const other = await client.pos.createCustomer({ firstName: 'Ana', lastName: 'Silva', email: `other-${email}` })
    expect([other.Id === made.Id, other.name]).toEqual([false, `Ana Silva (other-${email})`])
    expect(await client.pos.findContacts({ email })).toEqual([{ id: contactId }])
    expect(await client.pos.addContact({ first_name: 'Ana', last_name: 'Silva', email, qb_customer_id: made.Id })).toEqual({
      id: contactId,
    })
  })

  it('refuses a web address or line break in a new customer’s name, and names the field', async () => {
    const client = await clerk()
    const customer = { firstName: 'Ana', lastName: 'Silva', email: `${randomUUID()}@fastmail.example` }
    for (const name of ['Claim at https://evil.example', 'ftp://evil', 'www.evil.example', 'Ana\nSilva', 'Ana\u2028Silva'])
      for (const [field, label] of [
        ['firstName', 'First name'],
        ['lastName', 'Last name'],
      ] as const)
        await expect(client.pos.createCustomer({ ...customer, [field]: name })).rejects.toMatchObject({
          status: 422,
          data: { fields: { [field]: `${label} can't contain a web address or a line break` } },
        })
    expect(await client.pos.findContacts({ email: customer.email })).toEqual([])
    expect(
      till.quickBooks.customers().filter(({ PrimaryEmailAddr }) => JSON.stringify(PrimaryEmailAddr ?? '').includes(customer.email)),
    ).toEqual([])
  })

  it('leaves a web address out of the patient’s name when QuickBooks has it in the customer’s', async () => {
    const client = await clerk()
    for (const [name, lastName] of [
      ['Glow spa www.glow.example', 'Glow spa'],
      ['https://glow.example', 'QuickBooks customer'],
    ] as const) {
      const customer = await createCustomer(client)
      const email = `${randomUUID()}@glow.example`
      await till.server.rows('delete from contact_customers where customer_id = $1', [customer.id])
      await till.server.rows(
        `update quickbooks_objects set name = $2, email = $3, facts = facts || '{"givenName":null,"familyName":null}' where kind = 'customer' and id = $1`,
        [customer.id, name, email],
      )
      const { contactId } = await client.pos.createReceipt(await newSale(client, { id: customer.id, name }, [{ name: 'Consultation' }]))
      const [contact] = await till.server.rows('select * from contacts where id = $1', [contactId])
      expect(contact).toMatchObject({ email, last_name: lastName })
    }
  })

  it('creates a customer for the given patient even if another has the email; answers 404 for an unknown patient', async () => {
    const client = await clerk()
    const email = `${randomUUID()}@fastmail.example`
    await insertContact(till.server, { email })
    const contactId = await insertContact(till.server, { firstName: 'Ana', lastName: 'Named' })
    const made = await client.pos.createCustomer({ firstName: 'Ana', lastName: 'Named', email, contactId })
    expect(made.refyneContactId).toBe(contactId)
    expect((await client.pos.customerOfContact({ contactId })).customer).toMatchObject({ id: made.Id })
    const none = { firstName: 'Ana', lastName: 'None', email, contactId: randomUUID() }
    await expect(client.pos.createCustomer(none)).rejects.toMatchObject({ status: 404 })
  })

  it('offers the user’s last deposit account, but not that of cards, and stores a payment without a method as Other', async () => {
    const client = await till.server.as('admin')
    const { accounts, cardAccount } = await client.pos.accounts()
    const last = accounts.findLast(({ Id }) => Id !== cardAccount)!.Id
    const { paymentMethod: _, ...sale } = await newSale(client, await createCustomer(client), [{ name: 'Rhinoplasty', unitPrice: 1_000 }])
    const { receiptId } = await client.pos.createReceipt({ ...sale, depositAccount: last })
    await client.pos.createReceipt({ ...sale, idempotencyKey: randomUUID(), depositAccount: cardAccount! })
    expect((await client.pos.accounts()).lastUsedAccount).toBe(last)
    expect((await client.pos.receipt({ id: receiptId })).paymentMethod).toBe('Other')
  })

  it('finds a patient’s customer by link or email, and follows a merge', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    expect((await client.pos.customerOfContact({ contactId: customer.contactId })).customer).toMatchObject({ id: customer.id })
    const patientId = await insertContact(till.server)
    expect((await client.pos.customerOfContact({ contactId: patientId })).customer).toBeNull()
    await expect(client.pos.customerOfContact({ contactId: randomUUID() })).rejects.toMatchObject({ status: 404 })
    const admin = await till.server.as('admin')
    const [source, target] = await Promise.all([admin.contacts.get({ id: customer.contactId }), admin.contacts.get({ id: patientId })])
    await admin.contacts.merge({
      id: patientId,
      sourceId: customer.contactId,
      version: target.version,
      sourceVersion: source.version,
      choices: {},
    })
    expect((await client.pos.customerOfContact({ contactId: patientId })).customer).toMatchObject({ id: customer.id })
  })

  it('refuses an unknown customer, and reports that QuickBooks is down', async () => {
    const client = await clerk()
    const email = `${randomUUID()}@fastmail.example`
    await expect(client.pos.updateCustomerEmail({ customerId: '99999999', email })).rejects.toMatchObject({ status: 404 })
    await expect(client.pos.updateCustomerEmail({ customerId: '1', email: '' })).rejects.toMatchObject({
      status: 422,
      data: { fields: { email: 'Email is required' } },
    })
    till.quickBooks.setOffline(true)
    await expect(client.pos.createCustomer({ firstName: 'Ana', lastName: 'Away', email })).rejects.toMatchObject({
      status: 503,
      code: 'AWAY',
    })
    await expect(client.pos.updateCustomerEmail({ customerId: '1', email })).rejects.toMatchObject({ status: 503 })
    till.quickBooks.setOffline(false)
    expect(await client.pos.findContacts({ email })).toEqual([])
  })
})
