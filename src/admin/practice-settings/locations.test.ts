import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { everything } from '../../../test/everything.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { openStream } from '../../../test/stream.ts'

const server = useServer()
let [admin, billing] = [{} as Client, {} as Client]
beforeAll(async () => {
  admin = await server.as('admin')
  billing = await server.as('billing')
})

const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code
const add = (given: { name?: string; address?: string | null; phone?: string | null } = {}) =>
  admin.practice.addLocation({ name: randomUUID(), address: null, phone: null, ...given })
const addRoom = (locationId?: string) => admin.practice.addRoom({ name: randomUUID(), kind: 'consult', ...(locationId && { locationId }) })

describe('issue 9: locations', () => {
  it('there is one from the beginning, at the practice’s address, with all its rooms; while it is the only one no room speaks of it', async () => {
    const [first, ...others] = await billing.practice.locations()
    expect(others).toEqual([])
    expect(first).toEqual({ id: first!.id, name: 'Main location', address: null, phone: null, isActive: true })
    const rooms = await billing.practice.rooms()
    expect(new Set(rooms.map(({ locationId }) => locationId))).toEqual(new Set([first!.id]))
    expect(new Set(rooms.map(({ location }) => location))).toEqual(new Set([null]))
  })

  it('are added last, changed, and put behind the others when they are no longer used; each is audited and announced', async () => {
    const stream = await openStream(server.url, (await server.account({ role: 'billing' })).cookie)
    const place = await add({ name: ' Burlington ', address: '12 Plains Road', phone: '905-555-0100' })
    expect(place).toEqual({ id: place.id, name: 'Burlington', address: '12 Plains Road', phone: '905-555-0100', isActive: true })
    await stream.next(({ topic, id }) => topic === 'practice' && id === place.id)
    stream.close()
    const next = await add({ name: 'Hospital' })
    const names = async () => (await billing.practice.locations()).map(({ name }) => name)
    expect(await names()).toEqual(['Main location', 'Burlington', 'Hospital'])
    expect((await billing.practice.rooms())[0]!.location).toBe('Main location')
    const changed = { ...place, name: 'Brant Street', address: null, isActive: false }
    expect(await admin.practice.changeLocation(changed)).toEqual(changed)
    expect(await names()).toEqual(['Main location', 'Hospital', 'Brant Street'])
    const audit = await server.rows(
      "select action, before, after from audit_log where kind = 'location' and after->>'id' = $1 order by id",
      [place.id],
    )
    expect(audit).toMatchObject([
      { action: 'created', after: { name: 'Burlington', address: '12 Plains Road' } },
      {
        action: 'changed',
        before: { id: place.id, name: 'Burlington', address: '12 Plains Road', isActive: true },
        after: { id: place.id, name: 'Brant Street', address: null, isActive: false },
      },
    ])
    const before = await everything(server)
    expect(await admin.practice.changeLocation(next)).toEqual(next)
    expect(await everything(server)).toEqual(before)
  })

  it('have a name each, in any case; none that is empty, and none of a location that does not exist', async () => {
    const place = await add()
    expect(await codeOf(add({ name: 'MAIN LOCATION' }))).toBe('NAME_TAKEN')
    expect(await codeOf(admin.practice.changeLocation({ ...place, name: 'main location' }))).toBe('NAME_TAKEN')
    expect(await codeOf(admin.practice.changeLocation({ ...place, id: randomUUID() }))).toBe('NOT_FOUND')
    expect((await refusal(add({ name: ' ' }))).data.fields).toEqual({ name: 'Name the location' })
  })

  it('stay in use while a room of theirs is; a room goes to one that is in use, or stays where it was', async () => {
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
    const kept = { ...room, locationId: to.id, isActive: false }
    await admin.practice.changeRoom(kept)
    await admin.practice.changeLocation({ ...to, isActive: false })
    expect(await admin.practice.changeRoom({ ...kept, name: `${room.name} 2` })).toMatchObject({ locationId: to.id, isActive: false })
    expect((await refusal(admin.practice.changeRoom({ ...kept, isActive: true }))).data.fields).toEqual(invalid)
  })

  it('one is always in use, also when the last two are taken out of use at once', async () => {
    await server.rows('update rooms set is_active = false')
    const [one, two] = [await add(), await add()]
    for (const place of await admin.practice.locations())
      if (place.isActive && place.id !== one.id && place.id !== two.id) await admin.practice.changeLocation({ ...place, isActive: false })
    const out = (place: typeof one) =>
      admin.practice.changeLocation({ ...place, isActive: false }).then(
        () => 'out',
        (error: { code: string }) => error.code,
      )
    expect((await Promise.all([out(one), out(two)])).toSorted()).toEqual(['LAST', 'out'])
  })
})
