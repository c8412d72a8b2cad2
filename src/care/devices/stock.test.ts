import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDevice, addFiller, addPlace } from '../../../test/care/stock.ts'
import { useServer } from '../../../test/server.ts'
import type { MovementKind } from './rules.ts'

/** How many write at the same time. */
const writers = 50
const server = useServer({ DATABASE_POOL: '20' })

let pool: pg.Pool
let places: string[]
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: server.databaseUrl, max: writers })
  const provider = await server.as('provider')
  places = [(await addPlace(provider)).id, (await addPlace(provider)).id]
})
afterAll(() => pool.end())

interface Step {
  kind: MovementKind
  lot: number
  serial: number
  quantity: number
  from: number
  to: number
  surgery: number
}

const kinds: readonly MovementKind[] = ['receive', 'move', 'open', 'use', 'correct', 'waste', 'return', 'explant']
const step: fc.Arbitrary<Step> = fc.record({
  // Receiving as often as all the rest, so that there is something to take.
  kind: fc.oneof(fc.constant<MovementKind>('receive'), fc.constantFrom(...kinds)),
  lot: fc.integer({ min: 0, max: 2 }),
  serial: fc.integer({ min: 0, max: 2 }),
  quantity: fc.integer({ min: 1, max: 4 }),
  from: fc.integer({ min: 0, max: 2 }),
  to: fc.integer({ min: 0, max: 1 }),
  surgery: fc.integer({ min: 0, max: 2 }),
})
/** What each writer does, one after the other. */
const work = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: writers, maxLength: writers })

/** Two lots of a device with serial numbers, the same numbers in both, and one of a device without. */
async function newLots() {
  const provider = await server.as('provider')
  const [counted, byLot] = [await addDevice(provider), await addFiller(provider)]
  const rows = await server.rows<{ id: string }>(
    "insert into device_lots (device_id, lot) values ($1, 'L1'), ($1, 'L2'), ($2, 'L1') returning id",
    [counted.id, byLot.id],
  )
  return { devices: [counted.id, byLot.id], lots: rows.map(({ id }) => id), surgeries: [randomUUID(), randomUUID(), randomUUID()] }
}

/** A movement as the ledger takes it; which may still be impossible. */
function movementOf({ kind, lot, serial, quantity, from, to, surgery }: Step, { lots, surgeries }: Awaited<ReturnType<typeof newLots>>) {
  const hasSerial = lot < 2
  const isAtPlace = from < 2
  const takesPlace = kind === 'move' || kind === 'open' || ((kind === 'waste' || kind === 'return') && isAtPlace)
  const ofSurgery = !['receive', 'move'].includes(kind) && !((kind === 'waste' || kind === 'return') && isAtPlace)
  const gives = kind === 'receive' || kind === 'move' || (kind === 'return' && !isAtPlace)
  const toPlace = kind === 'move' ? (from + 1) % 2 : to
  return [
    kind,
    lots[lot],
    hasSerial ? `S${serial}` : null,
    hasSerial ? 1 : quantity,
    takesPlace ? places[from % 2] : null,
    gives ? places[toPlace] : null,
    ofSurgery ? surgeries[surgery] : null,
  ]
}

const insert = `insert into stock_movements (kind, lot_id, serial, quantity, from_place_id, to_place_id, surgery_device_id, at)
  values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())`

describe(`stock under ${writers} parallel writers`, () => {
  it('never becomes negative, and no serial number stands in two places, whatever is written (issue 27)', async () => {
    let [taken, refused] = [0, 0]
    await fc.assert(
      fc.asyncProperty(work, async (all) => {
        const stock = await newLots()
        await Promise.all(
          all.map(async (steps) => {
            for (const one of steps)
              try {
                await pool.query(insert, movementOf(one, stock))
                taken++
              } catch (error) {
                // Only what is impossible is refused: no one waits for each other forever, and nothing fails otherwise.
                expect((error as { constraint?: string }).constraint).toMatch(/^stock_(levels_quantity|levels_serial|movements_used)$/)
                refused++
              }
          }),
        )
        const negative = await server.rows('select 1 from stock_levels where quantity < 0')
        expect(negative).toEqual([])
        const twice = await server.rows(
          'select serial from stock_levels where device_id = any($1) and serial is not null group by device_id, serial having sum(quantity) > 1',
          [stock.devices],
        )
        expect(twice).toEqual([])
        // What is where is what the ledger says, counted on its own.
        const wrong = await server.rows(
          `with steps as (
             select lot_id, serial, to_place_id as place, null::uuid as surgery, quantity from stock_movements where to_place_id is not null
             union all select lot_id, serial, from_place_id, null, -quantity from stock_movements where from_place_id is not null
             union all select lot_id, serial, null, surgery_device_id, quantity from stock_movements where kind = 'open'
             union all select lot_id, serial, null, surgery_device_id, -quantity from stock_movements
               where kind in ('waste', 'return', 'explant') and surgery_device_id is not null)
           select * from (select lot_id, serial, place, surgery, sum(quantity) as quantity from steps where lot_id = any($1) group by 1, 2, 3, 4) as counted
           full join (select * from stock_levels where lot_id = any($1)) as level on level.lot_id = counted.lot_id
             and level.serial is not distinct from counted.serial and level.place_id is not distinct from counted.place
             and level.surgery_device_id is not distinct from counted.surgery
           where counted.quantity is distinct from level.quantity or counted.quantity < 0`,
          [stock.lots],
        )
        expect(wrong).toEqual([])
      }),
      { numRuns: 12 },
    )
    // The sequences are worth something: much is possible, and much is not.
    expect([taken > 500, refused > 300]).toEqual([true, true])
  })

  it('answers each request with what happened or why not, and the last piece is taken once (issue 27)', async () => {
    const provider = await server.as('provider')
    const [counted, byLot] = [await addDevice(provider), await addFiller(provider)]
    const received = { placeId: places[0]!, lot: 'L1', expiresOn: '2040-01-01' }
    const [one, many] = [
      await provider.devices.receive({ ...received, id: counted.id, serials: ['S1'] }),
      await provider.devices.receive({ ...received, id: byLot.id, quantity: 20 }),
    ]
    const cookie = await server.signIn('front_desk')
    const piece = { lotId: one.lots[0]!.id, serial: 'S1', quantity: 1, fromPlaceId: places[0] }
    const pieces = { lotId: many.lots[0]!.id, quantity: 1, fromPlaceId: places[0] }
    const sent = await Promise.all(
      Array.from({ length: writers }, (_, index) =>
        index % 2 === 0
          ? server.send('POST', '/api/stock/move', { ...piece, toPlaceId: places[1] }, cookie)
          : server.send('POST', '/api/stock/waste', { ...pieces, reason: 'Lost' }, cookie),
      ),
    )
    const statuses = (odd: number) => sent.filter((_, index) => index % 2 === odd).map(({ status }) => status)
    const count = (of: number[], status: number) => of.filter((one) => one === status).length
    expect([count(statuses(0), 200), count(statuses(0), 409)]).toEqual([1, 24])
    expect([count(statuses(1), 200), count(statuses(1), 409)]).toEqual([20, 5])
    expect((await provider.devices.get({ id: byLot.id })).inStock).toBe(0)
    expect((await provider.devices.get({ id: counted.id })).lots[0]!.pieces).toEqual([{ serial: 'S1', placeId: places[1], quantity: 1 }])
  })
})
