import { beforeAll, describe, expect, it } from 'vitest'
import { addDevice, addFiller, addPlace, nextGtin } from '../../../test/care/stock.ts'
import { useSurgeryPractice } from '../../../test/care/surgeries.ts'
import { insertContact } from '../../../test/factories.ts'
import { textOfPdf } from '../../../test/formats/pdf.ts'
import { portalOf } from '../../../test/portal.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'

const theatre = useSurgeryPractice({ TRUST_PROXY: 'true' })
const { server, operate } = theatre

let provider: Client
let desk: Client
let cabinet: string
let surgeonId: string
beforeAll(async () => {
  provider = await server.as('provider')
  desk = theatre.desk
  cabinet = (await addPlace(provider)).id
  surgeonId = theatre.provider.id
})

const versionOf = async (id: string) => (await desk.contacts.get({ id })).version

type Device = Awaited<ReturnType<typeof addDevice>>
/** An implant with these serial numbers in stock. */
async function inStock(serials: readonly string[], given: Parameters<typeof addDevice>[1] = {}, expiresOn = '2029-01-31'): Promise<Device> {
  const device = await addDevice(provider, given)
  return provider.devices.receive({ id: device.id, placeId: cabinet, lot: 'L1', expiresOn, serials: [...serials] })
}
const label = ({ udiDi }: Device, serial: string | null = 'S1') => ({ udiDi, lot: 'L1', serial })

/** A surgery on the day of the server's clock, with an implant that was opened for its left side. */
async function opened(given: Parameters<typeof addDevice>[1] = {}) {
  const contactId = await insertContact(server)
  const surgery = await operate({ contactId, startsAt: '2026-11-21T13:00:00Z', minutes: 30 })
  const device = await inStock(['S1', 'S2'], { size: '350 cc', ...given })
  const { devices } = await provider.implants.open({ id: surgery.id, ...label(device), side: 'left' })
  return { contactId, surgery, device, row: devices[0]! }
}
const place = (row: { id: string; version: number }, given: object = {}) =>
  provider.implants.use({ id: row.id, version: row.version, usedBy: surgeonId, ...given })
const implantEntries = async (contactId: string) =>
  (await provider.health.get({ contactId })).entries
    .filter(({ kind }) => kind === 'implant')
    .map(({ name, detail, status }) => [name, detail, status])

describe('devices on a surgery', () => {
  it('takes an implant out of stock by its label, and places it with side, position and surgeon (issue 27)', async () => {
    const { contactId, surgery, device, row } = await opened()
    expect(row).toMatchObject({
      quantity: 1,
      used: 0,
      lot: 'L1',
      serial: 'S1',
      side: 'left',
      expiresOn: '2029-01-31',
      device: { id: device.id },
    })
    expect((await desk.devices.get({ id: device.id })).inStock).toBe(1)
    const { devices } = await place(row, { position: 'Subpectoral' })
    expect(devices[0]).toMatchObject({ version: 2, used: 1, side: 'left', position: 'Subpectoral', usedBy: surgeonId })
    expect(await implantEntries(contactId)).toEqual([[`Mentor ${device.model}, 350 cc (left)`, 'Lot L1, serial S1, Subpectoral', 'active']])
    const [implant] = await provider.implants.ofContact({ contactId })
    expect(implant).toMatchObject({ id: row.id, surgeryId: surgery.id, explantedOn: null, device: { udiDi: device.udiDi } })
    const { data } = await desk.devices.movements({ id: device.id, limit: 2 })
    expect(data.map(({ kind, isForSurgery }) => [kind, isForSurgery])).toEqual([
      ['use', true],
      ['open', true],
    ])
    const audit = await server.rows<{ action: string }>(
      "select action from audit_log where kind = 'surgery device' and contact_ids = array[$1]::uuid[] order by id",
      [contactId],
    )
    expect(audit.map(({ action }) => action)).toEqual(['created', 'changed', 'viewed'])
  })

  it.each([
    ['UNKNOWN_DEVICE', 'a device that the catalogue lacks', async () => ({ udiDi: nextGtin(), lot: 'L1', serial: 'S1' })],
    ['UNKNOWN_LOT', 'a lot that was never received', async () => ({ ...label(await inStock(['S1'])), lot: 'L2' })],
    ['OTHER_EXPIRY', 'a label with another expiry', async () => ({ ...label(await inStock(['S1'])), expiresOn: '2028-01-31' })],
    ['NOT_IN_STOCK', 'a serial number that was never received', async () => label(await inStock(['S1']), 'S9')],
    [
      'WRONG_SIDE',
      'an implant for the other side',
      async () => ({ ...label(await inStock(['S1'], { side: 'right' })), side: 'left' as const }),
    ],
    [
      'EXPIRED',
      'an expired lot',
      async () => {
        const device = await inStock(['S1'])
        await server.rows("update device_lots set expires_on = '2026-11-19' where device_id = $1", [device.id])
        return label(device)
      },
    ],
    [
      'ALREADY_USED',
      'a serial number that another patient has',
      async () => {
        const { device, row } = await opened()
        await place(row)
        return label(device)
      },
    ],
    ['ALREADY_USED', 'a serial number that is opened for another surgery', async () => label((await opened()).device)],
  ])('refuses at the scan with %s: %s (issue 27)', async (code, _name, scanned) => {
    const given = await scanned()
    const surgery = await operate({ contactId: await insertContact(server), startsAt: '2026-11-21T13:00:00Z', minutes: 30 })
    expect(await refusal(provider.implants.open({ id: surgery.id, ...given }))).toMatchObject({ status: 409, code })
    expect((await provider.implants.ofSurgery({ id: surgery.id })).devices).toEqual([])
  })

  it('is completed only once what was opened is placed, wasted or returned (issue 27)', async () => {
    const { surgery, device, row } = await opened()
    const filler = await addFiller(provider)
    await desk.devices.receive({ id: filler.id, placeId: cabinet, lot: 'F1', expiresOn: '2028-01-01', quantity: 10 })
    const { devices } = await provider.implants.open({ id: surgery.id, deviceId: filler.id, lot: 'F1', quantity: 3 })
    await provider.safetyChecklists.waive({ id: surgery.id, reason: 'On paper' })
    const complete = async () =>
      desk.surgeries.setStatus({ id: surgery.id, version: (await desk.surgeries.get({ id: surgery.id })).version, status: 'completed' })
    expect(await refusal(complete())).toMatchObject({ status: 409, code: 'DEVICES_OPEN', data: { pieces: 4 } })
    await place(row)
    const filled = await provider.implants.use({ id: devices[1]!.id, version: 1, quantity: 1, usedBy: surgeonId })
    const wasted = await provider.implants.waste({
      id: devices[1]!.id,
      version: filled.devices[1]!.version,
      quantity: 1,
      reason: 'Dropped',
    })
    expect(await refusal(complete())).toMatchObject({ data: { pieces: 1 } })
    const last = { id: devices[1]!.id, version: wasted.devices[1]!.version }
    expect(await refusal(provider.implants.return({ ...last, quantity: 2, placeId: cabinet }))).toMatchObject({ code: 'NOT_OPEN' })
    await provider.implants.return({ ...last, placeId: cabinet })
    expect((await complete()).status).toBe('completed')
    expect((await desk.devices.get({ id: filler.id })).inStock).toBe(8)
    // Nothing more is opened or corrected for a completed surgery.
    expect((await refusal(provider.implants.open({ id: surgery.id, ...label(device, 'S2') }))).code).toBe('SURGERY_CLOSED')
    expect((await refusal(provider.implants.correct({ id: row.id, version: 2, reason: 'Mistake' }))).code).toBe('SURGERY_CLOSED')
  })

  it('asks for the side of a breast implant, and refuses the one that the device is not made for (issue 27)', async () => {
    const surgery = await operate({ contactId: await insertContact(server), startsAt: '2026-11-21T13:00:00Z', minutes: 30 })
    const device = await inStock(['S1'])
    const { devices } = await provider.implants.open({ id: surgery.id, ...label(device) })
    expect(await refusal(place(devices[0]!))).toMatchObject({ status: 422, data: { fields: { side: 'Choose the side' } } })
    const { row } = await opened({ kind: 'facial_implant', side: 'left' })
    expect((await refusal(place(row, { side: 'right' }))).code).toBe('WRONG_SIDE')
  })

  it('corrects a use that was recorded by mistake, and the chart says that it was an error (issue 27)', async () => {
    const { contactId, device, row } = await opened()
    const placed = await place(row)
    expect((await refusal(place(row))).code).toBe('CHANGED_MEANWHILE')
    const { devices } = await provider.implants.correct({
      id: row.id,
      version: placed.devices[0]!.version,
      reason: 'The right one was placed',
    })
    expect(devices[0]).toMatchObject({ used: 0, usedBy: null, note: 'The right one was placed' })
    expect((await implantEntries(contactId)).map(([, , status]) => status)).toEqual(['entered_in_error'])
    expect(await provider.implants.ofContact({ contactId })).toEqual([])
    await provider.implants.return({ id: row.id, version: devices[0]!.version, placeId: cabinet })
    expect((await desk.devices.get({ id: device.id })).inStock).toBe(2)
  })

  it('records an explanted implant with reason and fate; the chart follows, and it never returns to stock (issue 27)', async () => {
    const { contactId, device, row } = await opened()
    await place(row)
    const later = await operate({ contactId, startsAt: '2026-11-22T13:00:00Z', minutes: 30 })
    const { earlier } = await provider.implants.ofSurgery({ id: later.id })
    expect(earlier.map(({ id }) => id)).toEqual([row.id])
    const given = {
      id: row.id,
      version: 2,
      surgeryId: later.id,
      explantedOn: '2026-11-21',
      reason: 'Rupture',
      fate: 'sent_to_maker',
    } as const
    expect(await refusal(provider.implants.explant({ ...given, explantedOn: '2026-11-20' }))).toMatchObject({ status: 422 })
    const other = await operate({ contactId: await insertContact(server), startsAt: '2026-11-22T15:00:00Z', minutes: 30 })
    expect(await refusal(provider.implants.explant({ ...given, surgeryId: other.id }))).toMatchObject({
      data: { fields: { surgeryId: 'This surgery is of another patient' } },
    })
    const [implant] = await provider.implants.explant(given)
    expect(implant).toMatchObject({
      explantedOn: '2026-11-21',
      explantReason: 'Rupture',
      explantFate: 'sent_to_maker',
      explantSurgeryId: later.id,
    })
    expect((await implantEntries(contactId)).map(([, , status]) => status)).toEqual(['past'])
    expect((await refusal(provider.implants.explant({ ...given, version: 3 }))).code).toBe('NOT_PRESENT')
    const again = { id: device.id, placeId: cabinet, lot: 'L1', expiresOn: '2029-01-31', serials: ['S1'] }
    expect((await refusal(desk.devices.receive(again))).code).toBe('ALREADY_USED')
  })

  it('lets one of many take the last piece, and never completes a surgery with something open (issue 27)', async () => {
    const device = await inStock(['S1'])
    const surgeries = await Promise.all(
      Array.from({ length: 6 }, async (_, index) =>
        operate({ contactId: await insertContact(server), startsAt: `2026-11-21T${13 + index}:00:00Z`, minutes: 30 }),
      ),
    )
    for (const { id } of surgeries) await provider.safetyChecklists.waive({ id, reason: 'On paper' })
    const cookie = await server.signIn('provider')
    const sent = await Promise.all(
      surgeries.flatMap(({ id, version }) => [
        server.send('POST', `/api/surgeries/${id}/devices`, label(device), cookie),
        server.send('POST', `/api/surgeries/${id}/status`, { version, status: 'completed' }, cookie),
      ]),
    )
    expect(sent.filter(({ status }) => status >= 500)).toEqual([])
    const rows = await server.rows<{ status: string }>(
      `select surgeries.status from surgery_devices join surgeries on surgeries.id = surgery_id where surgery_id = any($1)`,
      [surgeries.map(({ id }) => id)],
    )
    expect(rows.length).toBeLessThanOrEqual(1)
    expect(rows.filter(({ status }) => status === 'completed')).toEqual([])
  })

  it('is for providers and administrators alone, and moves with the patient in a merge (issue 27)', async () => {
    const { contactId, surgery, row } = await opened()
    await place(row)
    for (const role of ['front_desk', 'sales_rep', 'billing'] as const) {
      const client = await server.as(role)
      expect([role, (await refusal(client.implants.ofContact({ contactId }))).status]).toEqual([role, 403])
      expect([role, (await refusal(client.implants.ofSurgery({ id: surgery.id }))).status]).toEqual([role, 403])
    }
    const target = await insertContact(server)
    await theatre.admin.contacts.merge({ id: target, sourceId: contactId, version: 1, sourceVersion: await versionOf(contactId) })
    expect((await provider.implants.ofContact({ contactId: target })).map(({ id }) => id)).toEqual([row.id])
  })
})

describe('the implant card', () => {
  it('names each implant with lot, serial number, side and day, and the patient with birth date, in both languages (issue 27)', async () => {
    const { contactId, device, row } = await opened()
    await place(row)
    await server.rows("update contacts set date_of_birth = '1988-03-14', preferred_language = 'fr' where id = $1", [contactId])
    const cookie = await server.signIn('provider')
    const card = async (query = '') => {
      const response = await server.send('GET', `/api/contacts/${contactId}/implant-card.pdf${query}`, undefined, cookie)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
      return (await textOfPdf(new Uint8Array(await response.arrayBuffer()))).join(' ')
    }
    const english = await card('?language=en')
    for (const text of ['Implant card', 'Lot L1, Serial S1', device.udiDi!, 'Left side', 'Nov 21, 2026', 'Mar 14, 1988', 'MRI'])
      expect(english).toContain(text)
    const french = await card()
    for (const text of ['Carte d’implant', 'Lot L1, Série S1', 'Côté gauche', '14 mars 1988']) expect(french).toContain(text)
    expect(
      (await server.send('GET', `/api/contacts/${contactId}/implant-card.pdf`, undefined, await server.signIn('front_desk'))).status,
    ).toBe(403)
  })

  it('is among the documents of the portal of a patient with implants, and of no other (issue 27)', async () => {
    const portal = portalOf(server)
    const patient = await portal.signIn()
    const own = { contactId: patient.id, sessionToken: patient.token }
    const documents = async () =>
      (await portal.call('patient-documents-fetch', own)).body!.documents as { name: string; signedUrl: string; size: number | null }[]
    expect(await documents()).toEqual([])
    const surgery = await operate({ contactId: patient.id, startsAt: '2026-11-21T18:00:00Z', minutes: 30 })
    const device = await inStock(['S1'])
    const { devices } = await provider.implants.open({ id: surgery.id, ...label(device), side: 'right' })
    await place(devices[0]!)
    const [card] = await documents()
    expect(card).toMatchObject({ name: 'Implant card.pdf', size: null })
    const response = await server.request(card!.signedUrl)
    expect((await textOfPdf(new Uint8Array(await response.arrayBuffer()))).join(' ')).toContain('Lot L1, Serial S1')
    const other = await portal.signIn()
    expect((await server.request(card!.signedUrl.replaceAll(patient.id, other.id))).status).toBe(404)
    expect((await portal.call('patient-documents-fetch', { contactId: other.id, sessionToken: other.token })).body).toEqual({
      documents: [],
    })
  })
})
