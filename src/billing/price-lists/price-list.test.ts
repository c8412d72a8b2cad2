import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { loadCatalogue, createCustomer, newSale, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { insertContact } from '../../../test/factories.ts'
import { quoteTotals } from '../quotes/rules.ts'
import { newQuote } from '../../../test/billing/quotes.ts'
import { refusal } from '../../../test/refusal.ts'

const till = usePointOfSale()

const surgeon = { kind: 'surgeon', description: 'Rhinoplasty, surgeon’s fee', quantity: 1, unitPriceCents: 620_000 } as const
const facility = { kind: 'facility', description: 'Operating room, per hour', quantity: 3, unitPriceCents: 70_000 } as const

async function newProcedure() {
  const admin = await till.server.as('admin')
  return { admin, procedure: await admin.procedures.create({ name: randomUUID(), priceCents: 500_000, minutes: 150 }) }
}

describe('the price list of a procedure', () => {
  it('keeps order, tax codes and QuickBooks items, keeps IDs of unchanged prices, and audits before and after', async () => {
    const { admin, procedure } = await newProcedure()
    const { id } = procedure
    expect(await admin.procedures.priceList({ id })).toEqual({ version: 1, changedAt: null, prices: [] })
    const [item] = (await admin.pos.searchItems({ query: 'consult' })).items
    const { taxCodes } = await loadCatalogue(admin)
    const taxCodeId = taxCodes.find(({ Name }) => Name === 'GST')!.Id
    const first = await admin.procedures.setPriceList({
      id,
      version: 1,
      prices: [
        { ...surgeon, itemId: item!.qbItemId },
        { ...facility, taxCodeId },
      ],
    })
    expect(first).toMatchObject({
      version: 2,
      prices: [
        { ...surgeon, taxCodeId: null, itemId: item!.qbItemId, itemName: item!.name },
        { ...facility, taxCodeId, itemId: null, itemName: null },
      ],
    })
    const [one, two] = first.prices.map(({ itemName: _, ...price }) => price)
    const second = await admin.procedures.setPriceList({ id, version: 2, prices: [two!, { ...one!, unitPriceCents: 640_000 }] })
    expect(second.prices.map((price) => [price.id, price.unitPriceCents])).toEqual([
      [two!.id, 70_000],
      [one!.id, 640_000],
    ])
    expect(await admin.procedures.priceList({ id })).toEqual(second)
    // Saving the same prices again changes nothing.
    const same = second.prices.map(({ itemName: _, ...price }) => price)
    expect(await admin.procedures.setPriceList({ id, version: 3, prices: same })).toEqual(second)
    const audit = await till.server.rows<{ before: { prices: unknown[] }; after: { prices: unknown[] } }>(
      "select before, after from audit_log where kind = 'procedure' and action = 'changed' and after->>'id' = $1 order by id",
      [id],
    )
    expect(audit.map(({ before, after }) => [before.prices.length, after.prices.length])).toEqual([
      [0, 2],
      [2, 2],
    ])
    expect(audit[1]!.after.prices[1]).toMatchObject({ description: surgeon.description, unitPriceCents: 640_000 })
  })

  it('accepts changes by administrators to the current version, and refuses unknown references by field', async () => {
    const { admin, procedure } = await newProcedure()
    const { id } = procedure
    const desk = await till.server.as('front_desk')
    expect((await refusal(desk.procedures.setPriceList({ id, version: 1, prices: [surgeon] }))).status).toBe(403)
    expect((await refusal(admin.procedures.priceList({ id: randomUUID() }))).status).toBe(404)
    expect((await refusal(admin.procedures.setPriceList({ id: randomUUID(), version: 1, prices: [] }))).status).toBe(404)
    const unknown = [
      { ...surgeon, taxCodeId: 'made-up' },
      { ...facility, itemId: 'made-up' },
      { ...facility, id: randomUUID() },
    ]
    const { code, data } = await refusal(admin.procedures.setPriceList({ id, version: 1, prices: unknown }))
    expect([code, Object.keys(data.fields ?? {}).toSorted()]).toEqual([
      'INVALID_REFERENCE',
      ['prices.0.taxCodeId', 'prices.1.itemId', 'prices.2.id'],
    ])
    const wrong = [{ ...surgeon, unitPriceCents: -1, quantity: 0, description: ' ' }]
    expect(Object.keys((await refusal(admin.procedures.setPriceList({ id, version: 1, prices: wrong }))).data.fields ?? {})).toEqual([
      'prices.0.description',
      'prices.0.quantity',
      'prices.0.unitPriceCents',
    ])
    const both = await Promise.allSettled(
      [surgeon, facility].map((price) => admin.procedures.setPriceList({ id, version: 1, prices: [price] })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await refusal(admin.procedures.setPriceList({ id, version: 1, prices: [] }))).code).toBe('CHANGED_MEANWHILE')
  })

  it('fills a new quote for the procedure of interest, or the default lines at the default price without one', async () => {
    const { admin, procedure } = await newProcedure()
    const desk = await till.server.as('front_desk')
    const contactId = await insertContact(till.server)
    await till.server.rows('update contacts set procedure_of_interest = $2 where id = $1', [contactId, procedure.id])
    const linesFor = async () => {
      const { procedureId, procedures } = await desk.quotes.choices({ contactId })
      const { prices } = procedures.find(({ id }) => id === procedureId)!
      return prices.map(({ kind, description, quantity, unitPriceCents }) => ({ kind, description, quantity, unitPriceCents }))
    }
    expect(await linesFor()).toEqual([
      { kind: 'surgeon', description: `${procedure.name}, surgeon’s fee`, quantity: 1, unitPriceCents: 500_000 },
      { kind: 'facility', description: 'Operating room and recovery, 2 h 30 min', quantity: 1, unitPriceCents: null },
      { kind: 'anaesthesia', description: 'Anaesthesia', quantity: 1, unitPriceCents: null },
    ])
    await admin.procedures.setPriceList({ id: procedure.id, version: 1, prices: [facility, surgeon] })
    expect(await linesFor()).toEqual([facility, surgeon])
  })
})

describe('paying a quote at the point of sale', () => {
  it.each([
    ['no discount', null, 0],
    ['a percentage off', 750, 0],
    ['an amount off', null, 123_457],
  ])('sells the price list’s QuickBooks items and pays the charge to the cent: %s', async (_, discountPercent, discountCents) => {
    const { admin, procedure } = await newProcedure()
    const items = await Promise.all(
      ['Rhinoplasty', 'Operating room'].map(async (query) => (await admin.pos.searchItems({ query })).items[0]!),
    )
    const { prices } = await admin.procedures.setPriceList({
      id: procedure.id,
      version: 1,
      prices: [
        { ...surgeon, itemId: items[0]!.qbItemId },
        { ...facility, itemId: items[1]!.qbItemId },
      ],
    })
    const customer = await createCustomer(admin)
    const { contactId } = customer
    const given = await newQuote(admin, contactId, {}, prices)
    const rate = 130_000
    const cart = prices.map(({ unitPriceCents, quantity }) => ({
      unitPrice: unitPriceCents,
      quantity,
      taxCodeId: given.lines[0]!.taxCodeId,
      rate,
    }))
    const totals = quoteTotals(cart, { discountPercent, discountCents })
    const quote = await admin.quotes.create({
      ...given,
      lines: given.lines.map((line, index) => ({ ...line, priceId: prices[index]!.id })),
      discountPercent,
      discountCents: totals.discount,
      taxCents: totals.tax,
      totalCents: totals.total,
      depositCents: totals.total,
      instalments: [],
    })
    const sent = await admin.quotes.send({ id: quote.id, version: quote.version, email: null, idempotencyKey: randomUUID() })
    const { chargeId } = await admin.quotes.accept({ id: sent.id, totalCents: sent.totalCents })
    const quoted = await admin.quotes.quotedItems({ chargeId: chargeId! })
    expect(quoted.lines.map(({ item }) => item)).toEqual(items.map(({ qbItemId: id, name }) => ({ id, name })))
    expect(quoted.discountPercent).toBe(discountPercent ?? 0)
    const sale = await newSale(
      admin,
      customer,
      quoted.lines.map(({ item, unitPriceCents: unitPrice, quantity }) => ({ name: item!.name, unitPrice, quantity })),
      { discount: quoted.discountPercent },
    )
    await admin.pos.createReceipt({ ...sale, chargeId })
    expect(await admin.collections.account({ contactId })).toMatchObject({ balanceCents: 0, deposits: [] })
    // A price that was removed from the list no longer has an item; the other charge has no quote.
    await admin.procedures.setPriceList({
      id: procedure.id,
      version: 2,
      prices: prices.slice(0, 1).map(({ itemName: _name, ...price }) => price),
    })
    expect((await admin.quotes.quotedItems({ chargeId: chargeId! })).lines.map(({ item }) => item?.id ?? null)).toEqual([
      items[0]!.qbItemId,
      null,
    ])
    expect((await refusal(admin.quotes.quotedItems({ chargeId: randomUUID() }))).code).toBe('NOT_FOUND')
  })
})
