import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'

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

describe('spec 4: a specialist consult, whoever writes the record', () => {
  it('needs type and reason; and has a dated line at the end of the notes', async () => {
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

  it('keeps its type and reason: they change, but are not emptied; the line is not written again', async () => {
    const id = await enabled()
    expect(await fieldsOf(change(id, { specialistConsultType: ' ' }))).toEqual({ specialistConsultType: 'Type is required' })
    const { notes } = await change(id, { specialistConsultReason: 'murmur, aortic' })
    expect(notes).toBe('Nov 21, 2026: Specialist consult required (Cardiology): murmur')
  })

  it('whose line the writer has put there already has it once', async () => {
    const id = await insertContact(server)
    const notes = 'Nov 21, 2026: Specialist consult required (Cardiology): murmur\nCall her'
    expect((await change(id, { ...consult, notes })).notes).toBe(notes)
  })

  it('has its results with flag and day, and dated lines in both notes', async () => {
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

  it('that is no longer required leaves nothing but the lines in the notes', async () => {
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

  it('adds its lines to what someone else has written in the meantime, and overwrites nothing', async () => {
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
