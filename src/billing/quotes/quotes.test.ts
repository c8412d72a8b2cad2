import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { databaseFingerprint } from '../../../test/database-fingerprint.ts'
import { insertContact } from '../../../test/factories.ts'
import { newQuote, createSentQuote } from '../../../test/billing/quotes.ts'
import { refusal } from '../../../test/refusal.ts'

describe('writing a quote', () => {
  const till = usePointOfSale({}, {}, { now: () => new Date('2026-11-22T15:00:00Z') })
  const clerk = () => till.server.as('front_desk')
  const patient = () => insertContact(till.server, { email: `${randomUUID()}@mail.example` })

  it('saves a draft with lines, tax codes and rates, totals, expiry, deposit and instalments', async () => {
    const client = await clerk()
    const contactId = await patient()
    const made = await client.quotes.create(await newQuote(client, contactId))
    expect(made).toMatchObject({
      revision: 1,
      version: 1,
      isNewest: true,
      status: 'draft',
      shownStatus: 'draft',
      validUntil: '2026-12-22',
      subtotalCents: 987_600,
      taxCents: 102_388,
      totalCents: 1_089_988,
      depositCents: 544_994,
      depositName: null,
      discountPercent: null,
      discountCents: 0,
      instalments: [
        { dueOn: '2027-01-15', amountCents: 272_497, name: null },
        { dueOn: '2027-02-15', amountCents: 272_497, name: null },
      ],
      lines: [
        { kind: 'surgeon', words: 'Rhinoplasty', amountCents: 620_000, taxCodeName: 'HST ON', taxRate: 130_000, taxCents: 80_600 },
        { kind: 'facility', quantity: 3, amountCents: 167_598, taxCents: 21_788 },
        { kind: 'anaesthesia', taxCodeName: 'Exempt', taxCents: 0, exemptReason: 'Referred, airway obstruction' },
      ],
      taxes: [
        { name: 'HST ON', base: 787_598, tax: 102_388 },
        { name: 'Exempt', base: 200_002, tax: 0 },
      ],
    })
    expect(await client.quotes.ofContact({ contactId })).toEqual([made])
    const second = await client.quotes.create(await newQuote(client, contactId))
    expect(second.number).toBeGreaterThan(made.number)
  })

  it('recomputes totals, and refuses wrong totals, unknown tax codes, exemptions without a reason and wrong plans', async () => {
    const client = await clerk()
    const contactId = await patient()
    const right = await newQuote(client, contactId)
    const before = await databaseFingerprint(till.server)
    const refusedWith = async (given: Partial<typeof right>) => {
      const { code, data } = await refusal(client.quotes.create({ ...right, ...given, idempotencyKey: randomUUID() }))
      return [code, Object.keys(data?.fields ?? {})]
    }
    expect(await refusedWith({ totalCents: right.totalCents - 1 })).toEqual(['TOTALS_DIFFER', ['totalCents']])
    expect(await refusedWith({ taxCents: 0, totalCents: right.subtotalCents })).toEqual(['TOTALS_DIFFER', ['taxCents', 'totalCents']])
    expect(await refusedWith({ depositCents: right.depositCents - 1 })).toEqual(['INVALID_REFERENCE', ['instalments']])
    expect(await refusedWith({ validUntil: '2026-11-21' })).toEqual(['INVALID_REFERENCE', ['validUntil']])
    const past = right.instalments.map((part, index) => (index === 0 ? { ...part, dueOn: '2026-11-21' } : part))
    expect(await refusedWith({ instalments: past })).toEqual(['INVALID_REFERENCE', ['instalments']])
    expect(await refusedWith({ surgeryId: randomUUID() })).toEqual(['INVALID_REFERENCE', ['surgeryId']])
    expect(await refusedWith({ contactId: randomUUID() })).toEqual(['INVALID_REFERENCE', ['contactId']])
    const changed = (change: object) => right.lines.map((line, index) => (index === 2 ? { ...line, ...change } : line))
    expect(await refusedWith({ lines: changed({ taxCodeId: 'made-up' }) })).toEqual(['INVALID_REFERENCE', ['lines.2.taxCodeId']])
    expect(await refusedWith({ lines: changed({ exemptReason: null }) })).toEqual(['INVALID_REFERENCE', ['lines.2.exemptReason']])
    expect(await refusedWith({ lines: [] })).toEqual(['INVALID_INPUT', ['lines']])
    expect(await databaseFingerprint(till.server)).toEqual(before)
  })

  it('applies a percentage or amount discount before tax, and refuses one that leaves nothing to pay', async () => {
    const client = await clerk()
    const contactId = await patient()
    // $9,876.00, of which $7,875.98 is taxed with HST.
    const tenPercent = {
      discountPercent: 1_000,
      discountCents: 98_760,
      taxCents: 92_149,
      totalCents: 980_989,
      depositCents: 980_989,
      instalments: [],
    }
    const byPercent = await client.quotes.create(await newQuote(client, contactId, tenPercent))
    expect(byPercent).toMatchObject({
      ...tenPercent,
      subtotalCents: 987_600,
      taxes: [
        { name: 'HST ON', base: 708_838, tax: 92_149 },
        { name: 'Exempt', base: 180_002, tax: 0 },
      ],
    })
    const amount = { ...tenPercent, discountPercent: null, depositName: ' Booking fee ' }
    const byAmount = await client.quotes.create(await newQuote(client, contactId, amount))
    expect(byAmount).toMatchObject({ ...amount, depositName: 'Booking fee', subtotalCents: 987_600 })
    const before = await databaseFingerprint(till.server)
    const refused = async (given: object) => {
      const { code, data } = await refusal(client.quotes.create(await newQuote(client, contactId, { ...amount, ...given })))
      return [code, Object.keys(data?.fields ?? {})]
    }
    expect(await refused({ discountCents: 987_601 })).toEqual(['INVALID_REFERENCE', ['discountCents']])
    expect(await refused({ discountCents: -1 })).toEqual(['INVALID_INPUT', ['discountCents']])
    expect(await refused({ discountPercent: 0 })).toEqual(['INVALID_INPUT', ['discountPercent']])
    const free = { discountCents: 987_600, taxCents: 0, totalCents: 0, depositCents: 0 }
    expect(await refused({ ...free, discountPercent: 10_000 })).toEqual(['INVALID_INPUT', ['discountPercent']])
    expect(await refused(free)).toEqual(['INVALID_REFERENCE', ['discountCents']])
    // The totals shown to the author must match the server's.
    expect(await refused({ discountPercent: 1_000, discountCents: 98_759 })).toEqual(['TOTALS_DIFFER', ['discountCents']])
    expect(await refused({ discountCents: 98_761 })).toEqual(['TOTALS_DIFFER', ['totalCents']])
    expect(await databaseFingerprint(till.server)).toEqual(before)
  })

  it('creates one quote for ten concurrent requests with one key, and refuses the key for another quote', async () => {
    const client = await clerk()
    const contactId = await patient()
    const wanted = await newQuote(client, contactId)
    const made = await Promise.all(Array.from({ length: 10 }, () => client.quotes.create(wanted)))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(await client.quotes.ofContact({ contactId })).toHaveLength(1)
    expect((await refusal(client.quotes.create({ ...wanted, title: 'Something else' }))).code).toBe('KEY_REUSED')
  })

  it('refuses concurrent edits to a draft, and any edit after sending, also in the database', async () => {
    const client = await clerk()
    const contactId = await patient()
    const { contactId: _, idempotencyKey: _k, ...written } = await newQuote(client, contactId)
    const draft = await client.quotes.create(await newQuote(client, contactId))
    const changed = await client.quotes.change({ ...written, id: draft.id, version: 1, title: 'Septorhinoplasty' })
    expect(changed).toMatchObject({ version: 2, title: 'Septorhinoplasty' })
    expect(await refusal(client.quotes.change({ ...written, id: draft.id, version: 1 }))).toMatchObject({
      code: 'CONFLICT',
      data: { current: { title: 'Septorhinoplasty' } },
    })
    const sent = await client.quotes.send({ id: draft.id, version: 2, email: null, idempotencyKey: randomUUID() })
    expect(sent).toMatchObject({ status: 'sent', sentTo: null })
    expect((await refusal(client.quotes.change({ ...written, id: draft.id, version: sent.version }))).code).toBe('NOT_DRAFT')
    await expect(
      till.server.rows('update quotes set total_cents = 1, subtotal_cents = 1, tax_cents = 0, deposit_cents = 0 where id = $1', [draft.id]),
    ).rejects.toThrow(/sent/)
  })

  it('replaces a sent quote with a new version immediately, and only replaces the newest', async () => {
    const client = await clerk()
    const contactId = await patient()
    const first = await createSentQuote(client, contactId)
    const key = randomUUID()
    const second = await client.quotes.revise({ id: first.id, idempotencyKey: key })
    expect(second).toMatchObject({ number: first.number, revision: 2, status: 'draft', totalCents: first.totalCents, isNewest: true })
    expect(await client.quotes.revise({ id: first.id, idempotencyKey: key })).toEqual(second)
    expect(await client.quotes.get({ id: first.id })).toMatchObject({ status: 'superseded', isNewest: false })
    expect((await refusal(client.quotes.revise({ id: first.id, idempotencyKey: randomUUID() }))).code).toBe('SUPERSEDED')
    expect((await refusal(client.quotes.revise({ id: second.id, idempotencyKey: randomUUID() }))).code).toBe('NOT_OPEN')
    expect((await refusal(client.quotes.accept({ id: first.id, totalCents: first.totalCents }))).code).toBe('SUPERSEDED')
    expect((await refusal(client.quotes.accept({ id: second.id, totalCents: second.totalCents }))).code).toBe('NOT_OPEN')
    expect(
      (await refusal(client.quotes.send({ id: first.id, version: first.version + 1, email: null, idempotencyKey: randomUUID() }))).code,
    ).toBe('SUPERSEDED')
  })

  it('refuses quotes to providers, and shows no amount on their timeline', async () => {
    const client = await clerk()
    const contactId = await patient()
    const quote = await createSentQuote(client, contactId)
    const provider = await till.server.as('provider')
    expect((await refusal(provider.quotes.ofContact({ contactId }))).code).toBe('FORBIDDEN')
    await client.quotes.accept({ id: quote.id, totalCents: quote.totalCents })
    const descriptions = (await provider.interactions.list({ contactId })).data.map(({ description }) => description)
    expect(descriptions).toEqual([
      `Quote ${quote.number} accepted for the patient at the clinic`,
      `Quote ${quote.number} given to patient`,
      'Stage changed from Lead to Quote Sent',
    ])
  })
})
