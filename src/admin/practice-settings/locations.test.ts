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

const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code
const add = (fields: { name?: string; address?: string | null; phone?: string | null } = {}) =>
  admin.practice.addLocation({ name: randomUUID(), address: null, phone: null, ...fields })
const addRoom = (locationId?: string) => admin.practice.addRoom({ name: randomUUID(), kind: 'consult', ...(locationId && { locationId }) })

describe('locations', () => {
  it('start with one location that has all the rooms, and rooms do not name it while it is the only one', async () => {
    const [first, ...others] = await billing.practice.locations()
    expect(others).toEqual([])
    expect(first).toEqual({ id: first!.id, name: 'Main location', address: null, phone: null, isActive: true })
    const rooms = await billing.practice.rooms()
    expect(new Set(rooms.map(({ locationId }) => locationId))).toEqual(new Set([first!.id]))
    expect(new Set(rooms.map(({ location }) => location))).toEqual(new Set([null]))
  })

  it('are added last, can be changed, and are listed last when inactive; each change is audited and published', async () => {
    const stream = await openStream(server.url, (await server.account({ role: 'billing' })).cookie)
    const location = await add({ name: ' Burlington ', address: '12 Plains Road', phone: '905-555-0100' })
    expect(location).toEqual({ id: location.id, name: 'Burlington', address: '12 Plains Road', phone: '905-555-0100', isActive: true })
    await stream.next(({ topic, id }) => topic === 'practice' && id === location.id)
    stream.close()
    const next = await add({ name: 'Hospital' })
    const names = async () => (await billing.practice.locations()).map(({ name }) => name)
    expect(await names()).toEqual(['Main location', 'Burlington', 'Hospital'])
    expect((await billing.practice.rooms())[0]!.location).toBe('Main location')
    const changed = { ...location, name: 'Brant Street', address: null, isActive: false }
    expect(await admin.practice.changeLocation(changed)).toEqual(changed)
    expect(await names()).toEqual(['Main location', 'Hospital', 'Brant Street'])
    const audit = await server.rows(
      "select action, before, after from audit_log where kind = 'location' and after->>'id' = $1 order by id",
      [location.id],
    )
    expect(audit).toMatchObject([
      { action: 'created', after: { name: 'Burlington', address: '12 Plains Road' } },
      {
        action: 'changed',
        before: { id: location.id, name: 'Burlington', address: '12 Plains Road', isActive: true },
        after: { id: location.id, name: 'Brant Street', address: null, isActive: false },
      },
    ])
    const before = await databaseFingerprint(server)
    expect(await admin.practice.changeLocation(next)).toEqual(next)
    expect(await databaseFingerprint(server)).toEqual(before)
  })

  it('refuse a duplicate name in any letter case, an empty name and an unknown location', async () => {
    const location = await add()
    expect(await codeOf(add({ name: 'MAIN LOCATION' }))).toBe('NAME_TAKEN')
    expect(await codeOf(admin.practice.changeLocation({ ...location, name: 'main location' }))).toBe('NAME_TAKEN')
    expect(await codeOf(admin.practice.changeLocation({ ...location, id: randomUUID() }))).toBe('NOT_FOUND')
    expect((await refusal(add({ name: ' ' }))).data.fields).toEqual({ name: 'Name the location' })
  })

  it('stay active while they have an active room; a room can only move to an active location', async () => {
    const [from, to] = [await add(), await add()]
    const { location, ...room } = await addRoom(from.id)
    expect([room.locationId, location]).toEqual([from.id, from.name])
    expect(await codeOf(admin.practice.changeLocation({ ...from, isActive: false }))).toBe('IN_USE')
    expect(await admin.practice.changeRoom({ ...room, locationId: to.id })).toMatchObject({ locationId: to.id, location: to.name })
    await admin.practice.changeLocation({ ...from, isActive: false })
    const invalid = { locationId: 'This location is not in use' }
    for (const locationId of [from.id, randomUUID()]) {
      expect((await refusal(admin.practice.changeRoom({ ...room, locationId }))).data.fields).toEqual(invalid)
      expect((await refusal(addRoom(locationId))).data.fields).toEqual(invalid)
    }
    const inactiveRoom = { ...room, locationId: to.id, isActive: false }
    await admin.practice.changeRoom(inactiveRoom)
    await admin.practice.changeLocation({ ...to, isActive: false })
    expect(await admin.practice.changeRoom({ ...inactiveRoom, name: `${room.name} 2` })).toMatchObject({
      locationId: to.id,
      isActive: false,
    })
    expect((await refusal(admin.practice.changeRoom({ ...inactiveRoom, isActive: true }))).data.fields).toEqual(invalid)
  })

  it('keep at least one active, even when the last two are deactivated simultaneously', async () => {
    await server.rows('update rooms set is_active = false')
    const [one, two] = [await add(), await add()]
    for (const location of await admin.practice.locations())
      if (location.isActive && location.id !== one.id && location.id !== two.id)
        await admin.practice.changeLocation({ ...location, isActive: false })
    const deactivate = (location: typeof one) =>
      admin.practice.changeLocation({ ...location, isActive: false }).then(
        () => 'deactivated',
        (error: { code: string }) => error.code,
      )
    expect((await Promise.all([deactivate(one), deactivate(two)])).toSorted()).toEqual(['LAST', 'deactivated'])
  })
})
