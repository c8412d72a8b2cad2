import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact, insertContacts } from '../../../test/factories.ts'
import { openStream } from '../../../test/network/stream.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { maxRows } from './rules.ts'

const clock = { now: new Date('2026-11-21T15:00:00Z') }
const server = useServer({}, { now: () => clock.now })
let admin: Client
let provider: Client
let desk: Client
beforeAll(async () => {
  ;[admin, provider, desk] = await Promise.all([server.as('admin'), server.as('provider'), server.as('front_desk')])
})

type Health = Awaited<ReturnType<Client['health']['get']>>
type Entry = Health['entries'][number]
const named = ({ entries }: Health, name: string): Entry => entries.find((entry) => entry.name === name)!
const semaglutide = { kind: 'medication', name: 'Semaglutide', dose: '0.5 mg weekly', stopDays: 14, isWeightLoss: true } as const

async function patientWithChart() {
  const contactId = await insertContact(server)
  await provider.health.addEntry({ contactId, kind: 'allergy', name: 'Penicillin', detail: 'Anaphylaxis, 2014', severity: 'severe' })
  await provider.health.addEntry({ contactId, kind: 'alert', name: 'Faints at blood draws' })
  await provider.health.addEntry({ contactId, ...semaglutide })
  await provider.health.addEntry({ contactId, kind: 'condition', name: 'Hypertension' })
  for (const section of ['allergies', 'medications', 'history'] as const) await provider.health.reviewed({ contactId, section })
  await provider.health.addMeasurement({ contactId, heightCm: 168, weightKg: 71.2, measuredOn: '2026-11-19' })
  return contactId
}

describe('the health summary', () => {
  it('shows the front desk allergies and alerts only, everything to providers and administrators, and nothing to others', async () => {
    const contactId = await patientWithChart()
    for (const client of [admin, provider]) {
      const { entries, reviews, measurements } = await client.health.get({ contactId })
      expect(entries.map(({ kind }) => kind)).toEqual(['allergy', 'alert', 'medication', 'condition'])
      expect(reviews.map(({ section, activeEntries }) => [section, activeEntries])).toEqual([
        ['allergies', 1],
        ['history', 1],
        ['medications', 1],
      ])
      expect(measurements).toMatchObject([{ heightCm: 168, weightKg: 71.2, systolic: null, measuredOn: '2026-11-19' }])
    }
    const seen = await desk.health.get({ contactId })
    expect(seen.entries.map(({ kind }) => kind)).toEqual(['allergy', 'alert'])
    expect(seen.reviews.map(({ section }) => section)).toEqual(['allergies'])
    expect(seen.measurements).toEqual([])
    for (const role of ['sales_rep', 'billing'] as const)
      expect((await refusal((await server.as(role)).health.get({ contactId }))).status).toBe(403)
    expect((await refusal(desk.health.get({ contactId: randomUUID() }))).code).toBe('NOT_FOUND')
  })

  it('lets the front desk write allergies and alerts only, and logs what was refused', async () => {
    const contactId = await patientWithChart()
    const denials = () =>
      server.rows("select id from audit_log where action = 'denied' and kind like 'health.%' and actor_role = 'front_desk'")
    const before = (await denials()).length
    expect(named(await desk.health.addEntry({ contactId, kind: 'allergy', name: 'Latex' }), 'Latex').severity).toBeNull()
    await desk.health.addEntry({ contactId, kind: 'alert', name: 'Hard of hearing' })
    await desk.health.reviewed({ contactId, section: 'allergies' })
    const medication = named(await provider.health.get({ contactId }), 'Semaglutide')
    const attempts = [
      () => desk.health.addEntry({ contactId, kind: 'condition', name: 'Asthma' }),
      () => desk.health.changeEntry({ id: medication.id, version: 1, status: 'past' }),
      () => desk.health.reviewed({ contactId, section: 'medications' }),
      () => desk.health.addMeasurement({ contactId, weightKg: 70, measuredOn: '2026-11-20' }),
    ]
    for (const attempt of attempts) expect((await refusal(attempt())).status).toBe(403)
    expect((await denials()).length - before).toBe(attempts.length)
    expect((await provider.health.get({ contactId })).entries).toHaveLength(6)
  })

  it('logs each view and each change, and nothing on the timeline', async () => {
    const contactId = await patientWithChart()
    const { id } = named(await desk.health.get({ contactId }), 'Penicillin')
    await desk.health.changeEntry({ id, version: 1, severity: 'moderate' })
    const log = await server.rows<{ action: string; kind: string; before: unknown; after: unknown }>(
      `select action, kind, before, after from audit_log where contact_ids = array[$1]::uuid[] and (kind like 'health%' or kind = 'measurement') order by id`,
      [contactId],
    )
    expect(log.map(({ action, kind }) => `${action} ${kind}`)).toEqual([
      ...Array<string>(4).fill('created health entry'),
      ...Array<string>(3).fill('created health review'),
      'created measurement',
      'viewed health summary',
      'changed health entry',
    ])
    expect(log.at(-1)).toMatchObject({
      before: { id, kind: 'allergy', severity: 'severe' },
      after: { id, kind: 'allergy', severity: 'moderate' },
    })
    const timeline = await server.rows<{ text: string }>(
      `select string_agg(description || coalesce(metadata::text, ''), ' ') as text from interactions where contact_id = $1`,
      [contactId],
    )
    expect(timeline[0]!.text ?? '').not.toMatch(/penicillin|semaglutide|hypertension|medication/i)
  })

  it('announces changes to those who may see allergies, with the patient’s id alone', async () => {
    const contactId = await insertContact(server)
    const [owner, seller] = await Promise.all([server.account({ role: 'front_desk' }), server.account({ role: 'sales_rep' })])
    const streams = await Promise.all([owner, seller].map(({ cookie }) => openStream(server.url, cookie)))
    await provider.health.addEntry({ contactId, kind: 'condition', name: 'Asthma' })
    const heard = await streams[0]!.next(({ topic }) => topic === 'chart')
    expect(heard).toEqual({ topic: 'chart', id: contactId })
    await provider.health.reviewed({ contactId, section: 'history' })
    await streams[1]!.next(({ topic, id }) => topic === 'contact' && id === contactId)
    expect(streams[1]!.received.filter(({ topic }) => topic === 'chart')).toEqual([])
    for (const stream of streams) stream.close()
  })

  it('is absent from searches, lists, the timeline and the history of the record', async () => {
    const contactId = await insertContact(server)
    const word = `zyx${randomUUID().slice(0, 8)}`
    await provider.health.addEntry({ contactId, kind: 'allergy', name: word, detail: word })
    await provider.health.addEntry({ contactId, kind: 'medication', name: word, dose: word })
    const answers = await Promise.all([
      admin.contacts.list({ search: word }),
      admin.contacts.find({ search: word }),
      admin.contacts.get({ id: contactId }),
      admin.contacts.history({ id: contactId }),
      admin.interactions.list({ contactId }),
    ])
    for (const answer of answers) expect(JSON.stringify(answer)).not.toContain(word)
    expect(answers[0].data).toEqual([])
  })
})

describe('entries', () => {
  it('take changes by version, and answer a conflict with the entry as it is now', async () => {
    const contactId = await insertContact(server)
    const { id } = named(await desk.health.addEntry({ contactId, kind: 'allergy', name: 'Latex' }), 'Latex')
    const changed = await provider.health.changeEntry({ id, version: 1, detail: 'Contact rash', severity: 'moderate' })
    expect(changed.entries[0]).toMatchObject({ version: 2, detail: 'Contact rash', severity: 'moderate' })
    const late = await refusal(desk.health.changeEntry({ id, version: 1, name: 'Latex gloves' }))
    expect([late.status, late.code]).toEqual([409, 'CONFLICT'])
    expect(late.data).toMatchObject({ current: { id, version: 2, name: 'Latex', severity: 'moderate' } })
    // A change to what is there already is none.
    expect((await desk.health.changeEntry({ id, version: 2, name: 'Latex' })).entries[0]!.version).toBe(2)
    expect((await refusal(desk.health.changeEntry({ id: randomUUID(), version: 1, name: 'X' }))).code).toBe('NOT_FOUND')
  })

  it('end and come back, and are never deleted: what was entered in error keeps its reason', async () => {
    const contactId = await insertContact(server)
    const { id } = named(await provider.health.addEntry({ contactId, kind: 'condition', name: 'Asthma' }), 'Asthma')
    const change = async (fields: Omit<Parameters<Client['health']['changeEntry']>[0], 'id'>) =>
      (await provider.health.changeEntry({ id, ...fields })).entries[0]!
    expect((await change({ version: 1, status: 'past' })).status).toBe('past')
    const noReason = await refusal(provider.health.changeEntry({ id, version: 2, status: 'entered_in_error' }))
    expect(noReason.data.fields).toEqual({ errorReason: 'Enter why this was entered in error' })
    expect(await change({ version: 2, status: 'entered_in_error', errorReason: 'Another patient' })).toMatchObject({
      status: 'entered_in_error',
      errorReason: 'Another patient',
    })
    expect(await change({ version: 3, status: 'active' })).toMatchObject({ status: 'active', errorReason: null, version: 4 })
    const odd = await refusal(provider.health.changeEntry({ id, version: 4, status: 'past', errorReason: 'Why not' }))
    expect(odd.data.fields).toEqual({ errorReason: 'Only an entry that was made in error has a reason' })
  })

  it('records a past surgery as past from the start', async () => {
    const contactId = await insertContact(server)
    const { entries } = await provider.health.addEntry({
      contactId,
      kind: 'surgery',
      name: 'Appendectomy',
      year: 2009,
      anaesthesia: 'general',
    })
    expect(entries[0]).toMatchObject({ status: 'past', year: 2009, anaesthesia: 'general', source: 'staff' })
  })

  it('refuses what a kind does not have, long texts, and years and days out of range, by field', async () => {
    const contactId = await insertContact(server)
    const add = async (input: object) =>
      (await refusal(provider.health.addEntry({ contactId, ...input } as Parameters<Client['health']['addEntry']>[0]))).data.fields
    expect(await add({ kind: 'allergy', name: ' ' })).toEqual({ name: 'Enter a name' })
    expect(await add({ kind: 'allergy', name: 'x'.repeat(201), detail: 'x'.repeat(501) })).toEqual({
      name: 'Use at most 200 characters',
      detail: 'Use at most 500 characters',
    })
    expect(await add({ kind: 'allergy', name: 'Latex', dose: '5 mg', stopDays: 3 })).toEqual({
      dose: 'This kind of entry has no such value',
      stopDays: 'This kind of entry has no such value',
    })
    expect(await add({ kind: 'medication', name: 'ASA', stopDays: 366 })).toEqual({ stopDays: 'Enter a number of days from 0 to 365' })
    expect(await add({ kind: 'surgery', name: 'Appendectomy', year: 2027 })).toEqual({ year: 'This can’t be in the future' })
    expect(await add({ kind: 'diet', name: 'Vegan' })).toEqual({ kind: 'Choose a type' })
    expect(await add({ kind: 'allergy', name: 'Latex', status: 'past' })).toHaveProperty('status')
    expect((await provider.health.get({ contactId })).entries).toEqual([])
    const { id } = named(await provider.health.addEntry({ contactId, kind: 'allergy', name: 'Latex' }), 'Latex')
    const moved = await refusal(provider.health.changeEntry({ id, version: 1, dose: '5 mg', name: 'Other' }))
    expect(moved.data.fields).toEqual({ dose: 'This kind of entry has no such value' })
    expect((await provider.health.get({ contactId })).entries[0]!.name).toBe('Latex')
  })

  it('are at most 200 of a patient, also for requests at the same moment', async () => {
    const contactId = await insertContact(server)
    await server.rows(
      `insert into health_entries (contact_id, kind, name, status, created_at, updated_at)
       select $1, 'allergy', 'Allergen ' || n, 'active', now(), now() from generate_series(1, $2) as n`,
      [contactId, maxRows - 1],
    )
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => desk.health.addEntry({ contactId, kind: 'allergy', name: 'One more' })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await refusal(desk.health.addEntry({ contactId, kind: 'alert', name: 'X' }))).code).toBe('FULL')
    expect((await desk.health.get({ contactId })).entries).toHaveLength(maxRows)
  })
})

describe('reviews', () => {
  it('count per section with who and when, and only the newest is shown', async () => {
    const contactId = await insertContact(server)
    expect((await desk.health.get({ contactId })).reviews).toEqual([])
    const first = await desk.health.reviewed({ contactId, section: 'allergies' })
    expect(first.reviews).toMatchObject([{ section: 'allergies', activeEntries: 0 }])
    await desk.health.addEntry({ contactId, kind: 'allergy', name: 'Latex' })
    const before = clock.now
    clock.now = new Date(before.getTime() + 60_000)
    const second = await provider.health.reviewed({ contactId, section: 'allergies' })
    clock.now = before
    expect(second.reviews).toHaveLength(1)
    expect(second.reviews[0]).toMatchObject({ activeEntries: 1, reviewedAt: new Date(before.getTime() + 60_000).toISOString() })
    expect(second.reviews[0]!.reviewedBy).not.toBe(first.reviews[0]!.reviewedBy)
  })
})

describe('measurements', () => {
  it('are a history, newest day first', async () => {
    const contactId = await insertContact(server)
    await provider.health.addMeasurement({ contactId, weightKg: 70, measuredOn: '2026-11-20' })
    await provider.health.addMeasurement({
      contactId,
      weightKg: 75.5,
      heightCm: 168,
      bloodType: 'AB-',
      asaClass: 2,
      measuredOn: '2026-01-05',
    })
    const { measurements } = await provider.health.addMeasurement({ contactId, systolic: 128, diastolic: 82, measuredOn: '2026-11-20' })
    expect(measurements.map(({ weightKg, systolic, measuredOn }) => [measuredOn, weightKg, systolic])).toEqual([
      ['2026-11-20', null, 128],
      ['2026-11-20', 70, null],
      ['2026-01-05', 75.5, null],
    ])
  })

  it('are refused out of range, incomplete, empty or in the future, by field', async () => {
    const contactId = await insertContact(server)
    const add = async (input: object) =>
      (await refusal(provider.health.addMeasurement({ contactId, measuredOn: '2026-11-20', ...input }))).data.fields
    expect(await add({})).toEqual({ heightCm: 'Enter at least one measurement' })
    expect(await add({ heightCm: 29 })).toEqual({ heightCm: 'Enter a height from 30 to 272 cm' })
    expect(await add({ weightKg: 71.25 })).toEqual({ weightKg: 'Enter a weight from 1 to 650 kg, with at most one decimal' })
    expect(await add({ systolic: 120 })).toEqual({ diastolic: 'Enter both values of the blood pressure' })
    expect(await add({ systolic: 80, diastolic: 120 })).toEqual({ diastolic: 'The second value is lower than the first' })
    expect(await add({ bloodType: 'C+' })).toEqual({ bloodType: 'Choose a blood type' })
    expect(await add({ asaClass: 6 })).toEqual({ asaClass: 'Choose a class from 1 to 5' })
    expect(await add({ weightKg: 70, measuredOn: '2026-11-22' })).toEqual({ measuredOn: 'This can’t be in the future' })
    expect((await provider.health.get({ contactId })).measurements).toEqual([])
  })
})

describe('the weight-loss medication of the record', () => {
  const fieldOf = async (id: string) => (await admin.contacts.get({ id })).weightLossMedication
  const type = async (id: string, weightLossMedication: string | null) => {
    const { version } = await admin.contacts.get({ id })
    return admin.contacts.update({ id, version, weightLossMedication })
  }

  it('follows the chart: adding, changing, ending and restoring, without an entry on the timeline', async () => {
    const contactId = await insertContact(server)
    const added = await provider.health.addEntry({ contactId, ...semaglutide })
    expect(await fieldOf(contactId)).toBe('Listed in the chart')
    const { id } = added.entries[0]!
    const { entries } = await provider.health.addEntry({ contactId, kind: 'medication', name: 'Orlistat', isWeightLoss: true })
    await provider.health.changeEntry({ id, version: 1, status: 'past' })
    expect(await fieldOf(contactId)).toBe('Listed in the chart')
    await provider.health.changeEntry({ id: entries.find(({ name }) => name === 'Orlistat')!.id, version: 1, status: 'past' })
    expect(await fieldOf(contactId)).toBeNull()
    await provider.health.changeEntry({ id, version: 2, status: 'active' })
    expect(await fieldOf(contactId)).toBe('Listed in the chart')
    expect(await server.rows("select id from interactions where contact_id = $1 and type = 'contact_updated'", [contactId])).toEqual([])
    // Everyone who sees the record sees that this changed, and who changed it.
    expect((await admin.contacts.history({ id: contactId })).data[0]).toMatchObject({
      action: 'changed',
      changes: [{ field: 'weightLossMedication', after: 'Listed in the chart' }],
    })
  })

  it('cannot be typed while the chart lists one, and is empty when the last has ended', async () => {
    const contactId = await insertContact(server)
    const { id } = (await provider.health.addEntry({ contactId, ...semaglutide })).entries[0]!
    expect((await admin.contacts.get({ id: contactId })).weightLossFromChart).toBe(true)
    const answer = await refusal(type(contactId, 'Ozempic'))
    expect([answer.status, answer.data.fields]).toEqual([
      422,
      { weightLossMedication: 'This comes from the chart. Change it under Medications there.' },
    ])
    expect(await fieldOf(contactId)).toBe('Listed in the chart')
    await provider.health.changeEntry({ id, version: 1, isWeightLoss: false })
    expect(await admin.contacts.get({ id: contactId })).toMatchObject({ weightLossMedication: null, weightLossFromChart: false })
    expect((await type(contactId, 'Ozempic')).weightLossMedication).toBe('Ozempic')
  })

  it('stays as typed while the chart names none', async () => {
    const contactId = await insertContact(server)
    await type(contactId, 'Ozempic 1 mg')
    await provider.health.addEntry({ contactId, kind: 'medication', name: 'Ibuprofen', stopDays: 7 })
    await provider.health.reviewed({ contactId, section: 'medications' })
    expect(await admin.contacts.get({ id: contactId })).toMatchObject({ weightLossMedication: 'Ozempic 1 mg', weightLossFromChart: false })
  })

  it('does not tell billing that the chart names one', async () => {
    const contactId = await insertContact(server)
    await provider.health.addEntry({ contactId, ...semaglutide })
    const billing = await server.as('billing')
    expect(await billing.contacts.get({ id: contactId })).toMatchObject({ weightLossMedication: null, weightLossFromChart: false })
  })

  it('comes from the merged charts, and is as it was after the undo, also where it was typed', async () => {
    const [targetId, sourceId] = (await insertContacts(server, [{}, {}])) as [string, string]
    await type(targetId, 'Ozempic 1 mg')
    await provider.health.addEntry({ contactId: sourceId, ...semaglutide })
    await provider.health.reviewed({ contactId: sourceId, section: 'medications' })
    const [target, source] = await Promise.all([targetId, sourceId].map((id) => admin.contacts.get({ id })))
    const merged = await admin.contacts.merge({
      id: targetId,
      sourceId,
      version: target!.version,
      sourceVersion: source!.version,
      choices: {},
      keepAddresses: true,
    })
    expect(merged).toMatchObject({ weightLossMedication: 'Listed in the chart', weightLossFromChart: true })
    expect((await provider.health.get({ contactId: targetId })).reviews).toMatchObject([{ section: 'medications' }])
    await admin.contacts.undoMerge({ id: merged.mergeId, decisions: {} })
    expect(await admin.contacts.get({ id: targetId })).toMatchObject({ weightLossMedication: 'Ozempic 1 mg', weightLossFromChart: false })
    expect(await admin.contacts.get({ id: sourceId })).toMatchObject({
      weightLossMedication: 'Listed in the chart',
      weightLossFromChart: true,
    })
    expect((await provider.health.get({ contactId: targetId })).entries).toEqual([])
    expect((await provider.health.get({ contactId: sourceId })).entries).toMatchObject([{ name: 'Semaglutide' }])
  })
})
