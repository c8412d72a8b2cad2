import { beforeEach, describe, expect, it } from 'vitest'
import { usePractice } from '../../../test/care/appointments.ts'
import { insertContact } from '../../../test/factories.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { followClock } from './jobs.ts'

const practice = usePractice()
const { server, book, nextOf } = practice
const start = practice.clock.now
beforeEach(() => void (practice.clock.now = start))
const tick = () => {
  const scope = { ...server.running.runtime, actor: null, origin: { requestId: 'job', address: null } }
  return followClock.run(scope as unknown as Scope, {}, { last: true })
}

describe('the next appointment over time', () => {
  it('advances to the following appointment, then clears, and keeps typed values', async () => {
    const contactId = await insertContact(server)
    const typed = await insertContact(server)
    await book({ contactId, roomId: practice.rooms[0]!.id })
    await book({ contactId, type: 'pre_op', startsAt: '2026-12-03T15:00:00Z' })
    await server.rows("update contacts set appointment_date = '2026-12-01', appointment_time = '09:00' where id = $1", [typed])
    practice.clock.now = new Date('2026-12-01T15:44:00Z')
    await tick()
    expect(await nextOf(contactId)).toEqual(['2026-12-01', '10:00', 'Consult room 1'])
    practice.clock.now = new Date('2026-12-01T15:45:00Z')
    await tick()
    expect(await nextOf(contactId)).toEqual(['2026-12-03', '10:00', null])
    practice.clock.now = new Date('2026-12-04T15:00:00Z')
    await tick()
    expect(await nextOf(contactId)).toEqual([null, null, null])
    expect(await nextOf(typed)).toEqual(['2026-12-01', '09:00', null])
    const { version } = await practice.desk.contacts.get({ id: contactId })
    await tick()
    expect((await practice.desk.contacts.get({ id: contactId })).version).toBe(version)
  })

  it('shows the new name of a renamed room', async () => {
    const admin = await server.as('admin')
    const room = await admin.practice.addRoom({ name: 'Consult room 3', kind: 'consult' })
    const { contact } = await book({ roomId: room.id })
    const { contact: elsewhere } = await book({ roomId: practice.rooms[1]!.id })
    await admin.practice.changeRoom({ id: room.id, name: 'Consult room 4', kind: 'consult', isActive: true })
    await until(async () => (await nextOf(contact.id))[2] === 'Consult room 4')
    expect(await nextOf(elsewhere.id)).toEqual(['2026-12-01', '10:00', 'Consult room 2'])
  })

  it("shows the location's current name only while there are several locations", async () => {
    const admin = await server.as('admin')
    const room = await admin.practice.addRoom({ name: 'Consult room 5', kind: 'consult' })
    const { contact } = await book({ roomId: room.id })
    const places = async () => (await nextOf(contact.id))[2]
    expect(await places()).toBe('Consult room 5')
    const burlington = await admin.practice.addLocation({ name: 'Burlington', address: null, phone: null })
    await until(async () => (await places()) === 'Consult room 5, Main location')
    await admin.practice.changeRoom({ id: room.id, name: room.name, kind: 'consult', isActive: true, locationId: burlington.id })
    await until(async () => (await places()) === 'Consult room 5, Burlington')
    await admin.practice.changeLocation({ ...burlington, name: 'Brant Street' })
    await until(async () => (await places()) === 'Consult room 5, Brant Street')
    await admin.practice.changeRoom({ id: room.id, name: room.name, kind: 'consult', isActive: true, locationId: room.locationId })
    await admin.practice.changeLocation({ ...burlington, isActive: false })
    await until(async () => (await places()) === 'Consult room 5')
  })
})

describe('appointments of a merged patient', () => {
  const merge = async (id: string, sourceId: string) => {
    const admin = await server.as('admin')
    const { target, source } = await admin.contacts.mergePreview({ id, sourceId })
    return (await admin.contacts.merge({ id, version: target.version, sourceId, sourceVersion: source.version })).mergeId
  }

  it('move to the target, whose record shows the next of both, and move back on undo', async () => {
    const [target, source] = [await insertContact(server), await insertContact(server)]
    await book({ contactId: target, startsAt: '2026-12-10T15:00:00Z' })
    const { id } = await book({ contactId: source, startsAt: '2026-12-08T15:00:00Z' })
    const mergeId = await merge(target, source)
    expect(await nextOf(target)).toEqual(['2026-12-08', '10:00', null])
    expect(await practice.desk.appointments.get({ id })).toMatchObject({ contact: { id: target } })
    await (await server.as('admin')).contacts.undoMerge({ id: mergeId })
    expect(await nextOf(target)).toEqual(['2026-12-10', '10:00', null])
    expect(await nextOf(source)).toEqual(['2026-12-08', '10:00', null])
  })

  it('keep a time changed after the merge when it is undone, without a conflict', async () => {
    const [target, source] = [await insertContact(server), await insertContact(server)]
    const roomId = practice.rooms[0]!.id
    const { id } = await book({ contactId: source, roomId, startsAt: '2026-12-11T15:00:00Z' })
    const mergeId = await merge(target, source)
    const moved = await practice.desk.appointments.change({ id, version: 1, startsAt: '2026-12-11T18:00:00Z' })
    await book({ roomId, startsAt: '2026-12-11T15:00:00Z' })
    const admin = await server.as('admin')
    const conflicts = await admin.contacts.undoMerge({ id: mergeId }).then(
      () => null,
      (error: { data: { version: number; conflicts: { key: string }[] } }) => error.data,
    )
    // Only fields of the record conflict.
    const keys = conflicts?.conflicts.map(({ key }) => key) ?? []
    expect(keys.filter((key) => !key.startsWith('field:'))).toEqual([])
    if (conflicts) {
      const decisions = Object.fromEntries([...keys, `appointments:${id}`].map((key) => [key, 'restore' as const]))
      await admin.contacts.undoMerge({ id: mergeId, version: conflicts.version, decisions })
    }
    expect(await practice.desk.appointments.get({ id })).toMatchObject({ contact: { id: source }, startsAt: moved.startsAt })
    expect(await nextOf(source)).toEqual(['2026-12-11', '13:00', 'Consult room 1'])
    expect(await nextOf(target)).toEqual([null, null, null])
  })
})

describe('appointments of a deleted patient', () => {
  it('are restored with the patient, as cancelled if their time has been taken', async () => {
    const sales = await server.as('sales_rep')
    const settled = (id: string) =>
      until(async () => {
        const progress = await sales.bulkChanges.get({ id })
        return progress.status !== 'running' && progress.status !== 'undoing' && progress
      })
    const contactId = await insertContact(server)
    const roomId = practice.rooms[2]!.id
    const lost = await book({ contactId, roomId, startsAt: '2026-12-14T15:00:00Z' })
    const kept = await book({ contactId, roomId, startsAt: '2026-12-15T15:00:00Z' })
    const { id } = await sales.bulkChanges.start({ selection: { ids: [contactId] }, change: { kind: 'delete', forGood: false } })
    await settled(id)
    expect(await server.rows('select 1 from appointments where contact_id = $1', [contactId])).toEqual([])
    await book({ roomId, startsAt: '2026-12-14T15:30:00Z' })
    await sales.bulkChanges.undo({ id })
    await settled(id)
    expect(await practice.desk.appointments.get({ id: kept.id })).toEqual(kept)
    expect(await practice.desk.appointments.get({ id: lost.id })).toEqual({
      ...lost,
      status: 'cancelled',
      cancelReason: 'The time was booked for someone else while the patient was deleted',
    })
    expect(await nextOf(contactId)).toEqual(['2026-12-14', '10:00', 'Treatment room'])
    await tick()
    expect(await nextOf(contactId)).toEqual(['2026-12-15', '10:00', 'Treatment room'])
  })
})
