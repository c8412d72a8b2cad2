import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createCustomer, newSale, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { insertContact } from '../../../test/factories.ts'
import type { Client } from '../../../test/server.ts'

const code = (asking: Promise<unknown>) =>
  asking.then(
    () => 'ok',
    (error: { code?: string }) => error.code,
  )

describe('idempotency of ledger entries', () => {
  const till = usePointOfSale({}, {}, { now: () => new Date('2026-11-22T15:00:00Z') })
  const clerk = () => till.server.as('billing')
  const charge = async (client: Client, contactId: string, amountCents: number) =>
    (await client.collections.addCharge({ contactId, description: 'Rhinoplasty', amountCents, dueOn: '2026-11-22' })).charges[0]!
  /** A patient's account and its audit entries. */
  const kept = async (contactId: string) => ({
    entries: (
      await till.server.rows<{ kind: string }>('select kind from ledger_entries where contact_id = $1 order by id', [contactId])
    ).map(({ kind }) => kind),
    notes: (await till.server.rows<{ kind: string }>('select kind from collection_notes where contact_id = $1', [contactId])).length,
    audits: (
      await till.server.rows(
        "select 1 from audit_log where action = 'created' and kind like any ('{ledger entry,collection note}') and $1 = any(contact_ids)",
        [contactId],
      )
    ).length,
  })

  it('creates one charge and one promise for ten concurrent requests and a retry, and returns the account each time', async () => {
    const client = await clerk()
    const contactId = await insertContact(till.server)
    const charged = { contactId, description: 'Rhinoplasty', amountCents: 5_000, dueOn: '2026-12-01', idempotencyKey: randomUUID() }
    const promised = { contactId, amountCents: 5_000, dueOn: '2026-12-01', note: 'By phone', idempotencyKey: randomUUID() }
    const tenTimes = <Answer>(ask: () => Promise<Answer>) => Promise.all(Array.from({ length: 10 }, ask))
    const charges = await tenTimes(() => client.collections.addCharge(charged))
    await tenTimes(() => client.collections.promise(promised))
    expect(new Set(charges.map(({ balanceCents }) => balanceCents))).toEqual(new Set([5_000]))
    expect(await kept(contactId)).toEqual({ entries: ['charge'], notes: 1, audits: 2 })
    // The due dates have changed since; the request under the key has not.
    const { id } = (await client.collections.account({ contactId })).charges[0]!
    await client.collections.setPlan({ id, dueOn: '2027-01-15', isBeforeSurgery: true, plan: [] })
    expect(await client.collections.addCharge(charged)).toMatchObject({ balanceCents: 5_000, charges: [{ id, dueOn: '2027-01-15' }] })
    expect(await client.collections.promise(promised)).toMatchObject({ notes: [{ kind: 'promise' }] })
    expect(await kept(contactId)).toEqual({ entries: ['charge'], notes: 1, audits: 2 })
  })

  it('refuses a reused key for a different request, and accepts one of many concurrent requests', async () => {
    const client = await clerk()
    const patients = await Promise.all(Array.from({ length: 10 }, () => insertContact(till.server)))
    const charged = { description: 'Rhinoplasty', amountCents: 5_000, dueOn: '2026-12-01', idempotencyKey: randomUUID() }
    const held = { isHeld: true, note: 'Until paid', idempotencyKey: randomUUID() }
    const codes = await Promise.all(patients.map((contactId) => code(client.collections.addCharge({ ...charged, contactId }))))
    expect(codes.toSorted()).toEqual([...Array.from({ length: 9 }, () => 'KEY_REUSED'), 'ok'])
    const notes = await Promise.all(patients.map((contactId) => code(client.collections.hold({ ...held, contactId }))))
    expect(notes.toSorted()).toEqual(codes.toSorted())
    const changed = { ...charged, contactId: patients[codes.indexOf('ok')]!, amountCents: 5_001 }
    await expect(client.collections.addCharge(changed)).rejects.toMatchObject({ status: 409, code: 'KEY_REUSED' })
    const other = { ...held, contactId: patients[notes.indexOf('ok')]!, note: 'Until all is paid' }
    await expect(client.collections.hold(other)).rejects.toMatchObject({ status: 409, code: 'KEY_REUSED' })
    const all = await Promise.all(patients.map(kept))
    expect(all.reduce((sum, { entries, notes: written }) => sum + entries.length + written, 0)).toBe(2)
  })

  it('writes a payment, release, write-off, void and hold once for ten requests, even when nothing is left open', async () => {
    const client = await clerk()
    const customer = await createCustomer(client)
    const { contactId } = customer
    const cart = [{ name: 'Consultation', unitPrice: 60_000, taxCode: 'Zero-rated' }]
    const { receiptId } = await client.pos.createReceipt(await newSale(client, customer, cart))
    const { id } = await charge(client, contactId, 40_000)
    const [payment, release, writeOff, makeVoid, hold] = Array.from({ length: 5 }, () => randomUUID())
    const tenTimes = (ask: () => Promise<{ balanceCents: number }>) =>
      Promise.all(Array.from({ length: 10 }, ask)).then((all) => [...new Set(all.map(({ balanceCents }) => balanceCents))])
    const part = { id, receiptId, amountCents: 30_000 }
    expect(await tenTimes(() => client.collections.apply({ ...part, idempotencyKey: payment }))).toEqual([10_000])
    expect(
      await tenTimes(() => client.collections.writeOff({ id, amountCents: 10_000, reason: 'Goodwill', idempotencyKey: writeOff })),
    ).toEqual([0])
    expect(await tenTimes(() => client.collections.release({ ...part, idempotencyKey: release }))).toEqual([30_000])
    expect(await tenTimes(() => client.collections.hold({ contactId, isHeld: true, idempotencyKey: hold }))).toEqual([30_000])
    const slip = (await charge(client, contactId, 100)).id
    expect(await tenTimes(() => client.collections.void({ id: slip, reason: 'Slip', idempotencyKey: makeVoid }))).toEqual([30_000])
    const entries = ['charge', 'payment', 'write_off', 'release', 'charge', 'void']
    expect(await kept(contactId)).toEqual({ entries, notes: 1, audits: 7 })
    // A key identifies the kind of action as well as its amounts.
    expect(await code(client.collections.release({ ...part, idempotencyKey: payment }))).toBe('KEY_REUSED')
    expect(await code(client.collections.writeOff({ id, amountCents: 1, reason: 'Goodwill', idempotencyKey: writeOff }))).toBe('KEY_REUSED')
    expect(await code(client.collections.hold({ contactId, isHeld: false, idempotencyKey: hold }))).toBe('KEY_REUSED')
  })

  it('leaves the key unused after a refusal, and answers 422 to a malformed key', async () => {
    const client = await clerk()
    const contactId = await insertContact(till.server)
    const { id } = await charge(client, contactId, 1_000)
    const idempotencyKey = randomUUID()
    expect(await code(client.collections.writeOff({ id, amountCents: 1_001, reason: 'Slip', idempotencyKey }))).toBe('TOO_MUCH')
    expect(await client.collections.writeOff({ id, amountCents: 1_000, reason: 'Slip', idempotencyKey })).toMatchObject({
      balanceCents: 0,
    })
    await expect(
      client.collections.promise({ contactId, amountCents: 1, dueOn: '2026-12-01', idempotencyKey: 'again' }),
    ).rejects.toMatchObject({
      status: 422,
      data: { fields: { idempotencyKey: 'Idempotency key must be a UUID, such as 3f2a8c1e-5b7d-4e9f-8a6b-1c2d3e4f5a6b' } },
    })
  })

  it('creates a charge per request without a key', async () => {
    const client = await clerk()
    const contactId = await insertContact(till.server)
    await charge(client, contactId, 1_000)
    await charge(client, contactId, 1_000)
    expect(await kept(contactId)).toEqual({ entries: ['charge', 'charge'], notes: 0, audits: 2 })
  })
})
