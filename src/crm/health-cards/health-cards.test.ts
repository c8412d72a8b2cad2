import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { unzip } from '../../../test/formats/zip.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { seal } from '../../kernel/seal.ts'
import { healthCardMessages, sealPurpose } from './rules.ts'

const number = '9876543217'
const oldSecret = 'an-old-secret-0123456789-abcdefghijk'

const server = useServer({ OLD_APP_SECRETS: oldSecret })
let admin: Client
let desk: Client
beforeAll(async () => {
  admin = await server.as('admin')
  desk = await server.as('front_desk')
})

const withCard = async (given: { number?: string; versionCode?: string | null } = {}) => {
  const contactId = await insertContact(server)
  await desk.healthCards.set({ contactId, version: 0, number, ...given })
  return contactId
}
const numberOf = async (contactId: string) => (await desk.healthCards.number({ contactId })).number
const cardOf = async (contactId: string) => (await desk.healthCards.get({ contactId })).card
const auditOf = (contactId: string) =>
  server.rows<{ action: string; before: unknown; after: unknown }>(
    `select action, before, after from audit_log where kind = 'health card' and contact_ids = array[$1]::uuid[] order by id`,
    [contactId],
  )

describe('a health card', () => {
  it('is stored sealed, read without its number, and opened on request', async () => {
    const contactId = await insertContact(server)
    expect(await cardOf(contactId)).toBeNull()
    const { card } = await desk.healthCards.set({ contactId, version: 0, number: '9876-543 217', versionCode: 'ab' })
    expect(card).toEqual({ version: 1, province: 'ON', lastDigits: '3217', versionCode: 'AB' })
    expect(await cardOf(contactId)).toEqual(card)
    expect(await numberOf(contactId)).toBe(number)
    const [row] = await server.rows('select to_jsonb(health_cards)::text as text from health_cards where contact_id = $1', [contactId])
    expect(row).not.toMatchObject({ text: expect.stringContaining(number) })
  })

  it('is replaced and removed', async () => {
    const contactId = await withCard()
    await desk.healthCards.set({ contactId, version: 1, number: 'trem 8853 1412', province: 'QC' })
    expect(await cardOf(contactId)).toEqual({ version: 2, province: 'QC', lastDigits: '1412', versionCode: null })
    expect(await numberOf(contactId)).toBe('TREM88531412')
    expect(await desk.healthCards.remove({ contactId })).toEqual({ card: null })
    expect(await desk.healthCards.remove({ contactId })).toEqual({ card: null })
    expect((await refusal(desk.healthCards.number({ contactId }))).status).toBe(404)
  })

  it.each([
    [{ number: '9876543218' }, { number: healthCardMessages.ontarioCheck }],
    [{ number: '12345' }, { number: healthCardMessages.ontarioLength }],
    [{ number: ' ' }, { number: healthCardMessages.missing }],
    [{ number, versionCode: '1' }, { versionCode: healthCardMessages.versionCode }],
    [{ number: '12345', province: 'QC' }, { number: healthCardMessages.otherLength }],
    [{ number: '123456789', province: 'AB', versionCode: 'AB' }, { versionCode: healthCardMessages.noVersionCode }],
    [{ number, province: 'XX' }, { province: 'Choose a province' }],
  ])('refuses %j, naming the field, and stores nothing', async (given, fields) => {
    const contactId = await insertContact(server)
    const response = await server.send(
      'PUT',
      `/api/contacts/${contactId}/health-card`,
      { version: 0, ...given },
      await server.signIn('admin'),
    )
    expect([response.status, await response.json()]).toMatchObject([422, { data: { fields } }])
    expect(await cardOf(contactId)).toBeNull()
    expect(await auditOf(contactId)).toEqual([])
  })

  it('answers 409 to a change of an older version, and keeps the newer one', async () => {
    const contactId = await withCard()
    const late = await refusal(desk.healthCards.set({ contactId, version: 0, number: '1234567897' }))
    expect(late).toMatchObject({ code: 'CONFLICT', status: 409, data: { card: { version: 1, lastDigits: '3217' } } })
    expect(await numberOf(contactId)).toBe(number)
  })

  it('is added once by two people at the same moment', async () => {
    const contactId = await insertContact(server)
    const both = ['1234567897', number].map((one) => desk.healthCards.set({ contactId, version: 0, number: one }))
    const outcomes = (await Promise.allSettled(both)).map(({ status }) => status)
    expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await auditOf(contactId)).map(({ action }) => action)).toEqual(['created'])
  })

  it('answers 404 for an unknown patient', async () => {
    const contactId = randomUUID()
    const calls = [
      () => desk.healthCards.get({ contactId }),
      () => desk.healthCards.number({ contactId }),
      () => desk.healthCards.set({ contactId, version: 0, number }),
      () => desk.healthCards.remove({ contactId }),
    ]
    for (const call of calls) expect((await refusal(call())).status).toBe(404)
  })

  it('opens after the secret of the server has changed, and is sealed with the new one when it is next written', async () => {
    const contactId = await withCard()
    const sealed = seal({ APP_SECRET: oldSecret }, sealPurpose, number)
    await server.rows('update health_cards set sealed_number = $2 where contact_id = $1', [contactId, sealed])
    expect(await numberOf(contactId)).toBe(number)
    await desk.healthCards.set({ contactId, version: 1, number })
    const [row] = await server.rows<{ key: string }>(
      "select split_part(sealed_number, '.', 1) as key from health_cards where contact_id = $1",
      [contactId],
    )
    expect(row!.key).not.toBe(sealed.split('.')[0])
  })

  it('answers 409 if its secret is no longer known', async () => {
    const contactId = await withCard()
    const sealed = seal({ APP_SECRET: 'a-lost-secret-0123456789-abcdefghijk' }, sealPurpose, number)
    await server.rows('update health_cards set sealed_number = $2 where contact_id = $1', [contactId, sealed])
    expect(await refusal(desk.healthCards.number({ contactId }))).toMatchObject({ code: 'UNREADABLE', status: 409 })
    expect(await cardOf(contactId)).toMatchObject({ lastDigits: '3217' })
  })
})

describe('the audit log', () => {
  it('has each view of the number and each change, never the number', async () => {
    const contactId = await withCard({ versionCode: 'AB' })
    await numberOf(contactId)
    await numberOf(contactId)
    await desk.healthCards.set({ contactId, version: 1, number: '1234567897' })
    await desk.healthCards.remove({ contactId })
    const [first, second] = [
      { province: 'ON', lastDigits: '3217', versionCode: 'AB' },
      { province: 'ON', lastDigits: '7897', versionCode: null },
    ]
    expect(await auditOf(contactId)).toEqual([
      { action: 'created', before: null, after: first },
      { action: 'viewed', before: null, after: null },
      { action: 'viewed', before: null, after: null },
      { action: 'changed', before: first, after: second },
      { action: 'deleted', before: second, after: null },
    ])
    const leaks = await server.rows(
      `select 'audit_log' from audit_log where audit_log::text ~ $1
       union all select 'timeline' from interactions where interactions::text ~ $1
       union all select 'job' from graphile_worker._private_jobs as job where job::text ~ $1`,
      [`${number}|1234567897`],
    )
    expect(leaks).toEqual([])
  })

  it('has the refused attempts of sales and billing, who see nothing of it', async () => {
    const contactId = await withCard()
    for (const role of ['sales_rep', 'billing'] as const) {
      const client = await server.as(role)
      expect((await refusal(client.healthCards.get({ contactId }))).status).toBe(403)
      expect((await refusal(client.healthCards.number({ contactId }))).status).toBe(403)
    }
    const denied = await server.rows(`select 1 from audit_log where action = 'denied' and kind like 'healthCards.%'`)
    expect(denied).toHaveLength(4)
  })
})

describe('the card of a patient', () => {
  const merge = async (id: string, sourceId: string) => {
    const seen = await admin.contacts.mergePreview({ id, sourceId })
    const versions = { version: seen.target.version, sourceVersion: seen.source.version }
    return admin.contacts.merge({ id, sourceId, choices: {}, ...versions })
  }

  it('stays in a merge if there is one, else the other’s is taken, and undoing brings each back', async () => {
    const [kept, dropped] = [await withCard(), await withCard({ number: '1234567897' })]
    const first = await merge(kept, dropped)
    expect(await numberOf(kept)).toBe(number)
    await admin.contacts.undoMerge({ id: first.mergeId })
    expect([await numberOf(kept), await numberOf(dropped)]).toEqual([number, '1234567897'])

    const empty = await insertContact(server)
    const second = await merge(empty, dropped)
    expect(await numberOf(empty)).toBe('1234567897')
    await admin.contacts.undoMerge({ id: second.mergeId })
    expect([await cardOf(empty), await numberOf(dropped)]).toEqual([null, '1234567897'])
  })

  it('passes to the target when the merge whose card won is undone before another', async () => {
    const [target, one, other] = [await insertContact(server), await withCard(), await withCard({ number: '1234567897' })]
    const first = await merge(target, one)
    const second = await merge(target, other)
    expect(await numberOf(target)).toBe(number)
    await admin.contacts.undoMerge({ id: first.mergeId })
    expect([await numberOf(target), await numberOf(one)]).toEqual(['1234567897', number])
    await admin.contacts.undoMerge({ id: second.mergeId })
    expect([await cardOf(target), await numberOf(other)]).toEqual([null, '1234567897'])
  })

  it('is deleted with the patient and restored with them', async () => {
    const contactId = await withCard()
    const { id } = await admin.bulkChanges.start({ selection: { ids: [contactId] }, change: { kind: 'delete', forGood: false } })
    await until(async () => (await server.rows('select 1 from health_cards where contact_id = $1', [contactId])).length === 0)
    await until(async () => (await admin.bulkChanges.get({ id })).status === 'done')
    await admin.bulkChanges.undo({ id })
    await until(async () => (await server.rows('select 1 from health_cards where contact_id = $1', [contactId])).length === 1)
    expect(await numberOf(contactId)).toBe(number)
  })

  it('is whole in the export of their record, because the number is theirs', async () => {
    const contactId = await withCard({ versionCode: 'AB' })
    const response = await server.request(`/api/contacts/${contactId}/whole-record.zip`, {
      headers: { cookie: await server.signIn('admin') },
    })
    const entries = await unzip(Buffer.from(await response.arrayBuffer()))
    const record = JSON.parse(entries.get('record.json')!.toString()) as { health_cards: object[] }
    expect(record.health_cards).toMatchObject([{ province: 'ON', number, version_code: 'AB', last_digits: '3217' }])
    expect(record.health_cards[0]).not.toHaveProperty('sealed_number')
  })

  it('is in no export of the list', async () => {
    const contactId = await withCard()
    await server.rows('update contacts set last_name = $2 where id = $1', [contactId, `Card${contactId.slice(0, 8)}`])
    const file = await server.request(`/api/contacts/export.csv?search=Card${contactId.slice(0, 8)}`, {
      headers: { cookie: await server.signIn('admin') },
    })
    const text = await file.text()
    expect(text).toContain(`Card${contactId.slice(0, 8)}`)
    expect(text).not.toMatch(/3217|[Hh]ealth card/)
  })
})
