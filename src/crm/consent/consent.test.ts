import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCustomer, newSale, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { createPatient, useInbox } from '../../../test/messages/inbox.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, webhookKey } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

type Row = { basis: string; source: string; withdrawn_at: Date | null; expires_at: Date | null; given_by: string | null }

describe('consent ledger', () => {
  const server = useInbox()
  let frontDesk: Client
  let admin: Client
  beforeAll(async () => {
    frontDesk = await server.as('front_desk')
    admin = await server.as('admin')
  })
  const entriesOf = (contactId: string) =>
    server.rows<Row>('select * from consents where contact_id = $1 order by given_at, id', [contactId])
  const consentFlagOf = async (id: string) => (await frontDesk.contacts.get({ id })).consentToCommunicate
  const timelineOf = async (contactId: string) =>
    (await frontDesk.interactions.list({ contactId })).data.map(({ description }) => description)
  const consentInput = { wording: 'News and offers by email', way: 'in_person' as const }

  it('records express consent once, sets the flag on the record and adds a timeline entry', async () => {
    const account = await server.account({ role: 'provider' })
    const provider = server.client(account.cookie)
    const { id } = await createPatient(server)
    expect(await frontDesk.consent.get({ id })).toEqual({
      live: null,
      text: { live: null, stopped: [], unsubscribed: [] },
      entries: [],
      unsubscribed: [],
    })
    const state = await provider.consent.record({ id, ...consentInput })
    expect(state.live).toMatchObject({
      basis: 'express',
      source: 'in_person',
      wording: consentInput.wording,
      givenBy: account.id,
      expiresAt: null,
    })
    expect(await provider.consent.record({ id, ...consentInput })).toEqual(state)
    expect(await consentFlagOf(id)).toBe(true)
    expect(await timelineOf(id)).toEqual(['Consent to commercial email recorded'])
  })

  it('withdraws consent on every basis once and clears the flag on the record', async () => {
    const { id } = await createPatient(server)
    await server.rows(
      `insert into consents (contact_id, basis, source, given_at, expires_at) values ($1, 'inquiry', 'lead', now(), now() + interval '1 day')`,
      [id],
    )
    await frontDesk.consent.record({ id, ...consentInput })
    const state = await frontDesk.consent.withdraw({ id })
    expect(state.live).toBeNull()
    expect(state.entries.map(({ channel, basis, withdrawalSource }) => [channel, basis, withdrawalSource]).toSorted()).toEqual([
      ['email', 'express', 'asked'],
      ['email', 'inquiry', 'asked'],
      ['text', 'none', 'asked'],
    ])
    expect(await consentFlagOf(id)).toBe(false)
    expect(await frontDesk.consent.withdraw({ id })).toEqual(state)
    expect(await timelineOf(id)).toEqual(['Consent to commercial email withdrawn', 'Consent to commercial email recorded'])
  })

  it('adds one timeline entry for simultaneous withdrawals', async () => {
    const { id } = await createPatient(server)
    await frontDesk.consent.record({ id, ...consentInput })
    await Promise.all(Array.from({ length: 5 }, () => frontDesk.consent.withdraw({ id })))
    expect((await timelineOf(id)).filter((line) => line.endsWith('withdrawn'))).toHaveLength(1)
  })

  it('adds an entry when the flag on the record is set, and ends it when the flag is cleared (spec 3)', async () => {
    const contact = await frontDesk.contacts.create({ firstName: 'Ana', lastName: 'Silva', consentToCommunicate: true })
    expect(await entriesOf(contact.id)).toMatchObject([{ basis: 'express', source: 'record', withdrawn_at: null }])
    const after = await frontDesk.contacts.update({ id: contact.id, version: contact.version, consentToCommunicate: false })
    expect((await frontDesk.consent.get({ id: contact.id })).live).toBeNull()
    await frontDesk.contacts.update({ id: contact.id, version: after.version, consentToCommunicate: true })
    expect(await entriesOf(contact.id)).toMatchObject([{ withdrawn_at: expect.any(Date) }, { withdrawn_at: null }])
    expect((await frontDesk.consent.get({ id: contact.id })).live).toMatchObject({ basis: 'express' })
  })

  it('adds 6 months of implied consent for each lead and leaves the flag on the record unset', async () => {
    const email = `${randomUUID()}@example.com`
    for (const [i, message] of ['one', 'two'].entries()) {
      const lead = await server.send('POST', `/api/leads/${webhookKey}`, { first_name: 'Ana', last_name: 'Silva', email, message })
      const { id } = (await lead.json()) as { id: string }
      await until(async () => (await server.rows(`select 1 from lead_entries where id = $1 and status = 'completed'`, [id])).length > 0)
      const contact = (await admin.contacts.byEmail({ email }))!
      expect(await entriesOf(contact.id)).toHaveLength(i + 1)
      expect((await frontDesk.consent.get({ id: contact.id })).live).toMatchObject({
        basis: 'inquiry',
        source: 'lead',
        expiresAt: expect.any(String),
      })
      expect(await consentFlagOf(contact.id)).toBe(false)
    }
  })

  /** Sends a lead form with this address and waits until it is processed. */
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

  it('does not restore withdrawn consent by a lead form, only by express consent', async () => {
    const email = `${randomUUID()}@example.com`
    const { id } = await sendLead(email)
    await frontDesk.consent.withdraw({ id })
    await sendLead(email)
    const state = await frontDesk.consent.get({ id })
    const toEmail = state.entries.filter(({ channel }) => channel === 'email')
    expect([state.live, toEmail.length]).toEqual([null, 1])
    const restored = await frontDesk.consent.record({ id, ...consentInput })
    expect(restored.live).toMatchObject({ basis: 'express' })
    await sendLead(email)
    expect((await frontDesk.consent.get({ id })).entries.map(({ basis }) => basis)).toContain('inquiry')
    await frontDesk.consent.withdraw({ id })
    expect((await frontDesk.consent.get({ id })).live).toBeNull()
  })

  it('records one withdrawal for a patient who had not consented', async () => {
    const email = `${randomUUID()}@example.com`
    const { id } = await frontDesk.contacts.create({ firstName: 'Ana', lastName: 'Silva', email })
    for (let i = 0; i < 2; i++) await frontDesk.consent.withdraw({ id })
    await sendLead(email)
    expect(await frontDesk.consent.get({ id })).toMatchObject({
      live: null,
      entries: [
        { channel: 'text', basis: 'none', withdrawalSource: 'asked' },
        { channel: 'email', basis: 'none', withdrawalSource: 'asked' },
      ],
    })
  })

  it('keeps a withdrawal of either patient through a merge, whatever is chosen, and undo restores each patient’s own consent', async () => {
    const [ticked, withdrawn] = await Promise.all(
      [true, false].map((consentToCommunicate) => frontDesk.contacts.create({ firstName: 'Ana', lastName: 'Silva', consentToCommunicate })),
    )
    await frontDesk.consent.withdraw({ id: withdrawn!.id })
    const both = { id: ticked!.id, sourceId: withdrawn!.id }
    expect(await admin.contacts.mergePreview(both)).toMatchObject({ isConsentWithdrawn: true })
    const seen = await Promise.all([ticked!, withdrawn!].map(({ id }) => frontDesk.contacts.get({ id })))
    const merged = await admin.contacts.merge({
      ...both,
      version: seen[0]!.version,
      sourceVersion: seen[1]!.version,
      choices: { consentToCommunicate: 'target' },
    })
    expect(merged.consentToCommunicate).toBe(false)
    expect((await frontDesk.consent.get({ id: merged.id })).live).toBeNull()
    await admin.contacts.undoMerge({ id: merged.mergeId })
    expect((await frontDesk.consent.get({ id: ticked!.id })).live).toMatchObject({ basis: 'express' })
    expect((await frontDesk.consent.get({ id: withdrawn!.id })).live).toBeNull()
  })

  it('applies a withdrawal after a merge to both patients once the merge is undone', async () => {
    const [target, source] = await Promise.all(
      [false, true].map((consentToCommunicate) => frontDesk.contacts.create({ firstName: 'Ana', lastName: 'Silva', consentToCommunicate })),
    )
    const { id, mergeId } = await admin.contacts.merge({ id: target!.id, sourceId: source!.id, version: 1, sourceVersion: 1 })
    await frontDesk.consent.withdraw({ id })
    await admin.contacts.undoMerge({ id: mergeId })
    for (const one of [target!, source!]) {
      expect((await frontDesk.consent.get({ id: one.id })).live).toBeNull()
      expect(await consentFlagOf(one.id)).toBe(false)
    }
  })

  it('ends consent in a merge whose result has none, and undo gives the entries back to each patient', async () => {
    const [target, source] = await Promise.all(
      [false, true].map((consentToCommunicate) => frontDesk.contacts.create({ firstName: 'Ana', lastName: 'Silva', consentToCommunicate })),
    )
    const merged = await admin.contacts.merge({
      id: target!.id,
      sourceId: source!.id,
      version: target!.version,
      sourceVersion: source!.version,
    })
    expect(merged.consentToCommunicate).toBe(false)
    expect((await frontDesk.consent.get({ id: target!.id })).live).toBeNull()
    expect(await entriesOf(target!.id)).toMatchObject([{ withdrawal_source: 'merge' }])
    await admin.contacts.undoMerge({ id: merged.mergeId })
    expect((await frontDesk.consent.get({ id: source!.id })).live).toMatchObject({ basis: 'express', withdrawalSource: null })
    expect(await consentFlagOf(source!.id)).toBe(true)
    expect(await entriesOf(target!.id)).toEqual([])
  })

  it('keeps the source’s entry in a merge that takes over its flag', async () => {
    const [target, source] = await Promise.all(
      [false, true].map((consentToCommunicate) => frontDesk.contacts.create({ firstName: 'Ana', lastName: 'Silva', consentToCommunicate })),
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
    expect((await frontDesk.consent.get({ id: target!.id })).live).toMatchObject({ basis: 'express' })
  })

  it('deletes entries with their patient', async () => {
    const { id } = await createPatient(server)
    await frontDesk.consent.record({ id, ...consentInput })
    await admin.contacts.delete({ id })
    expect(await entriesOf(id)).toEqual([])
  })

  it('answers 404 for an unknown patient and 422 with the missing fields', async () => {
    const id = randomUUID()
    for (const call of [
      () => frontDesk.consent.get({ id }),
      () => frontDesk.consent.record({ id, ...consentInput }),
      () => frontDesk.consent.withdraw({ id }),
    ])
      expect(await refusal(call())).toMatchObject({ status: 404, message: 'This patient does not exist' })
    const cookie = await server.signIn('front_desk')
    const response = await server.send('POST', `/api/contacts/${id}/consent`, { wording: ' ', way: 'telepathy' }, cookie)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      data: { fields: { wording: 'Enter what the patient agreed to', way: 'Choose how consent was given' } },
    })
  })
})

describe('consent by channel', () => {
  const server = useInbox()
  let frontDesk: Client
  beforeAll(async () => {
    frontDesk = await server.as('front_desk')
  })
  const both = { wording: 'News by email and text', way: 'paper' as const, channels: ['email' as const, 'text' as const] }

  it('is recorded, shown and withdrawn for each channel apart, and only email is on the flag of the record (issue 28)', async () => {
    const { id } = await createPatient(server)
    const texted = await frontDesk.consent.record({ id, wording: 'News by text', way: 'phone', channels: ['text'] })
    expect(texted).toMatchObject({ live: null, text: { live: { channel: 'text', basis: 'express' } } })
    expect((await frontDesk.contacts.get({ id })).consentToCommunicate).toBe(false)
    await frontDesk.consent.record({ id, ...both })
    expect((await frontDesk.contacts.get({ id })).consentToCommunicate).toBe(true)
    const ended = await frontDesk.consent.withdraw({ id, channels: ['text'] })
    expect(ended).toMatchObject({ live: { channel: 'email' }, text: { live: null } })
    expect((await frontDesk.contacts.get({ id })).consentToCommunicate).toBe(true)
    expect((await frontDesk.interactions.list({ contactId: id })).data.map(({ description }) => description)).toEqual([
      'Consent to commercial text messages withdrawn',
      'Consent to commercial email and text messages recorded',
      'Consent to commercial text messages recorded',
    ])
    expect(await frontDesk.consent.withdraw({ id })).toMatchObject({ live: null, text: { live: null } })
  })

  it.each([
    ['416-555-0142', ['email', 'text']],
    ['800 555 0100', ['email']],
    ['555 0142', ['email']],
    [undefined, ['email']],
  ])('is implied by an inquiry with the phone %s for %j (issue 28)', async (phone, channels) => {
    const email = `${randomUUID()}@example.com`
    const fields = { first_name: 'Ana', last_name: 'Silva', email, phone, message: randomUUID() }
    const lead = await server.send('POST', `/api/leads/${webhookKey}`, fields)
    const { id } = (await lead.json()) as { id: string }
    await until(async () => (await server.rows(`select 1 from lead_entries where id = $1 and status = 'completed'`, [id])).length > 0)
    const contact = (await (await server.as('admin')).contacts.byEmail({ email }))!
    const { entries } = await frontDesk.consent.get({ id: contact.id })
    expect(entries.map(({ channel }) => channel).toSorted()).toEqual(channels)
  })

  it('names the channels that are missing (issue 28)', async () => {
    const { id } = await createPatient(server)
    const cookie = await server.signIn('front_desk')
    const response = await server.send('POST', `/api/contacts/${id}/consent`, { ...both, channels: [] }, cookie)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ data: { fields: { channels: 'Choose email, text or both' } } })
  })

  it('of entries from before channels is to email (issue 28)', async () => {
    const { id } = await createPatient(server)
    await server.rows(`insert into consents (contact_id, basis, source, given_at) values ($1, 'express', 'imported', now())`, [id])
    expect(await frontDesk.consent.get({ id })).toMatchObject({ live: { channel: 'email' }, text: { live: null } })
  })

  it('stays withdrawn when a merge is undone, whatever is decided about changed rows (issue 28)', async () => {
    const admin = await server.as('admin')
    const [target, source] = await Promise.all([createPatient(server), createPatient(server)])
    await frontDesk.consent.record({ id: source.id, ...both, channels: ['text'] })
    const versions = await Promise.all([target, source].map(({ id }) => frontDesk.contacts.get({ id })))
    const merged = await admin.contacts.merge({
      id: target.id,
      sourceId: source.id,
      version: versions[0]!.version,
      sourceVersion: versions[1]!.version,
    })
    await frontDesk.consent.withdraw({ id: target.id, channels: ['text'] })
    await admin.contacts.undoMerge({ id: merged.mergeId })
    for (const { id } of [target, source]) {
      const { text, entries } = await frontDesk.consent.get({ id })
      expect([text.live, entries.map(({ channel, withdrawalSource }) => [channel, withdrawalSource])]).toEqual([null, [['text', 'asked']]])
    }
  })
})

describe('consent implied by a sale', () => {
  const till = usePointOfSale()
  it('lasts 2 years, is added once and not after a withdrawal', async () => {
    const clerk = await till.server.as('front_desk')
    const customer = await createCustomer(clerk)
    await clerk.pos.createReceipt(await newSale(clerk, customer, [{ name: 'Consultation', unitPrice: 15_000 }]))
    const { live, entries } = await clerk.consent.get({ id: customer.contactId })
    expect(entries.map(({ channel }) => channel).toSorted()).toEqual(['email', 'text'])
    expect(live).toMatchObject({ basis: 'purchase', source: 'sale' })
    expect(new Date(live!.expiresAt!).getFullYear() - new Date(live!.givenAt).getFullYear()).toBe(2)
    await clerk.consent.withdraw({ id: customer.contactId })
    await clerk.pos.createReceipt(await newSale(clerk, customer, [{ name: 'Consultation', unitPrice: 16_000 }]))
    expect(await clerk.consent.get({ id: customer.contactId })).toMatchObject({
      live: null,
      text: { live: null },
      entries: [{ basis: 'purchase' }, { basis: 'purchase' }],
    })
  })
})
