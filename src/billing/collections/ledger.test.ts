import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { createCustomer, newSale, prepareSales, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { databaseFingerprint } from '../../../test/database-fingerprint.ts'
import { insertContact } from '../../../test/factories.ts'
import { amountsIn, textOfPdf } from '../../../test/formats/pdf.ts'
import type { Client } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { daysLater } from '../../shared/zoned-time.ts'
import { ageingOf, ages } from './rules.ts'

const code = (asking: Promise<unknown>) =>
  asking.then(
    () => 'ok',
    (error: { code?: string }) => error.code,
  )

describe('patient ledger', () => {
  const now = { at: new Date('2026-11-22T15:00:00Z') }
  const till = usePointOfSale({}, {}, { now: () => now.at })
  const clerk = () => till.server.as('billing')
  const charge = async (
    client: Client,
    contactId: string,
    amountCents = 100_000,
    given: { dueOn?: string; description?: string; isBeforeSurgery?: boolean; plan?: { dueOn: string; amountCents: number }[] } = {},
  ) =>
    (await client.collections.addCharge({ contactId, description: 'Rhinoplasty', amountCents, dueOn: '2026-11-22', ...given })).charges[0]!
  /** A patient who has paid a deposit, in cents. */
  async function payer(client: Client, cents: number) {
    const customer = await createCustomer(client)
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice: cents, taxCode: 'Zero-rated' }])
    const { receiptId } = await client.pos.createReceipt({ ...sale, isDeposit: true })
    return { contactId: customer.contactId, receiptId }
  }

  it('computes the balance from a charge, a payment from a receipt and a write-off', async () => {
    const client = await clerk()
    const { contactId, receiptId } = await payer(client, 60_000)
    const { id } = await charge(client, contactId)
    expect(await client.collections.account({ contactId })).toMatchObject({
      balanceCents: 100_000,
      deposits: [{ receiptId, leftCents: 60_000 }],
    })
    expect(await client.collections.apply({ id, receiptId, amountCents: 50_000 })).toMatchObject({
      balanceCents: 50_000,
      charges: [{ id, openCents: 50_000 }],
      deposits: [{ leftCents: 10_000 }],
    })
    const after = await client.collections.writeOff({ id, amountCents: 5_000, reason: 'Goodwill' })
    expect([after.balanceCents, after.entries.map(({ kind, amountCents }) => [kind, amountCents])]).toEqual([
      45_000,
      [
        ['write_off', -5_000],
        ['payment', -50_000],
        ['charge', 100_000],
      ],
    ])
    expect(await client.collections.release({ id, receiptId, amountCents: 20_000 })).toMatchObject({
      balanceCents: 65_000,
      deposits: [{ leftCents: 30_000 }],
    })
  })

  it('refuses amounts above the open charge, the rest of the receipt or the payment, and another patient’s receipt', async () => {
    const client = await clerk()
    const { contactId, receiptId } = await payer(client, 60_000)
    const other = await payer(client, 60_000)
    const small = await charge(client, contactId, 10_000)
    const large = await charge(client, contactId, 200_000)
    const before = await databaseFingerprint(till.server)
    expect(await code(client.collections.apply({ id: small.id, receiptId, amountCents: 10_001 }))).toBe('TOO_MUCH')
    expect(await code(client.collections.apply({ id: large.id, receiptId, amountCents: 60_001 }))).toBe('TOO_MUCH')
    expect(await code(client.collections.apply({ id: large.id, receiptId: other.receiptId, amountCents: 1 }))).toBe('NO_RECEIPT')
    expect(await code(client.collections.apply({ id: randomUUID(), receiptId, amountCents: 1 }))).toBe('NOT_FOUND')
    expect(await code(client.collections.release({ id: small.id, receiptId, amountCents: 1 }))).toBe('TOO_MUCH')
    expect(await code(client.collections.writeOff({ id: small.id, amountCents: 10_001, reason: 'Too much' }))).toBe('TOO_MUCH')
    expect(await databaseFingerprint(till.server)).toEqual(before)
    // Two concurrent requests share the rest of the receipt.
    const both = await Promise.all([small, large].map(({ id }) => code(client.collections.apply({ id, receiptId, amountCents: 10_000 }))))
    expect(both).toEqual(['ok', 'ok'])
    const many = await Promise.all(
      Array.from({ length: 8 }, () => code(client.collections.apply({ id: large.id, receiptId, amountCents: 10_000 }))),
    )
    expect(many.filter((outcome) => outcome === 'ok')).toHaveLength(4)
    expect((await client.collections.account({ contactId })).deposits).toEqual([])
  })

  it('requires instalments to sum to the amount, applies payments to the earliest, and keeps the amount when dates change', async () => {
    const client = await clerk()
    const { contactId, receiptId } = await payer(client, 45_000)
    const plan = [
      { dueOn: '2026-08-01', amountCents: 40_000 },
      { dueOn: '2026-12-01', amountCents: 60_000 },
    ]
    await expect(charge(client, contactId, 99_999, { plan })).rejects.toMatchObject({
      status: 422,
      data: { fields: { plan: 'The instalments must sum to the amount' } },
    })
    const { id } = await charge(client, contactId, 100_000, { plan })
    expect((await client.collections.account({ contactId })).ageing).toEqual({
      current: 60_000,
      days1to30: 0,
      days31to60: 0,
      days61to90: 0,
      over90: 40_000,
    })
    expect((await client.collections.applyAll({ contactId, receiptId })).portions).toEqual([
      { chargeId: id, dueOn: '2026-12-01', openCents: 55_000, isBeforeSurgery: false },
    ])
    expect(await code(client.collections.setPlan({ id, dueOn: '2026-12-24', isBeforeSurgery: true, plan: [plan[0]!] }))).toBe('PLAN')
    const moved = await client.collections.setPlan({ id, dueOn: '2026-12-24', isBeforeSurgery: true, plan: [] })
    expect(moved).toMatchObject({ balanceCents: 55_000, portions: [{ dueOn: '2026-12-24', openCents: 55_000, isBeforeSurgery: true }] })
  })

  it('refuses to void a partly paid charge; a voided charge has no balance', async () => {
    const client = await clerk()
    const { contactId, receiptId } = await payer(client, 10_000)
    const [paid, slip] = [await charge(client, contactId, 20_000), await charge(client, contactId, 30_000)]
    await client.collections.apply({ id: paid.id, receiptId, amountCents: 10_000 })
    expect(await code(client.collections.void({ id: paid.id, reason: 'Slip' }))).toBe('CREDITED')
    expect(await client.collections.void({ id: slip.id, reason: 'Charged twice' })).toMatchObject({ balanceCents: 10_000 })
    expect(await code(client.collections.void({ id: slip.id, reason: 'Again' }))).toBe('CREDITED')
  })

  it('lists the latest balances first, then those due before surgery, by what is open, with promise, hold and owner (issue 29)', async () => {
    const client = await clerk()
    const [late, surgery, later] = [await insertContact(till.server), await insertContact(till.server), await insertContact(till.server)]
    await charge(client, later, 1_000, { dueOn: '2026-12-30' })
    await charge(client, late, 2_000, { dueOn: '2026-01-15' })
    await charge(client, surgery, 3_000, { dueOn: '2026-12-15', isBeforeSurgery: true })
    await client.collections.promise({ contactId: late, amountCents: 2_000, dueOn: '2026-12-01', note: 'By phone' })
    await client.collections.hold({ contactId: surgery, isHeld: true })
    const mine = [late, surgery, later]
    const outstanding = async (show?: 'late' | 'held' | 'promised' | 'before-surgery') => {
      const { data } = await client.collections.outstanding(show ? { show } : {})
      return data.map(({ contact }) => contact.id).filter((id) => mine.includes(id))
    }
    // What is paid is not named.
    const paid = await charge(client, surgery, 500, { dueOn: '2026-12-15', description: 'Gynecomastia' })
    await client.collections.writeOff({ id: paid.id, amountCents: 500, reason: 'Goodwill' })
    expect(await outstanding()).toEqual([late, surgery, later])
    expect([
      await outstanding('late'),
      await outstanding('held'),
      await outstanding('promised'),
      await outstanding('before-surgery'),
    ]).toEqual([[late], [surgery], [late], [surgery]])
    const { data } = await client.collections.outstanding({})
    expect(data.find(({ contact }) => contact.id === late)).toMatchObject({
      balanceCents: 2_000,
      ageing: { over90: 2_000 },
      nextDueOn: '2026-01-15',
      promise: { dueOn: '2026-12-01' },
      isHeld: false,
    })
    expect(data.find(({ contact }) => contact.id === surgery)!.charges).toEqual(['Rhinoplasty'])
    await client.collections.hold({ contactId: surgery, isHeld: false })
    expect((await client.collections.account({ contactId: surgery })).isHeld).toBe(false)
  })

  it('exports the outstanding list in the same order and with the same filters', async () => {
    const client = await clerk()
    const owner = await till.server.account({ role: 'sales_rep' })
    const named = (firstName: string) => insertContact(till.server, { firstName, lastName: 'Owing' })
    const [late, surgery] = [await named('Late'), await named('Surgery')]
    await till.server.rows('update contacts set assigned_sales_rep_id = $1 where id in ($2, $3)', [owner.id, late, surgery])
    await till.server.rows("update contacts set procedure_text = 'Facelift' where id in ($1, $2)", [late, surgery])
    const planSurgery = (name: string, startsAt: string, status: string) =>
      till.server.rows(
        `insert into surgeries (contact_id, procedures, anaesthesia, starts_at, ends_at, status, cancel_reason, created_at, updated_at)
         values ($1, jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'name', $2::text)), 'local', $3::timestamptz,
           $3::timestamptz + interval '1 hour', $4, case when $4 = 'cancelled' then 'Moved' end, now(), now())`,
        [surgery, name, startsAt, status],
      )
    // The next surgery in the practice's time zone: 11 p.m. in Toronto is the next day in UTC.
    await planSurgery('Rhinoplasty', '2026-10-01T15:00:00Z', 'completed')
    await planSurgery('Cancelled', '2026-12-01T15:00:00Z', 'cancelled')
    await planSurgery('Tummy tuck', '2026-12-18T04:00:00Z', 'confirmed')
    await charge(client, late, 2_000, { dueOn: '2026-01-15' })
    await client.collections.promise({ contactId: late, amountCents: 1_500, dueOn: '2026-12-01' })
    await charge(client, surgery, 123_450, { dueOn: '2026-12-15', isBeforeSurgery: true })
    await client.collections.hold({ contactId: surgery, isHeld: true })
    const cookie = await till.server.signIn('billing')
    const file = async (query: string) => {
      const address = '/api/collections/outstanding.csv'
      const answer = await till.server.request(`${address}?${query}`, { headers: { cookie } })
      return [answer.status, Papa.parse<string[]>(await answer.text(), { skipEmptyLines: true }).data.slice(1)]
    }
    const name = (await till.server.rows<{ name: string }>('select full_name as name from profiles where id = $1', [owner.id]))[0]!.name
    const surgeryLine = [
      'Surgery Owing',
      'Rhinoplasty',
      'Tummy tuck',
      '2026-12-17',
      '1234.50',
      '1234.50',
      '2026-12-15',
      '1234.50',
      '0.00',
      '0.00',
      '0.00',
      '0.00',
      '',
      '',
      'yes',
      '',
      name,
    ]
    const lateLine = [
      'Late Owing',
      'Rhinoplasty',
      'Facelift',
      '',
      '20.00',
      '0.00',
      '2026-01-15',
      '0.00',
      '0.00',
      '0.00',
      '0.00',
      '20.00',
      '15.00',
      '2026-12-01',
      'no',
      '',
      name,
    ]
    const { data } = await client.collections.outstanding({ ownerId: owner.id })
    expect(data.map(({ procedure, charges }) => [procedure, charges])).toEqual([
      [{ name: 'Facelift', surgeryDay: null }, ['Rhinoplasty']],
      [{ name: 'Tummy tuck', surgeryDay: '2026-12-17' }, ['Rhinoplasty']],
    ])
    const everyone = (await till.server.rows('select 1 from ledger_entries group by contact_id having sum(amount_cents) > 0')).length
    expect(await client.collections.outstandingCount({})).toEqual({ count: everyone })
    expect(await file(`ownerId=${owner.id}`)).toEqual([200, [lateLine, surgeryLine]])
    expect(await file(`ownerId=${owner.id}&show=late`)).toEqual([200, [lateLine]])
    expect((await file('show=nobody'))[0]).toBe(422)
  })

  it('ends a surgery hold once the balance is paid', async () => {
    const client = await clerk()
    const { contactId, receiptId } = await payer(client, 30_000)
    const { id } = await charge(client, contactId, 30_000)
    const isHeld = async () => (await client.collections.account({ contactId })).isHeld
    await client.collections.hold({ contactId, isHeld: true })
    await client.collections.apply({ id, receiptId, amountCents: 20_000 })
    expect(await isHeld()).toBe(true)
    await client.collections.apply({ id, receiptId, amountCents: 10_000 })
    expect(await isHeld()).toBe(false)
  })

  it('accepts a promise of at most the balance, by today or later', async () => {
    const client = await clerk()
    const contactId = await insertContact(till.server)
    await charge(client, contactId, 5_000)
    const promise = (amountCents: number, dueOn: string) => code(client.collections.promise({ contactId, amountCents, dueOn }))
    expect([await promise(5_000, '2026-11-21'), await promise(5_001, '2026-11-22'), await promise(5_000, '2026-11-22')]).toEqual([
      'PAST',
      'TOO_MUCH',
      'ok',
    ])
  })

  it('treats an amount due today as late from tomorrow, in the practice’s time zone', async () => {
    const client = await clerk()
    const contactId = await insertContact(till.server)
    await charge(client, contactId, 1_000, { dueOn: '2026-11-21' })
    now.at = new Date('2026-11-22T04:59:00Z')
    expect((await client.collections.account({ contactId })).ageing).toMatchObject({ current: 1_000, days1to30: 0 })
    now.at = new Date('2026-11-22T05:01:00Z')
    expect((await client.collections.account({ contactId })).ageing).toMatchObject({ current: 0, days1to30: 1_000 })
    now.at = new Date('2026-11-22T15:00:00Z')
  })

  it('ages each instalment the same in the list, the export and the account; a bucket filters the list but not the totals', async () => {
    const client = await clerk()
    const contactId = await insertContact(till.server)
    const today = '2026-11-22'
    const days = [5, 0, -1, -30, -31, -60, -61, -90, -91, -400]
    const plan = days.map((day, index) => ({ dueOn: daysLater(today, day), amountCents: 1_000 + index }))
    await charge(
      client,
      contactId,
      plan.reduce((sum, part) => sum + part.amountCents, 0),
      { dueOn: today, plan },
    )
    const onTime = await insertContact(till.server)
    await charge(client, onTime, 500, { dueOn: today })
    const expected = ageingOf(
      plan.map(({ dueOn, amountCents }) => ({ chargeId: '', dueOn, openCents: amountCents, isBeforeSurgery: false })),
      today,
    )
    expect(expected).toEqual({ current: 2_001, days1to30: 2_005, days31to60: 2_009, days61to90: 2_013, over90: 2_017 })
    expect((await client.collections.account({ contactId })).ageing).toEqual(expected)
    const { data, ageing } = await client.collections.outstanding({})
    expect(data.find(({ contact }) => contact.id === contactId)!.ageing).toEqual(expected)
    for (const age of ages) {
      const narrowed = await client.collections.outstanding({ age })
      expect(narrowed.data.some(({ contact }) => contact.id === contactId)).toBe(true)
      expect(narrowed.data.some(({ contact }) => contact.id === onTime)).toBe(age === 'current')
      expect(narrowed.ageing).toEqual(ageing)
    }
    const cookie = await till.server.signIn('billing')
    const file = await till.server.request('/api/collections/outstanding.csv?age=over90', { headers: { cookie } })
    const [head, ...lines] = (await file.text()).trim().split('\r\n')
    expect(head).toContain('Current,1–30 days,31–60 days,61–90 days,90+ days')
    expect(lines.join('\n')).toContain('20.01,20.05,20.09,20.13,20.17')
    const statement = await till.server.request(`/api/contacts/${contactId}/statement.pdf`, { headers: { cookie } })
    const text = (await textOfPdf(new Uint8Array(await statement.arrayBuffer()))).join(' ')
    expect(text).toContain('$20.01 $20.05 $20.09 $20.13 $20.17')
    for (const late of ['1 day late', '30 days late', '91 days late']) expect(text).toContain(late)
    await till.server.rows("update contacts set preferred_language = 'fr' where id = $1", [contactId])
    const inFrench = await till.server.request(`/api/contacts/${contactId}/statement.pdf`, { headers: { cookie } })
    expect(inFrench.headers.get('content-disposition')).toContain('releve-de-compte-')
    const french = (await textOfPdf(new Uint8Array(await inFrench.arrayBuffer()))).join(' ')
    for (const late of ['Relevé de compte', '1 jour de retard', '91 jours de retard', 'Plus de 90 jours']) expect(french).toContain(late)
    expect(amountsIn(french)).toEqual(amountsIn(text))
  })

  it('shows a paid consultation as a payment, not a credit, until it is applied to a charge', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const { contactId } = customer
    const { receiptId } = await client.pos.createReceipt(await newSale(client, customer, [{ name: 'Consultation', unitPrice: 25_000 }]))
    const account = await client.collections.account({ contactId })
    expect(account.deposits).toEqual([])
    expect(account.payments).toMatchObject([{ receiptId, paymentMethod: 'Visa', totalCents: 28_250, leftCents: 28_250, creditCents: 0 }])
    const cookie = await till.server.signIn('billing')
    const statement = await till.server.request(`/api/contacts/${contactId}/statement.pdf`, { headers: { cookie } })
    expect((await textOfPdf(new Uint8Array(await statement.arrayBuffer()))).join(' ')).not.toContain('282.50')
    // Once it is applied to a charge, the rest becomes a credit.
    await charge(client, contactId, 20_000)
    expect((await client.collections.applyAll({ contactId, receiptId })).deposits).toMatchObject([{ receiptId, leftCents: 8_250 }])
  })

  it('lets only administrators and billing write off and void, and gives providers no access to collections', async () => {
    const client = await clerk()
    const contactId = await insertContact(till.server)
    const { id } = await charge(client, contactId)
    for (const role of ['sales_rep', 'front_desk', 'provider'] as const) {
      const theirs = await till.server.as(role)
      expect(await code(theirs.collections.writeOff({ id, amountCents: 1, reason: 'Mine' }))).toBe('FORBIDDEN')
      expect(await code(theirs.collections.void({ id, reason: 'Mine' }))).toBe('FORBIDDEN')
      const outcome = role === 'provider' ? 'FORBIDDEN' : 'ok'
      expect(await code(theirs.collections.account({ contactId }))).toBe(outcome)
      expect(await code(theirs.collections.promise({ contactId, amountCents: 1, dueOn: '2026-12-01' }))).toBe(outcome)
      expect(await code(theirs.collections.hold({ contactId, isHeld: true }))).toBe(outcome)
    }
    const { notes, entries } = await client.collections.account({ contactId })
    expect([notes.length, entries.map(({ kind }) => kind)]).toEqual([4, ['charge']])
    await expect(client.collections.writeOff({ id, amountCents: 1, reason: ' ' })).rejects.toMatchObject({
      data: { fields: { reason: 'Reason is required' } },
    })
  })

  it('refuses to delete a patient with a balance, and deletes them once it is settled', async () => {
    const admin = await till.server.as('admin')
    const contactId = await insertContact(till.server)
    const { id } = await charge(admin, contactId, 500)
    expect(await code(admin.contacts.delete({ id: contactId }))).toBe('OWES')
    const deletion = { kind: 'delete' as const, forGood: false }
    expect(await code(admin.bulkChanges.start({ selection: { ids: [contactId] }, change: deletion }))).toBe('OWES')
    const other = await insertContact(till.server)
    const { id: bulk } = await admin.bulkChanges.start({ selection: { ids: [contactId, other] }, change: deletion })
    await until(async () => (await admin.bulkChanges.get({ id: bulk })).status === 'done')
    expect(await admin.bulkChanges.get({ id: bulk })).toMatchObject({ changed: 1, unchanged: 1 })
    await admin.collections.writeOff({ id, amountCents: 500, reason: 'Small' })
    expect(await code(admin.contacts.delete({ id: contactId }))).toBe('ok')
    expect(await code(admin.collections.account({ contactId }))).toBe('NOT_FOUND')
  })

  it('always sums to the balance over random charges, receipts, refunds, write-offs and voids', { timeout: 120_000 }, async () => {
    const client = await clerk()
    type Step = {
      kind: 'charge' | 'apply' | 'applyAll' | 'release' | 'refund' | 'writeOff' | 'void'
      which: number
      receipt: number
      cents: number
    }
    const step: fc.Arbitrary<Step> = fc.record({
      kind: fc.constantFrom('charge', 'charge', 'apply', 'apply', 'applyAll', 'release', 'refund', 'writeOff', 'void'),
      which: fc.nat(3),
      receipt: fc.nat(1),
      cents: fc.integer({ min: 1, max: 60_000 }),
    })
    const [account] = (await client.pos.accounts()).accounts
    const saleOf = await prepareSales(client, ['Consultation'])
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const customer = await createCustomer(client)
        const { contactId } = customer
        const receipts: string[] = []
        for (const unitPrice of [30_000, 70_000]) {
          const sale = saleOf(customer, [{ name: 'Consultation', unitPrice, taxCode: 'Zero-rated' }])
          receipts.push((await client.pos.createReceipt({ ...sale, isDeposit: true })).receiptId)
        }
        // A model of the ledger with plain sums.
        const charges: { id: string; open: number; isCredited: boolean; paid: number[] }[] = []
        const left = [30_000, 70_000]
        for (const { kind, which, receipt, cents } of steps) {
          const of = charges[which]
          const receiptId = receipts[receipt]!
          if (kind === 'charge') {
            charges.push({ id: (await charge(client, contactId, cents)).id, open: cents, isCredited: false, paid: [0, 0] })
          } else if (kind === 'applyAll') {
            await client.collections.applyAll({ contactId, receiptId })
            // All are due on one day, so they are ordered by ID, which is creation order.
            for (const one of charges) {
              const taken = Math.min(one.open, left[receipt]!)
              one.open -= taken
              one.paid[receipt]! += taken
              left[receipt]! -= taken
            }
          } else if (kind === 'refund') {
            const fits = cents <= left[receipt]!
            const refund = {
              id: receiptId,
              lines: [0],
              amountCents: cents,
              reason: 'Cancelled',
              depositAccount: account!.Id,
              idempotencyKey: randomUUID(),
            }
            expect(await code(client.pos.refund(refund))).toBe(fits ? 'ok' : 'TOO_MUCH')
            if (fits) left[receipt] = left[receipt]! - cents
          } else if (of && kind === 'apply') {
            const fits = cents <= Math.min(of.open, left[receipt]!)
            expect(await code(client.collections.apply({ id: of.id, receiptId, amountCents: cents }))).toBe(fits ? 'ok' : 'TOO_MUCH')
            if (fits) [of.open, of.paid[receipt], left[receipt]] = [of.open - cents, of.paid[receipt]! + cents, left[receipt]! - cents]
          } else if (of && kind === 'release') {
            const fits = cents <= of.paid[receipt]!
            expect(await code(client.collections.release({ id: of.id, receiptId, amountCents: cents }))).toBe(fits ? 'ok' : 'TOO_MUCH')
            if (fits) [of.open, of.paid[receipt], left[receipt]] = [of.open + cents, of.paid[receipt]! - cents, left[receipt]! + cents]
          } else if (of && kind === 'writeOff') {
            const fits = cents <= of.open
            expect(await code(client.collections.writeOff({ id: of.id, amountCents: cents, reason: 'Goodwill' }))).toBe(
              fits ? 'ok' : 'TOO_MUCH',
            )
            if (fits) [of.open, of.isCredited] = [of.open - cents, true]
          } else if (of && kind === 'void') {
            const fits = !of.isCredited && of.paid.every((paid) => paid === 0)
            expect(await code(client.collections.void({ id: of.id, reason: 'Slip' }))).toBe(fits ? 'ok' : 'CREDITED')
            if (fits) [of.open, of.isCredited] = [0, true]
          }
        }
        const ledger = await client.collections.account({ contactId })
        const open = charges.reduce((sum, one) => sum + one.open, 0)
        expect(ledger.balanceCents).toBe(open)
        expect(ledger.portions.reduce((sum, { openCents }) => sum + openCents, 0)).toBe(open)
        expect(Object.values(ledger.ageing).reduce((sum, cents) => sum + cents, 0)).toBe(open)
        expect(ledger.charges.toReversed().map(({ id, openCents }) => [id, openCents])).toEqual(charges.map((one) => [one.id, one.open]))
        expect(ledger.payments.toReversed().map(({ leftCents }) => leftCents)).toEqual(left)
        expect(ledger.deposits.toReversed().map(({ leftCents }) => leftCents)).toEqual(left.filter((cents) => cents > 0))
        expect(ledger.entries.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(open)
      }),
      { numRuns: 25 },
    )
  })
})
