import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createCustomer, newSale, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { insertContact } from '../../../test/factories.ts'
import { textOfPdf } from '../../../test/formats/pdf.ts'
import { newQuote, createSentQuote } from '../../../test/billing/quotes.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'

const code = (asking: Promise<unknown>) =>
  asking.then(
    () => 'ok',
    (error: { code?: string }) => error.code,
  )

describe('accepting a quote', () => {
  const now = { at: new Date('2026-11-22T15:00:00Z') }
  const till = usePointOfSale({}, {}, { now: () => now.at })
  const clerk = () => till.server.as('front_desk')
  const patient = () => insertContact(till.server, { email: `${randomUUID()}@mail.example` })
  const caseOf = async (client: Client, contactId: string, priceCents: number | null = null) => {
    const procedures = await client.procedures.list()
    const named = procedures.find(({ name }) => name === 'Rhinoplasty')
    const procedure = named ?? (await (await till.server.as('admin')).procedures.create({ name: 'Rhinoplasty' }))
    return client.surgeries.create({
      contactId,
      procedureIds: [procedure.id],
      anaesthesia: 'general',
      startsAt: '2027-03-01T13:00:00Z',
      minutes: 180,
      priceCents,
      idempotencyKey: randomUUID(),
    })
  }
  const revenueOf = async (client: Client, contactId: string) => (await client.contacts.get({ id: contactId })).revenueCents
  const accept = (client: Client, { id, totalCents }: { id: string; totalCents: number }) =>
    client.quotes.accept({ id, totalCents, name: 'Ana Test' })

  it('records the acceptance, charges the instalments and sets the case’s price and the patient’s revenue', async () => {
    const client = await clerk()
    const contactId = await patient()
    const surgery = await caseOf(client, contactId)
    const quote = await createSentQuote(client, contactId, { surgeryId: surgery.id })
    expect(quote.surgery).toMatchObject({ id: surgery.id, procedures: ['Rhinoplasty'] })
    const [{ id: me }] = (await till.server.rows<{ id: string }>("select id from profiles where role = 'front_desk'")) as [{ id: string }]
    const accepted = await accept(client, quote)
    expect(accepted).toMatchObject({
      status: 'accepted',
      acceptedBy: me,
      acceptedName: 'Ana Test',
      acceptedAt: now.at.toISOString(),
      acceptedAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
    })
    const account = await client.collections.account({ contactId })
    expect(account).toMatchObject({
      balanceCents: 1_089_988,
      charges: [
        {
          id: accepted.chargeId,
          description: `Quote ${quote.number}: Rhinoplasty`,
          amountCents: 1_089_988,
          dueOn: '2026-11-22',
          isBeforeSurgery: true,
          source: 'quote',
          createdBy: me,
          plan: [
            { dueOn: '2026-11-22', amountCents: 544_994 },
            { dueOn: '2027-01-15', amountCents: 272_497 },
            { dueOn: '2027-02-15', amountCents: 272_497 },
          ],
        },
      ],
    })
    // Tax is not revenue.
    expect((await client.surgeries.get({ id: surgery.id })).priceCents).toBe(987_600)
    expect(await revenueOf(client, contactId)).toBe(987_600)
    const audit = await till.server.rows<{ kind: string }>(
      "select distinct kind from audit_log where action in ('changed', 'created') and actor_id = $1 and $2 = any(contact_ids) and kind in ('quote', 'ledger entry', 'surgery', 'contact') and at >= now() - interval '1 minute'",
      [me, contactId],
    )
    expect(audit.map(({ kind }) => kind).toSorted()).toEqual(['contact', 'ledger entry', 'quote', 'surgery'])
  })

  it('charges the discounted total, prices the case before tax, and prints the discount and payment names', async () => {
    const client = await clerk()
    const contactId = await patient()
    const surgery = await caseOf(client, contactId)
    const quote = await createSentQuote(client, contactId, {
      surgeryId: surgery.id,
      discountPercent: 1_000,
      discountCents: 98_760,
      taxCents: 92_149,
      totalCents: 980_989,
      depositCents: 100_000,
      depositName: 'Booking fee',
      instalments: [{ dueOn: '2027-01-15', amountCents: 880_989, name: 'Rest of the surgery' }],
    })
    const { chargeId } = await accept(client, quote)
    const account = await client.collections.account({ contactId })
    expect(account.charges).toMatchObject([
      {
        id: chargeId,
        amountCents: 980_989,
        plan: [
          { dueOn: '2026-11-22', amountCents: 100_000 },
          { dueOn: '2027-01-15', amountCents: 880_989 },
        ],
      },
    ])
    expect((await client.surgeries.get({ id: surgery.id })).priceCents).toBe(987_600 - 98_760)
    const answer = await till.server.request(`/api/quotes/${quote.id}.pdf`, {
      headers: { cookie: await till.server.signIn('front_desk') },
    })
    const text = (await textOfPdf(new Uint8Array(await answer.arrayBuffer()))).join(' ')
    for (const words of [
      'Subtotal $9,876.00 Discount, 10% −$987.60 HST ON 13% on $7,088.38 $921.49',
      'Total $9,809.89',
      'Booking fee On acceptance $1,000.00',
      'Rest of the surgery, before surgery Jan 15, 2027 $8,809.89',
    ])
      expect(text).toContain(words)
    // A sent quote never changes, including its discount and payment names.
    for (const change of [
      'discount_percent = 1',
      'discount_cents = 1, subtotal_cents = subtotal_cents - discount_cents + 1',
      "deposit_name = 'x'",
    ])
      await expect(till.server.rows(`update quotes set ${change} where id = $1`, [quote.id])).rejects.toThrow('stays as it was sent')
    await (await till.server.as('billing')).quotes.withdraw({ id: quote.id, reason: 'Wrong' })
    expect((await client.surgeries.get({ id: surgery.id })).priceCents).toBeNull()
    const revised = await client.quotes.revise({ id: quote.id, idempotencyKey: randomUUID() })
    expect(revised).toMatchObject({ discountPercent: 1_000, discountCents: 98_760, depositName: 'Booking fee', totalCents: 980_989 })
  })

  it('does not count an instalment due after the surgery as due before it, in the account, the list, the case or the PDF', async () => {
    const client = await clerk()
    const contactId = await patient()
    const surgery = await caseOf(client, contactId)
    const given = await newQuote(client, contactId, { surgeryId: surgery.id })
    const [before, after] = given.instalments
    const quote = await createSentQuote(client, contactId, { ...given, instalments: [before!, { ...after!, dueOn: '2027-03-15' }] })
    await accept(client, quote)
    const { portions, charges } = await client.collections.account({ contactId })
    expect(charges[0]).toMatchObject({ isBeforeSurgery: true, surgeryDay: '2027-03-01' })
    expect(portions.map(({ dueOn, isBeforeSurgery }) => [dueOn, isBeforeSurgery])).toEqual([
      ['2026-11-22', true],
      ['2027-01-15', true],
      ['2027-03-15', false],
    ])
    const outstanding = (await client.collections.outstanding({})).data.find(({ contact }) => contact.id === contactId)
    expect(outstanding?.beforeSurgeryCents).toBe(544_994 + 272_497)
    const answer = await till.server.request(`/api/quotes/${quote.id}.pdf`, {
      headers: { cookie: await till.server.signIn('front_desk') },
    })
    const text = (await textOfPdf(new Uint8Array(await answer.arrayBuffer()))).join(' ')
    expect(text).toContain('Instalment 1 of 2, before surgery')
    expect(text).toContain('Instalment 2 of 2, after surgery')
    expect(text).not.toContain('All of it')
  })

  it('creates one charge and one timeline entry for twenty concurrent requests, with the same response for all', async () => {
    const client = await clerk()
    const contactId = await patient()
    const surgery = await caseOf(client, contactId)
    const quote = await createSentQuote(client, contactId, { surgeryId: surgery.id })
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(client, quote)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect((await client.collections.account({ contactId })).entries).toHaveLength(1)
    const entries = (await client.interactions.list({ contactId })).data.filter(({ description }) => description.includes('accepted'))
    expect(entries).toHaveLength(1)
    expect((await client.surgeries.get({ id: surgery.id })).priceCents).toBe(987_600)
  })

  it('lets one of concurrent accept, decline, withdraw and replace win, and keeps the ledger consistent', async () => {
    const client = await till.server.as('admin')
    for (let round = 0; round < 4; round++) {
      const contactId = await patient()
      const quote = await createSentQuote(client, contactId)
      await Promise.all([
        code(accept(client, quote)),
        code(client.quotes.decline({ id: quote.id, reason: 'Too dear' })),
        code(client.quotes.revise({ id: quote.id, idempotencyKey: randomUUID() })),
      ])
      const after = await client.quotes.get({ id: quote.id })
      const { balanceCents } = await client.collections.account({ contactId })
      expect([after.status, balanceCents]).toEqual([after.status, after.status === 'accepted' ? quote.totalCents : 0])
      expect(['accepted', 'declined', 'superseded']).toContain(after.status)
    }
  })

  it('refuses a total that differs from the one shown, and an expired quote in the practice’s time zone', async () => {
    const client = await clerk()
    const contactId = await patient()
    const quote = await createSentQuote(client, contactId, { validUntil: '2026-11-23' })
    expect((await refusal(accept(client, { ...quote, totalCents: quote.totalCents - 100 }))).code).toBe('TOTALS_DIFFER')
    const was = now.at
    try {
      // Midnight in Toronto is 05:00 UTC.
      now.at = new Date('2026-11-24T05:00:00Z')
      expect(await client.quotes.get({ id: quote.id })).toMatchObject({ status: 'sent', shownStatus: 'expired' })
      expect(await refusal(accept(client, quote))).toMatchObject({
        code: 'EXPIRED',
        message: expect.stringContaining('has expired'),
      })
      now.at = new Date('2026-11-24T04:59:59Z')
      expect(await accept(client, quote)).toMatchObject({ status: 'accepted' })
    } finally {
      now.at = was
    }
  })

  it('makes a new version of an expired quote valid for 30 days, and keeps the date of one that is still valid', async () => {
    const client = await clerk()
    const expired = await createSentQuote(client, await patient(), { validUntil: '2026-11-23' })
    const valid = await createSentQuote(client, await patient(), { validUntil: '2026-11-24' })
    const was = now.at
    try {
      now.at = new Date('2026-11-24T05:00:00Z')
      const again = { id: expired.id, version: expired.version, email: null, idempotencyKey: randomUUID() }
      expect((await refusal(client.quotes.send({ ...again, email: 'a@mail.example' }))).code).toBe('EXPIRED')
      const [next, kept] = [
        await client.quotes.revise({ id: expired.id, idempotencyKey: randomUUID() }),
        await client.quotes.revise({ id: valid.id, idempotencyKey: randomUUID() }),
      ]
      expect([next.validUntil, kept.validUntil]).toEqual(['2026-12-24', '2026-11-24'])
      expect(await client.quotes.send({ ...again, id: next.id, version: next.version })).toMatchObject({
        status: 'sent',
        shownStatus: 'sent',
      })
    } finally {
      now.at = was
    }
  })

  it('sets no due date before the day of a late acceptance', async () => {
    const client = await clerk()
    const contactId = await patient()
    const wanted = await newQuote(client, contactId)
    const instalments = [{ dueOn: '2026-11-22', amountCents: wanted.totalCents - wanted.depositCents }]
    const { id, version } = await client.quotes.create({ ...wanted, instalments })
    const quote = await client.quotes.send({ id, version, email: null, idempotencyKey: randomUUID() })
    const was = now.at
    try {
      now.at = new Date('2026-11-24T17:00:00Z')
      await accept(client, quote)
      const [charge] = (await client.collections.account({ contactId })).charges
      expect(charge).toMatchObject({ dueOn: '2026-11-24', plan: [], amountCents: wanted.totalCents })
    } finally {
      now.at = was
    }
  })

  it('prices a case at the sum of its accepted quotes, and restores the earlier price as they are withdrawn', async () => {
    const client = await till.server.as('admin')
    const contactId = await patient()
    const surgery = await caseOf(client, contactId, 900_000)
    const price = async () => (await client.surgeries.get({ id: surgery.id })).priceCents
    const [first, second] = [
      await createSentQuote(client, contactId, { surgeryId: surgery.id }),
      await createSentQuote(client, contactId, { surgeryId: surgery.id }),
    ]
    await accept(client, first)
    await accept(client, second)
    expect([await price(), await revenueOf(client, contactId)]).toEqual([2 * 987_600, 2 * 987_600])
    await client.quotes.withdraw({ id: first.id, reason: 'Written twice' })
    expect(await price()).toBe(987_600)
    await client.quotes.withdraw({ id: second.id, reason: 'Changed their mind' })
    expect([await price(), await revenueOf(client, contactId)]).toEqual([900_000, 900_000])
    expect(await client.collections.account({ contactId })).toMatchObject({ balanceCents: 0 })
  })

  it('lets only administrators and billing undo acceptance, and only while nothing is paid', async () => {
    const client = await clerk()
    const billing = await till.server.as('billing')
    const customer = await createCustomer(client)
    const quote = await createSentQuote(client, customer.contactId)
    const { chargeId } = await accept(client, quote)
    expect(await refusal(client.quotes.withdraw({ id: quote.id, reason: 'Mistake' }))).toMatchObject({
      code: 'FORBIDDEN',
      status: 403,
      message: 'Your role may not do this',
    })
    const { receiptId } = await client.pos.createReceipt(
      await newSale(client, customer, [{ name: 'Consultation', unitPrice: 50_000, taxCode: 'Zero-rated' }]),
    )
    await client.collections.apply({ id: chargeId!, receiptId, amountCents: 50_000 })
    expect(await refusal(billing.quotes.withdraw({ id: quote.id, reason: 'Mistake' }))).toMatchObject({ code: 'PAID', status: 409 })
    expect(await billing.quotes.get({ id: quote.id })).toMatchObject({ status: 'accepted' })
    await billing.collections.release({ id: chargeId!, receiptId, amountCents: 50_000 })
    expect(await billing.quotes.withdraw({ id: quote.id, reason: 'Mistake' })).toMatchObject({ status: 'withdrawn', endReason: 'Mistake' })
    expect((await billing.collections.account({ contactId: customer.contactId })).balanceCents).toBe(0)
    // It can be quoted again.
    expect(await client.quotes.revise({ id: quote.id, idempotencyKey: randomUUID() })).toMatchObject({ revision: 2, status: 'draft' })
  })

  it('moves quotes with a merged patient, and charges the surviving patient', async () => {
    const admin = await till.server.as('admin')
    const [contactId, duplicateId] = [await patient(), await patient()]
    const quote = await createSentQuote(admin, duplicateId)
    const { version: sourceVersion } = await admin.contacts.get({ id: duplicateId })
    await admin.contacts.merge({ id: contactId, sourceId: duplicateId, version: 1, sourceVersion, choices: {} })
    await accept(admin, quote)
    expect((await admin.collections.account({ contactId })).balanceCents).toBe(quote.totalCents)
    expect(await admin.quotes.ofContact({ contactId })).toMatchObject([{ id: quote.id, status: 'accepted' }])
  })
})
