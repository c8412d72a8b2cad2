import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { databaseFingerprint } from '../../../test/database-fingerprint.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { openStream } from '../../../test/network/stream.ts'

const server = useServer()
let [admin, billing] = [{} as Client, {} as Client]
beforeAll(async () => {
  admin = await server.as('admin')
  billing = await server.as('billing')
})

describe('rooms', () => {
  it('exist from the start and are visible to everyone', async () => {
    expect((await billing.practice.rooms()).map(({ name, kind, isActive }) => [name, kind, isActive])).toEqual([
      ['Consult room 1', 'consult', true],
      ['Consult room 2', 'consult', true],
      ['Treatment room', 'treatment', true],
      ['Operating room', 'operating', true],
    ])
  })

  it('are added last, can be changed, and are listed last when inactive; each change is audited and published', async () => {
    const stream = await openStream(server.url, (await server.account({ role: 'billing' })).cookie)
    const [{ id: locationId } = { id: '' }] = await admin.practice.locations()
    const room = await admin.practice.addRoom({ name: ' Laser suite ', kind: 'treatment' })
    expect(room).toEqual({ id: room.id, name: 'Laser suite', kind: 'treatment', locationId, location: null, isActive: true })
    await stream.next(({ topic, id }) => topic === 'practice' && id === room.id)
    stream.close()
    const next = await admin.practice.addRoom({ name: 'Recovery', kind: 'operating' })
    const names = async () => (await billing.practice.rooms()).map(({ name }) => name)
    expect((await names()).slice(-2)).toEqual(['Laser suite', 'Recovery'])
    expect(await admin.practice.changeRoom({ id: room.id, name: 'Laser', kind: 'treatment', isActive: false })).toEqual({
      ...room,
      name: 'Laser',
      isActive: false,
    })
    expect((await names()).slice(-2)).toEqual(['Recovery', 'Laser'])
    const audit = await server.rows("select action, before, after from audit_log where kind = 'room' and after->>'id' = $1 order by id", [
      room.id,
    ])
    expect(audit).toMatchObject([
      { action: 'created', after: { name: 'Laser suite' } },
      {
        action: 'changed',
        before: { id: room.id, name: 'Laser suite', isActive: true },
        after: { id: room.id, name: 'Laser', isActive: false },
      },
    ])
    const before = await databaseFingerprint(server)
    const { location: _, ...same } = next
    expect(await admin.practice.changeRoom(same)).toEqual(next)
    expect(await databaseFingerprint(server)).toEqual(before)
  })

  it('refuse a duplicate name in any letter case, an empty name and an unknown room', async () => {
    const { location: _, ...room } = await admin.practice.addRoom({ name: randomUUID(), kind: 'consult' })
    const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code
    expect(await codeOf(admin.practice.addRoom({ name: 'CONSULT ROOM 1', kind: 'consult' }))).toBe('NAME_TAKEN')
    expect(await codeOf(admin.practice.changeRoom({ ...room, name: 'consult room 2' }))).toBe('NAME_TAKEN')
    expect(await codeOf(admin.practice.changeRoom({ ...room, id: randomUUID() }))).toBe('NOT_FOUND')
    const { data } = await refusal(admin.practice.addRoom({ name: ' ', kind: 'consult' }))
    expect(data.fields).toEqual({ name: 'Name the room' })
  })
})

describe('practice hours', () => {
  const defaultHours = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: '08:30', closes: '16:30' }))

  it('default to Monday to Friday, 8:30 to 16:30; a missing day is closed', async () => {
    expect(await billing.practice.hours()).toEqual(defaultHours)
    const days = [
      { weekday: 6, opens: '10:00', closes: '13:00' },
      { weekday: 2, opens: '07:00', closes: '19:30' },
    ]
    expect(await admin.practice.setHours({ days })).toEqual([days[1], days[0]])
    expect(await billing.practice.hours()).toEqual([days[1], days[0]])
    const [audit] = await server.rows("select before, after from audit_log where kind = 'practice hours'")
    expect(audit).toEqual({ before: defaultHours, after: [days[1], days[0]] })
    expect(await admin.practice.setHours({ days: [] })).toEqual([])
    expect(await admin.practice.setHours({ days: defaultHours })).toEqual(defaultHours)
  })

  it('store one complete week when several requests set them simultaneously', async () => {
    const weeks = Array.from({ length: 6 }, (_, i) => [1, 2, 3].map((weekday) => ({ weekday, opens: `0${i}:00`, closes: '12:00' })))
    await Promise.all(weeks.map((days) => admin.practice.setHours({ days })))
    expect(weeks).toContainEqual(await admin.practice.hours())
  })

  it.each([
    [[{ weekday: 8, opens: '08:00', closes: '12:00' }], 'days.0.weekday', 'Choose a day'],
    [[{ weekday: 1, opens: '0800', closes: '12:00' }], 'days.0.opens', 'Enter a time as HH:MM'],
    [[{ weekday: 1, opens: '12:00', closes: '12:00' }], 'days.0.closes', 'Closing time must be after opening time'],
    [[1, 1].map((weekday) => ({ weekday, opens: '08:00', closes: '12:00' })), 'days', 'A day is listed twice'],
  ])('refuse %j, naming the field', async (days, field, message) => {
    const { status, data } = await refusal(admin.practice.setHours({ days }))
    expect([status, data.fields]).toEqual([422, { [field]: message }])
  })
})
