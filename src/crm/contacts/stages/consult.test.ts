import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertContact } from '../../../../test/factories.ts'
import { refusal } from '../../../../test/refusal.ts'
import { type Client, useServer } from '../../../../test/server.ts'

const noon = new Date('2026-11-21T17:00:00Z')
const clock = { now: noon }
const server = useServer({}, { now: () => clock.now })
let desk = {} as Client
beforeAll(async () => {
  desk = await server.as('front_desk')
})
beforeEach(() => void (clock.now = noon))

type Fields = Omit<Parameters<Client['contacts']['update']>[0], 'id' | 'version'>
const change = async (id: string, fields: Fields) => {
  const { version } = await desk.contacts.get({ id })
  return desk.contacts.update({ id, version, ...fields })
}
const consult = { requiresSpecialistConsult: true, specialistConsultType: 'Cardiology', specialistConsultReason: 'murmur' }
const enabled = async (notes: string | null = null) => {
  const id = await insertContact(server)
  await change(id, { notes })
  await change(id, consult)
  return id
}
const fieldsOf = async (call: Promise<unknown>) => (await refusal(call)).data.fields

describe('specialist consult (spec 4)', () => {
  it('requires type and reason, and adds a dated line at the end of the notes', async () => {
    const id = await insertContact(server)
    await change(id, { notes: 'Prefers texts.\n' })
    expect(await fieldsOf(change(id, { requiresSpecialistConsult: true }))).toEqual({
      specialistConsultType: 'Type is required',
      specialistConsultReason: 'Reason is required',
    })
    expect(await fieldsOf(change(id, { requiresSpecialistConsult: true, specialistConsultType: 'Cardiology' }))).toEqual({
      specialistConsultReason: 'Reason is required',
    })
    expect(await change(id, consult)).toMatchObject({
      ...consult,
      specialistResultsReceived: false,
      notes: 'Prefers texts.\nNov 21, 2026: Specialist consult required (Cardiology): murmur',
    })
    const names = { firstName: 'Ana', lastName: 'Silva' }
    expect(await fieldsOf(desk.contacts.create({ ...names, requiresSpecialistConsult: true }))).toEqual({
      specialistConsultType: 'Type is required',
      specialistConsultReason: 'Reason is required',
    })
  })

  it('lets type and reason change but not be cleared, and does not repeat the line', async () => {
    const id = await enabled()
    expect(await fieldsOf(change(id, { specialistConsultType: ' ' }))).toEqual({ specialistConsultType: 'Type is required' })
    const { notes } = await change(id, { specialistConsultReason: 'murmur, aortic' })
    expect(notes).toBe('Nov 21, 2026: Specialist consult required (Cardiology): murmur')
  })

  it('does not repeat a line that the user already wrote', async () => {
    const id = await insertContact(server)
    const notes = 'Nov 21, 2026: Specialist consult required (Cardiology): murmur\nCall her'
    expect((await change(id, { ...consult, notes })).notes).toBe(notes)
  })

  it('records results with flag, date and a dated line in both notes', async () => {
    const id = await enabled('Prefers texts.')
    await change(id, { specialistNotes: 'Dr. Ho, Tuesday' })
    // Late in the evening in Toronto: already tomorrow in London.
    clock.now = new Date('2026-11-23T03:30:00Z')
    expect(await change(id, { specialistResultsReceived: true })).toMatchObject({
      specialistResultsReceived: true,
      specialistResultsDate: '2026-11-22',
      notes:
        'Prefers texts.\nNov 21, 2026: Specialist consult required (Cardiology): murmur\nNov 22, 2026: Specialist results received (Cardiology)',
      specialistNotes: 'Dr. Ho, Tuesday\nNov 22, 2026: Results received',
    })
    const other = await enabled()
    expect(await change(other, { specialistResultsReceived: true, specialistResultsDate: '2026-11-19' })).toMatchObject({
      specialistResultsDate: '2026-11-19',
      specialistNotes: 'Nov 19, 2026: Results received',
    })
  })

  it('leaves only the lines in the notes when it is no longer required', async () => {
    const id = await enabled()
    await change(id, { specialistResultsReceived: true, specialistNotes: 'All clear' })
    const { notes } = await desk.contacts.get({ id })
    expect(await change(id, { requiresSpecialistConsult: false, specialistConsultType: 'Cardiology' })).toMatchObject({
      requiresSpecialistConsult: false,
      specialistConsultType: null,
      specialistConsultReason: null,
      specialistResultsReceived: false,
      specialistResultsDate: null,
      specialistNotes: null,
      notes,
    })
  })

  it('adds its lines to what someone else wrote since, and overwrites nothing', async () => {
    const id = await enabled()
    const { version } = await desk.contacts.get({ id })
    await change(id, { notes: 'Rewritten' })
    const after = await desk.contacts.update({ id, version, specialistResultsReceived: true })
    expect(after.notes).toBe('Rewritten\nNov 21, 2026: Specialist results received (Cardiology)')
    await change(id, { specialistNotes: 'Mild, no concern' })
    const clash = await refusal(desk.contacts.update({ id, version: after.version, requiresSpecialistConsult: false }))
    expect([clash.code, clash.data.changes!.map(({ field }) => field)]).toEqual(['CONFLICT', ['specialistNotes']])
  })
})
