import { beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { referralMessages } from './contract.ts'

const server = useServer()
let admin: Client
/** The id of a sales rep. */
let owner: string
beforeAll(async () => {
  admin = await server.as('admin')
  owner = (await server.account({ role: 'sales_rep' })).id
})

const named = async (firstName: string, assignedSalesRepId: string | null = null) =>
  (await admin.contacts.create({ firstName, lastName: 'Referral', assignedSalesRepId })).id
const tasksOf = (contactId: string) =>
  server.rows<{ title: string; description: string; assigned_to: string }>(
    'select title, description, assigned_to from tasks where contact_id = $1 order by id',
    [contactId],
  )
const auditOf = (contactId: string) =>
  server.rows<{ action: string; contact_ids: string[] }>(
    `select action, contact_ids from audit_log where kind = 'referral' and $1 = any(contact_ids) order by id`,
    [contactId],
  )

describe('the patient who referred another', () => {
  it('is shown on both records, and the owner of the referrer gets a task to thank them (issue 28)', async () => {
    const [ana, ben] = [await named('Ana', owner), await named('Ben')]
    const found = await admin.referrals.setReferrer({ contactId: ben, patientId: ana })
    expect(found).toEqual({ referrer: { id: ana, firstName: 'Ana', lastName: 'Referral' }, referred: [], total: 0 })
    expect(await admin.referrals.ofContact({ contactId: ana })).toEqual({
      referrer: null,
      referred: [{ id: ben, firstName: 'Ben', lastName: 'Referral' }],
      total: 1,
    })
    const [task] = await tasksOf(ana)
    expect(task).toMatchObject({ title: 'Thank Ana Referral for a referral', assigned_to: owner })
    expect(task!.description).not.toContain('Ben')
    expect(await tasksOf(ben)).toEqual([])
    expect((await auditOf(ben)).map(({ action, contact_ids: ids }) => [action, ids.toSorted()])).toEqual([
      ['created', [ana, ben].toSorted()],
    ])
  })

  it('is replaced and removed, and thanked once for each referral (issue 28)', async () => {
    const [ana, ben, chloe] = [await named('Ana', owner), await named('Ben'), await named('Chloé')]
    await admin.referrals.setReferrer({ contactId: ben, patientId: ana })
    await admin.referrals.setReferrer({ contactId: ben, patientId: ana })
    expect(await tasksOf(ana)).toHaveLength(1)
    await admin.referrals.setReferrer({ contactId: ben, patientId: chloe, createTask: false })
    expect((await admin.referrals.ofContact({ contactId: ana })).total).toBe(0)
    expect(await tasksOf(chloe)).toEqual([])
    expect(await admin.referrals.removeReferrer({ contactId: ben })).toEqual({ referrer: null, referred: [], total: 0 })
    expect((await admin.referrals.ofContact({ contactId: chloe })).total).toBe(0)
    expect((await auditOf(ben)).map(({ action }) => action)).toEqual(['created', 'changed', 'deleted'])
    expect(await server.rows('select 1 from referrals where contact_id = any($1)', [[ana, ben, chloe]])).toEqual([])
  })

  it('is one, however many people record one at the same moment (issue 28)', async () => {
    const ben = await named('Ben')
    const referrers = await Promise.all(Array.from({ length: 8 }, () => named('Ana')))
    await Promise.all(referrers.map((patientId) => admin.referrals.setReferrer({ contactId: ben, patientId, createTask: false })))
    const rows = await server.rows<{ side: string }>(
      `select theirs.side from referrals as mine join referrals as theirs using (referral_id) where mine.contact_id = $1 order by 1`,
      [ben],
    )
    expect(rows.map(({ side }) => side)).toEqual(['referred', 'referrer'])
  })

  it('follows a merge of either patient, and its undo (issue 28)', async () => {
    const [ana, twin, ben] = [await named('Ana'), await named('Ana'), await named('Ben')]
    await admin.referrals.setReferrer({ contactId: ben, patientId: twin, createTask: false })
    const mergeId = await merge(ana, twin)
    expect((await admin.referrals.ofContact({ contactId: ben })).referrer?.id).toBe(ana)
    await admin.contacts.undoMerge({ id: mergeId })
    expect((await admin.referrals.ofContact({ contactId: ben })).referrer?.id).toBe(twin)
  })

  it('is not the patient, also after both were merged into one (issue 28)', async () => {
    const [ana, ben] = [await named('Ana'), await named('Ben')]
    await admin.referrals.setReferrer({ contactId: ben, patientId: ana, createTask: false })
    await merge(ben, ana)
    expect(await admin.referrals.ofContact({ contactId: ben })).toEqual({ referrer: null, referred: [], total: 0 })
  })

  it.each([
    [{}, { patientId: referralMessages.none }],
    [{ name: '  ' }, { name: referralMessages.none }],
    [{ name: 'Dr. Okafor', patientId: '0192f3c1-7a5e-7c3b-9d2e-4f1a6b8c0d21' }, { name: referralMessages.none }],
    [{ patientId: '0192f3c1-7a5e-7c3b-9d2e-4f1a6b8c0d21' }, { patientId: referralMessages.patient }],
  ])('refuses %j, naming the field (issue 28)', async (given, fields) => {
    const contactId = await named('Ben')
    const response = await server.send('PUT', `/api/contacts/${contactId}/referrer`, given, await server.signIn('admin'))
    expect([response.status, await response.json()]).toMatchObject([422, { data: { fields } }])
    expect(await server.rows('select 1 from referrals where contact_id = $1', [contactId])).toEqual([])
  })

  it('refuses the patient themselves, and patients that do not exist (issue 28)', async () => {
    const contactId = await named('Ben')
    expect(await refusal(admin.referrals.setReferrer({ contactId, patientId: contactId }))).toMatchObject({
      status: 422,
      data: { fields: { patientId: referralMessages.self } },
    })
    const noOne = '0192f3c1-7a5e-7c3b-9d2e-4f1a6b8c0d21'
    for (const call of [
      () => admin.referrals.ofContact({ contactId: noOne }),
      () => admin.referrals.setReferrer({ contactId: noOne, name: 'Dr. Okafor' }),
      () => admin.referrals.removeReferrer({ contactId: noOne }),
    ])
      expect((await refusal(call())).status).toBe(404)
  })
})

describe('a practice or person who referred a patient', () => {
  it('is named on the record in place of a patient, and thanked by the owner (issue 28)', async () => {
    const [ana, ben] = [await named('Ana'), await named('Ben', owner)]
    await admin.referrals.setReferrer({ contactId: ben, patientId: ana, createTask: false })
    expect(await admin.referrals.setReferrer({ contactId: ben, name: ' Dr. Okafor ' })).toMatchObject({ referrer: null })
    expect((await admin.contacts.get({ id: ben })).referredBy).toBe('Dr. Okafor')
    expect(await tasksOf(ben)).toMatchObject([{ title: 'Thank Dr. Okafor for a referral', assigned_to: owner }])
  })

  it.each([
    ['the name of a field', { referred_by: 'Dr. Okafor' }],
    ['a label', { 'Who referred you?': 'Dr. Okafor' }],
    ['a French label', { 'Recommandée par': 'Dr. Okafor' }],
  ])('is read from a lead form by %s, and does not replace what is on the record (issue 28)', async (_, field) => {
    const email = `referred.${crypto.randomUUID()}@example.ca`
    const { webhookKey } = await admin.leadSources.create({ name: `Form ${crypto.randomUUID()}` })
    const send = (given: object) =>
      server.send('POST', `/api/leads/${webhookKey}`, {
        firstName: 'Dana',
        lastName: 'Referral',
        email,
        referrer: 'https://news.example',
        ...given,
      })
    const namedAfter = async (leads: number) => {
      const rows = await until(async () => {
        const found = await server.rows<{ name: string | null }>(
          'select referred_by as name from contacts join lead_entries on contact_id = contacts.id where email = $1',
          [email],
        )
        return found.length === leads && found
      })
      return rows[0]!.name
    }
    expect((await send(field)).status).toBe(202)
    expect(await namedAfter(1)).toBe('Dr. Okafor')
    expect((await send({ referred_by: 'A neighbour' })).status).toBe(202)
    expect(await namedAfter(2)).toBe('Dr. Okafor')
  })
})

async function merge(id: string, sourceId: string): Promise<string> {
  const { target, source } = await admin.contacts.mergePreview({ id, sourceId })
  return (await admin.contacts.merge({ id, version: target.version, sourceId, sourceVersion: source.version, choices: {} })).mergeId
}
