import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { addDevice, addPlace } from '../../../test/care/stock.ts'
import { useSurgeryPractice } from '../../../test/care/surgeries.ts'
import { insertContact } from '../../../test/factories.ts'
import { textOfPdf } from '../../../test/formats/pdf.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { isEmptyRange } from './rules.ts'

const theatre = useSurgeryPractice({ PRACTICE_PHONE: '(905) 555-0118' })
const { server, operate } = theatre

let provider: Client
let cabinet: string
beforeAll(async () => {
  provider = await server.as('provider')
  cabinet = (await addPlace(provider)).id
})

let minute = 0
/** A patient with an implant of this maker, lot and serial number. */
async function implanted(
  maker: string,
  lot: string,
  serial: string,
  contact: Parameters<typeof insertContact>[1] = {},
  language: string | null = null,
) {
  const contactId = await insertContact(server, contact)
  if (language) await server.rows('update contacts set preferred_language = $2 where id = $1', [contactId, language])
  const startsAt = new Date(Date.UTC(2026, 10, 21, 13) + minute++ * 60_000 * 20).toISOString()
  const surgery = await operate({ contactId, startsAt, minutes: 15 })
  const known = (await provider.devices.list({ search: maker })).data.find((device) => device.maker === maker)
  const device = known ?? (await addDevice(provider, { maker, model: 'Round' }))
  await provider.devices.receive({ id: device.id, placeId: cabinet, lot, expiresOn: '2029-01-31', serials: [serial] })
  const { devices } = await provider.implants.open({ id: surgery.id, deviceId: device.id, lot, serial, side: 'left' })
  await provider.implants.use({ id: devices[0]!.id, version: 1, usedBy: theatre.provider.id })
  return { contactId, deviceId: device.id, rowId: devices[0]!.id, surgeryId: surgery.id }
}
const messages = { messageEn: 'Your implant was recalled.', messageFr: 'Votre implant a été rappelé.' }
const patientsOf = async (id: string) => (await provider.recalls.patients({ id })).data
const started = async (given: { maker: string; lotFrom?: string; lotTo?: string }) => {
  const recall = await provider.recalls.start({ title: `Recall of ${given.maker}`, ...given, ...messages })
  await until(async () => (await provider.recalls.get({ id: recall.id })).isPrepared)
  return recall
}

describe('a recall of implants', () => {
  it('finds who has an implant by maker, model, lots and serial numbers, with how to reach them, and what is in stock (issue 27)', async () => {
    const maker = 'Zqfind'
    const one = await implanted(maker, '7001', 'A01', {
      firstName: 'Ana',
      lastName: 'Lot',
      email: 'ana.lot@fastmail.example',
      phone: '(905) 555-0142',
    })
    const two = await implanted(maker, '7012', 'A12', { firstName: 'Bo', lastName: 'Lot' })
    await provider.devices.receive({ id: one.deviceId, placeId: cabinet, lot: '7001', expiresOn: '2029-01-31', serials: ['A02', 'A03'] })
    const found = async (given: object) => {
      const { data, total, inStock } = await provider.recalls.find({ maker: 'zqfind', ...given })
      expect(total).toBe(data.length)
      return [data.map(({ contactId }) => contactId), inStock]
    }
    expect(await found({})).toEqual([[one.contactId, two.contactId], 2])
    expect(await found({ model: 'Flat' })).toEqual([[], 0])
    expect(await found({ lotFrom: '7001' })).toEqual([[one.contactId], 2])
    expect(await found({ lotFrom: '7002', lotTo: '7100' })).toEqual([[two.contactId], 0])
    expect(await found({ serialFrom: 'A02', serialTo: 'A12' })).toEqual([[two.contactId], 2])
    const { data } = await provider.recalls.find({ maker, lotFrom: '7001' })
    expect(data).toMatchObject([
      { firstName: 'Ana', email: 'ana.lot@fastmail.example', devices: [{ lot: '7001', serial: 'A01', side: 'left' }] },
    ])
    await provider.implants.explant({ id: one.rowId, version: 2, explantedOn: '2026-11-21', reason: 'Rupture', fate: 'destroyed' })
    expect(await found({ lotFrom: '7001' })).toEqual([[], 2])
    expect(await refusal(provider.recalls.find({ maker, lotTo: '9' }))).toMatchObject({ status: 422 })
    expect((await refusal(provider.recalls.find({ maker, serialFrom: 'B2', serialTo: 'A9' }))).data).toEqual({
      fields: { serialTo: 'The range ends before it begins' },
    })
  })

  it('counts a lot as within a range as people read numbers and codes (issue 27)', async () => {
    const code = fc.oneof(fc.nat({ max: 99_999 }).map(String), fc.stringMatching(/^[A-Z][0-9]{3}$/))
    const isNumber = (text: string) => /^\d+$/.test(text)
    await fc.assert(
      fc.asyncProperty(code, code, code, async (lot, from, to) => {
        const { isCovered, valuesOf } = await import('./match.ts')
        const { sql } = await import('drizzle-orm')
        const text = (value: string | null) => sql`${value}::text`
        const wanted = valuesOf({ maker: 'M', model: null, lotFrom: from, lotTo: to, serialFrom: null, serialTo: null })
        const columns = { maker: text('M'), model: text('X'), lot: text(lot), serial: text(null) }
        const { rows } = await server.running.runtime.db.execute<{ is: boolean }>(sql`select ${isCovered(columns, wanted)} as is`)
        const expected = [lot, from, to].every(isNumber)
          ? Number(from) <= Number(lot) && Number(lot) <= Number(to)
          : from <= lot && lot <= to && from.length <= lot.length && lot.length <= to.length
        expect([lot, from, to, rows[0]!.is]).toEqual([lot, from, to, expected])
        // A range that is not empty has its beginning.
        const [first] = (
          await server.running.runtime.db.execute<{ is: boolean }>(sql`select ${isCovered({ ...columns, lot: text(from) }, wanted)} as is`)
        ).rows
        expect([from, to, first!.is]).toEqual([from, to, !isEmptyRange(from, to)])
      }),
      { numRuns: 150 },
    )
  })

  it('sends each patient one letter and one email in their language, and a task calls those without an address (issue 27)', async () => {
    const maker = 'Zqsend'
    const english = await implanted(maker, '1', 'S1', { firstName: 'Ana', email: 'zqsend.en@fastmail.example' })
    const french = await implanted(maker, '1', 'S2', { firstName: 'Bo', email: 'zqsend.fr@fastmail.example' }, 'fr')
    const postal = "update contacts set address = $2, city = $3, state = 'ON', zip_code = 'M5V 1K4' where id = $1"
    await server.rows(postal, [french.contactId, '12, rue King', 'Toronto'])
    await server.rows(postal, [english.contactId, '', 'Toronto'])
    const unreachable = await implanted(maker, '2', 'S3', { firstName: 'Cy', email: null as never })
    // Both implants of a patient make one letter.
    const recall = await started({ maker })
    expect(recall.progress.patients).toBe(3)
    await until(async () => (await provider.recalls.get({ id: recall.id })).progress.emailsSent === 2)
    const mailsTo = (to: string) => server.outbox.messages.filter(({ To }) => To === to)
    expect(mailsTo('zqsend.en@fastmail.example').map(({ Subject }) => Subject)).toEqual([
      expect.stringContaining('An important message from'),
    ])
    expect(mailsTo('zqsend.fr@fastmail.example').map(({ Subject }) => Subject)).toEqual([
      expect.stringContaining('Un message important de'),
    ])
    // Neither names the implant.
    expect(JSON.stringify(mailsTo('zqsend.en@fastmail.example'))).not.toMatch(/implant|recall|Zqsend R/i)
    const patients = await patientsOf(recall.id)
    const of = (contactId: string) => patients.find((patient) => patient.contactId === contactId)!
    expect(of(english.contactId).attempts.map(({ channel, state, language }) => [channel, state, language])).toEqual([
      ['letter', 'made', 'en'],
      ['email', 'sent', 'en'],
    ])
    expect(of(unreachable.contactId).attempts.map(({ channel }) => channel)).toEqual(['letter'])
    const tasks = async (contactId: string) => server.rows('select title from tasks where contact_id = $1', [contactId])
    expect(await tasks(unreachable.contactId)).toEqual([{ title: 'Call the patient: no email reached them' }])
    expect(await tasks(english.contactId)).toEqual([])

    const letter = of(french.contactId).attempts.find(({ channel }) => channel === 'letter')!
    const response = await server.send('GET', `/api/recall-letters/${letter.id}.pdf`, undefined, await server.signIn('provider'))
    const text = (await textOfPdf(new Uint8Array(await response.arrayBuffer()))).join(' ')
    // A town without a street is no address.
    expect([of(french.contactId).address, of(english.contactId).address]).toEqual(['12, rue King, Toronto ON M5V 1K4', null])
    for (const part of [
      '12, rue King',
      'Toronto ON M5V 1K4',
      'Bonjour Bo',
      'Votre implant a été rappelé.',
      'Côté gauche',
      'Lot 1, série S2',
      '(905) 555-0118',
    ])
      expect(text).toContain(part)
  })

  it('tells who bounced: the attempt says why, and a task calls the patient (issue 27)', async () => {
    const maker = 'Zqbounce'
    const { contactId } = await implanted(maker, '1', 'S1', { email: 'zqbounce@fastmail.example' })
    await server.rows("insert into suppressed_addresses (address, reason, since) values ('zqbounce@fastmail.example', 'bounce', now())")
    const recall = await started({ maker })
    await until(async () => (await provider.recalls.get({ id: recall.id })).progress.emailsFailed === 1)
    const [patient] = await patientsOf(recall.id)
    expect(patient!.attempts.find(({ channel }) => channel === 'email')).toMatchObject({ state: 'failed', problem: expect.any(String) })
    expect(await server.rows('select 1 from tasks where contact_id = $1', [contactId])).toHaveLength(1)
  })

  it('never sends an email again that a stopped server may have sent (issue 27)', async () => {
    const maker = 'Zqkilled'
    await implanted(maker, '1', 'S1', { email: 'zqkilled@fastmail.example' })
    await server.rows("insert into suppressed_addresses (address, reason, since) values ('other@fastmail.example', 'bounce', now())")
    const recall = await started({ maker })
    await until(async () => (await provider.recalls.get({ id: recall.id })).progress.emailsSent === 1)
    const [row] = await server.rows<{ id: string }>(
      `update recall_attempts set state = 'sending' from recall_patients as patient
       where patient.id = recall_patient_id and recall_id = $1 and channel = 'email' returning recall_attempts.id`,
      [recall.id],
    )
    await server.rows("select graphile_worker.add_job('recalls.email', json_build_object('id', $1::text))", [row!.id])
    await until(async () => (await provider.recalls.get({ id: recall.id })).progress.emailsFailed === 1)
    expect((await patientsOf(recall.id))[0]!.attempts.map(({ state }) => state)).toContain('uncertain')
    expect(server.outbox.messages.filter(({ To }) => To === 'zqkilled@fastmail.example')).toHaveLength(1)
  })

  it('keeps proof of each call, what came of it, and the progress, and exports them without names (issue 27)', async () => {
    const maker = 'Zqproof'
    const one = await implanted(maker, '44', 'S1', { firstName: 'Ana', lastName: 'Zqname', phone: '(905) 555-0142' })
    const recall = await started({ maker, lotFrom: '40', lotTo: '50' })
    const [patient] = await patientsOf(recall.id)
    await provider.recalls.addAttempt({ id: patient!.id, channel: 'phone', state: 'no_answer' })
    const called = await provider.recalls.addAttempt({ id: patient!.id, channel: 'phone', state: 'reached', note: 'Will come in' })
    expect(called.attempts.filter(({ channel }) => channel === 'phone').map(({ state, by }) => [state, by !== null])).toEqual([
      ['no_answer', true],
      ['reached', true],
    ])
    const answered = await provider.recalls.setAnswer({ id: patient!.id, version: 1, answer: 'visit_booked', note: 'Dec 3' })
    expect(answered).toMatchObject({ version: 2, answer: 'visit_booked', note: 'Dec 3' })
    expect((await refusal(provider.recalls.setAnswer({ id: patient!.id, version: 1, answer: 'declined' }))).code).toBe('CHANGED_MEANWHILE')
    expect((await provider.recalls.get({ id: recall.id })).progress).toMatchObject({ patients: 1, letters: 1, answered: 1 })
    expect((await provider.recalls.patients({ id: recall.id, answer: 'open' })).total).toBe(0)

    const admin = await server.account({ role: 'admin' })
    const unknown = await server.send('GET', `/api/recalls.csv?id=${crypto.randomUUID()}`, undefined, admin.cookie)
    expect(unknown.status).toBe(404)
    const csv = await (await server.send('GET', `/api/recalls.csv?id=${recall.id}`, undefined, admin.cookie)).text()
    expect(csv).toContain('A.Z.')
    expect(csv).toContain('44')
    expect(csv).toContain('visit_booked')
    expect(csv).not.toContain('Zqname')
    const audit = await server.rows("select 1 from audit_log where kind = 'recall' and action <> 'viewed' and $1 = any(contact_ids)", [
      one.contactId,
    ])
    expect(audit.length).toBeGreaterThanOrEqual(4)
  })

  it('is refused at the scan, for pieces in stock and pieces that come later (issue 27)', async () => {
    const maker = 'Zqscan'
    const { deviceId } = await implanted(maker, '10', 'S1')
    await started({ maker, lotFrom: '10', lotTo: '20' })
    await provider.devices.receive({ id: deviceId, placeId: cabinet, lot: '15', expiresOn: '2029-01-31', serials: ['S2'] })
    await provider.devices.receive({ id: deviceId, placeId: cabinet, lot: '21', expiresOn: '2029-01-31', serials: ['S3'] })
    const surgery = await operate({ contactId: await insertContact(server), startsAt: '2026-12-10T13:00:00Z', minutes: 30 })
    expect(await refusal(provider.implants.open({ id: surgery.id, deviceId, lot: '15', serial: 'S2' }))).toMatchObject({
      status: 409,
      code: 'RECALLED',
    })
    expect((await provider.implants.open({ id: surgery.id, deviceId, lot: '21', serial: 'S3' })).devices).toHaveLength(1)
  })

  it('reaches the patient in whom a piece is placed that was open when it began (issue 27)', async () => {
    const maker = 'Zqopen'
    const { deviceId } = await implanted(maker, '10', 'S1')
    await provider.devices.receive({ id: deviceId, placeId: cabinet, lot: '10', expiresOn: '2029-01-31', serials: ['S2'] })
    const contactId = await insertContact(server)
    const surgery = await operate({ contactId, startsAt: '2026-11-21T20:00:00Z', minutes: 30 })
    const { devices } = await provider.implants.open({ id: surgery.id, deviceId, lot: '10', serial: 'S2', side: 'left' })
    const recall = await started({ maker, lotFrom: '10' })
    expect((await patientsOf(recall.id)).map((patient) => patient.contactId)).not.toContain(contactId)
    await provider.implants.use({ id: devices[0]!.id, version: 1, usedBy: theatre.provider.id })
    const joined = async () => (await patientsOf(recall.id)).find((patient) => patient.contactId === contactId)?.attempts ?? []
    await until(async () => (await joined()).some(({ channel }) => channel === 'letter'))
  })

  it('is for providers and administrators alone (issue 27)', async () => {
    for (const role of ['front_desk', 'sales_rep', 'billing'] as const)
      expect([role, (await refusal((await server.as(role)).recalls.list({}))).status]).toEqual([role, 403])
  })
})
