import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { newCustomer, saleOf, useTill } from '../../../test/books.ts'
import { newPatient, useInbox } from '../../../test/inbox.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, webhookKey } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

type Row = { basis: string; source: string; withdrawn_at: Date | null; expires_at: Date | null; given_by: string | null }

describe('issue 7: the ledger of consent', () => {
  const server = useInbox()
  let desk: Client
  let admin: Client
  beforeAll(async () => {
    desk = await server.as('front_desk')
    admin = await server.as('admin')
  })
  const entriesOf = (contactId: string) =>
    server.rows<Row>('select * from consents where contact_id = $1 order by given_at, id', [contactId])
  const tickOf = async (id: string) => (await desk.contacts.get({ id })).consentToCommunicate
  const timelineOf = async (contactId: string) => (await desk.interactions.list({ contactId })).data.map(({ description }) => description)
  const told = { wording: 'News and offers by email', way: 'in_person' as const }

  it('a consent that is written down is live, ticks the record, and is told; the same again is the same', async () => {
    const account = await server.account({ role: 'provider' })
    const provider = server.client(account.cookie)
    const { id } = await newPatient(server)
    expect(await desk.consent.get({ id })).toEqual({ live: null, entries: [], unsubscribed: [] })
    const state = await provider.consent.record({ id, ...told })
    expect(state.live).toMatchObject({ basis: 'express', source: 'in_person', wording: told.wording, givenBy: account.id, expiresAt: null })
    expect(await provider.consent.record({ id, ...told })).toEqual(state)
    expect(await tickOf(id)).toBe(true)
    expect(await timelineOf(id)).toEqual(['Consent to commercial email recorded'])
  })

  it('is withdrawn whatever it is based on, and the tick goes; a second time nothing happens', async () => {
    const { id } = await newPatient(server)
    await server.rows(
      `insert into consents (contact_id, basis, source, given_at, expires_at) values ($1, 'inquiry', 'lead', now(), now() + interval '1 day')`,
      [id],
    )
    await desk.consent.record({ id, ...told })
    const state = await desk.consent.withdraw({ id })
    expect(state.live).toBeNull()
    expect(state.entries.map(({ withdrawalSource }) => withdrawalSource)).toEqual(['asked', 'asked'])
    expect(await tickOf(id)).toBe(false)
    expect(await desk.consent.withdraw({ id })).toEqual(state)
    expect(await timelineOf(id)).toEqual(['Consent to commercial email withdrawn', 'Consent to commercial email recorded'])
  })

  it('two who withdraw at once end it once', async () => {
    const { id } = await newPatient(server)
    await desk.consent.record({ id, ...told })
    await Promise.all(Array.from({ length: 5 }, () => desk.consent.withdraw({ id })))
    expect((await timelineOf(id)).filter((line) => line.endsWith('withdrawn'))).toHaveLength(1)
  })

  it('spec 3: the tick of the record writes an entry, and ends it', async () => {
    const contact = await desk.contacts.create({ firstName: 'Ana', lastName: 'Silva', consentToCommunicate: true })
    expect(await entriesOf(contact.id)).toMatchObject([{ basis: 'express', source: 'record', withdrawn_at: null }])
    const after = await desk.contacts.update({ id: contact.id, version: contact.version, consentToCommunicate: false })
    expect((await desk.consent.get({ id: contact.id })).live).toBeNull()
    await desk.contacts.update({ id: contact.id, version: after.version, consentToCommunicate: true })
    expect(await entriesOf(contact.id)).toMatchObject([{ withdrawn_at: expect.any(Date) }, { withdrawn_at: null }])
    expect((await desk.consent.get({ id: contact.id })).live).toMatchObject({ basis: 'express' })
  })

  it('a lead implies consent for 6 months, each again, and ticks nothing', async () => {
    const email = `${randomUUID()}@example.com`
    for (const [i, message] of ['one', 'two'].entries()) {
      const lead = await server.send('POST', `/api/leads/${webhookKey}`, { first_name: 'Ana', last_name: 'Silva', email, message })
      const { id } = (await lead.json()) as { id: string }
      await until(async () => (await server.rows(`select 1 from lead_entries where id = $1 and status = 'completed'`, [id])).length > 0)
      const contact = (await admin.contacts.byEmail({ email }))!
      expect(await entriesOf(contact.id)).toHaveLength(i + 1)
      expect((await desk.consent.get({ id: contact.id })).live).toMatchObject({
        basis: 'inquiry',
        source: 'lead',
        expiresAt: expect.any(String),
      })
      expect(await tickOf(contact.id)).toBe(false)
    }
  })

  /** A lead form of someone with this address, processed. */
  const sendLead = async (email: string) => {
    const lead = await server.send('POST', `/api/leads/${webhookKey}`, {
      first_name: 'Ana',
      last_name: 'Silva',
      email,
      message: randomUUID(),
    })
    const { id } = (await lead.json()) as { id: string }
    await until(async () => (await server.rows(`select 1 from lead_entries where id = $1 and status = 'completed'`, [id])).length > 0)
    return (await admin.contacts.byEmail({ email }))!
  }

  it('a lead form does not restore consent that was withdrawn; express consent does (issue 22)', async () => {
    const email = `${randomUUID()}@example.com`
    const { id } = await sendLead(email)
    await desk.consent.withdraw({ id })
    await sendLead(email)
    const state = await desk.consent.get({ id })
    expect([state.live, state.entries.length]).toEqual([null, 1])
    const restored = await desk.consent.record({ id, ...told })
    expect(restored.live).toMatchObject({ basis: 'express' })
    await sendLead(email)
    expect((await desk.consent.get({ id })).entries.map(({ basis }) => basis)).toContain('inquiry')
    await desk.consent.withdraw({ id })
    expect((await desk.consent.get({ id })).live).toBeNull()
  })

  it('anyone who withdraws before there is any consent has withdrawn all the same, once (issue 22)', async () => {
    const email = `${randomUUID()}@example.com`
    const { id } = await desk.contacts.create({ firstName: 'Ana', lastName: 'Silva', email })
    for (let i = 0; i < 2; i++) await desk.consent.withdraw({ id })
    await sendLead(email)
    expect(await desk.consent.get({ id })).toMatchObject({ live: null, entries: [{ basis: 'none', withdrawalSource: 'asked' }] })
  })

  it('a merge does not bring back what either of the two withdrew, whatever is chosen; its undo gives each their own (issue 22)', async () => {
    const [ticked, withdrawn] = await Promise.all(
      [true, false].map((consentToCommunicate) => desk.contacts.create({ firstName: 'Ana', lastName: 'Silva', consentToCommunicate })),
    )
    await desk.consent.withdraw({ id: withdrawn!.id })
    const both = { id: ticked!.id, sourceId: withdrawn!.id }
    expect(await admin.contacts.mergePreview(both)).toMatchObject({ isConsentWithdrawn: true })
    const seen = await Promise.all([ticked!, withdrawn!].map(({ id }) => desk.contacts.get({ id })))
    const merged = await admin.contacts.merge({
      ...both,
      version: seen[0]!.version,
      sourceVersion: seen[1]!.version,
      choices: { consentToCommunicate: 'target' },
    })
    expect(merged.consentToCommunicate).toBe(false)
    expect((await desk.consent.get({ id: merged.id })).live).toBeNull()
    await admin.contacts.undoMerge({ id: merged.mergeId })
    expect((await desk.consent.get({ id: ticked!.id })).live).toMatchObject({ basis: 'express' })
    expect((await desk.consent.get({ id: withdrawn!.id })).live).toBeNull()
  })

  it('anyone who withdraws after a merge has no consent on either side of its undo (issue 22)', async () => {
    const [target, source] = await Promise.all(
      [false, true].map((consentToCommunicate) => desk.contacts.create({ firstName: 'Ana', lastName: 'Silva', consentToCommunicate })),
    )
    const { id, mergeId } = await admin.contacts.merge({ id: target!.id, sourceId: source!.id, version: 1, sourceVersion: 1 })
    await desk.consent.withdraw({ id })
    await admin.contacts.undoMerge({ id: mergeId })
    for (const one of [target!, source!]) {
      expect((await desk.consent.get({ id: one.id })).live).toBeNull()
      expect(await tickOf(one.id)).toBe(false)
    }
  })

  it('a merge moves them; without consent in its result none holds, and its undo gives each their own back', async () => {
    const [target, source] = await Promise.all(
      [false, true].map((consentToCommunicate) => desk.contacts.create({ firstName: 'Ana', lastName: 'Silva', consentToCommunicate })),
    )
    const merged = await admin.contacts.merge({
      id: target!.id,
      sourceId: source!.id,
      version: target!.version,
      sourceVersion: source!.version,
    })
    expect(merged.consentToCommunicate).toBe(false)
    expect((await desk.consent.get({ id: target!.id })).live).toBeNull()
    expect(await entriesOf(target!.id)).toMatchObject([{ withdrawal_source: 'merge' }])
    await admin.contacts.undoMerge({ id: merged.mergeId })
    expect((await desk.consent.get({ id: source!.id })).live).toMatchObject({ basis: 'express', withdrawalSource: null })
    expect(await tickOf(source!.id)).toBe(true)
    expect(await entriesOf(target!.id)).toEqual([])
  })

  it('a merge that takes the tick of the source over has its entry too', async () => {
    const [target, source] = await Promise.all(
      [false, true].map((consentToCommunicate) => desk.contacts.create({ firstName: 'Ana', lastName: 'Silva', consentToCommunicate })),
    )
    const merged = await admin.contacts.merge({
      id: target!.id,
      sourceId: source!.id,
      version: target!.version,
      sourceVersion: source!.version,
      choices: { consentToCommunicate: 'source' },
    })
    expect(merged.consentToCommunicate).toBe(true)
    expect(await entriesOf(target!.id)).toHaveLength(1)
    expect((await desk.consent.get({ id: target!.id })).live).toMatchObject({ basis: 'express' })
  })

  it('they are deleted with their patient', async () => {
    const { id } = await newPatient(server)
    await desk.consent.record({ id, ...told })
    await admin.contacts.delete({ id })
    expect(await entriesOf(id)).toEqual([])
  })

  it('of a patient who does not exist is a 404; what is missing is named', async () => {
    const id = randomUUID()
    for (const call of [() => desk.consent.get({ id }), () => desk.consent.record({ id, ...told }), () => desk.consent.withdraw({ id })])
      expect(await refusal(call())).toMatchObject({ status: 404, message: 'This patient does not exist' })
    const cookie = await server.signIn('front_desk')
    const answer = await server.send('POST', `/api/contacts/${id}/consent`, { wording: ' ', way: 'telepathy' }, cookie)
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      data: { fields: { wording: 'Write what the patient agreed to', way: 'Say how it was given' } },
    })
  })
})

describe('issue 7: a sale', () => {
  const till = useTill()
  it('implies consent for 2 years, once', async () => {
    const clerk = await till.server.as('front_desk')
    const customer = await newCustomer(clerk)
    await clerk.pos.createReceipt(await saleOf(clerk, customer, [{ name: 'Consultation', unitPrice: 15_000 }]))
    const { live, entries } = await clerk.consent.get({ id: customer.contactId })
    expect(entries).toHaveLength(1)
    expect(live).toMatchObject({ basis: 'purchase', source: 'sale' })
    expect(new Date(live!.expiresAt!).getFullYear() - new Date(live!.givenAt).getFullYear()).toBe(2)
    await clerk.consent.withdraw({ id: customer.contactId })
    await clerk.pos.createReceipt(await saleOf(clerk, customer, [{ name: 'Consultation', unitPrice: 16_000 }]))
    expect(await clerk.consent.get({ id: customer.contactId })).toMatchObject({ live: null, entries: [{ basis: 'purchase' }] })
  })
})
