import type pg from 'pg'
import { checkDigit } from '../src/care/devices/barcode-rules.ts'
import type { DeviceKind, Side } from '../src/care/devices/rules.ts'
import { day } from './clock.ts'
import { createRandom, type Random, uuidv7 } from './random.ts'
import type { References } from './rows.ts'

interface Model {
  maker: string
  model: string
  kind: DeviceKind
  /** The number that GS1 gave to the maker. */
  prefix: string
  sizes: readonly (string | null)[]
  side?: Side
  hasSerials?: boolean
  minimum?: number
}

const models: readonly Model[] = [
  {
    maker: 'Mentor',
    model: 'MemoryGel Xtra',
    kind: 'breast_implant',
    prefix: '0081317',
    sizes: ['275 cc', '300 cc', '325 cc', '350 cc', '375 cc', '400 cc'],
    hasSerials: true,
    minimum: 2,
  },
  {
    maker: 'Allergan',
    model: 'Natrelle Inspira SoftTouch',
    kind: 'breast_implant',
    prefix: '1088862',
    sizes: ['295 cc', '345 cc', '385 cc', '425 cc'],
    hasSerials: true,
    minimum: 2,
  },
  { maker: 'Mentor', model: 'CPX4 expander', kind: 'tissue_expander', prefix: '0081317', sizes: ['350 cc', '550 cc'], hasSerials: true },
  {
    maker: 'Implantech',
    model: 'Conform chin',
    kind: 'facial_implant',
    prefix: '0084501',
    sizes: ['Small', 'Medium', 'Large'],
    hasSerials: true,
  },
  {
    maker: 'Implantech',
    model: 'Malar shell, left',
    kind: 'facial_implant',
    prefix: '0084501',
    sizes: ['Medium'],
    side: 'left',
    hasSerials: true,
  },
  {
    maker: 'Implantech',
    model: 'Malar shell, right',
    kind: 'facial_implant',
    prefix: '0084501',
    sizes: ['Medium'],
    side: 'right',
    hasSerials: true,
  },
  { maker: 'BD', model: 'Galaflex scaffold', kind: 'mesh', prefix: '0080101', sizes: ['10 × 20 cm'], minimum: 2 },
  { maker: 'Galderma', model: 'Restylane Lyft', kind: 'injectable', prefix: '0730450', sizes: ['1 mL'], minimum: 10 },
  { maker: 'Allergan', model: 'Juvéderm Voluma', kind: 'injectable', prefix: '1088862', sizes: ['1 mL'], minimum: 12 },
  { maker: 'Allergan', model: 'Botox', kind: 'injectable', prefix: '1088862', sizes: ['100 units'], minimum: 8 },
  { maker: 'Ethicon', model: 'PDS II suture', kind: 'material', prefix: '0705031', sizes: ['2-0', '3-0', '4-0'], minimum: 12 },
]
const places = ['Implant cabinet', 'Operating room shelf', 'Injectables fridge'] as const

/** Surgeries whose patients have implants from stock. */
const implantedSurgeries = 8

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The catalogue of devices and its stock, received by the front desk in the last months. */
export async function addStock(client: pg.Client, { staff }: References, seed: number, now: number): Promise<void> {
  const random = createRandom(seed + 7_000)
  const placeIds = places.map(() => uuidv7(now - 400 * day, 0, random))
  for (const [index, name] of places.entries())
    await client.query('insert into stock_places (id, name) values ($1, $2)', [placeIds[index], name])
  let item = 100
  for (const { sizes, ...model } of models)
    for (const size of sizes) await addDevice(client, { ...model, size, item: item++ }, { random, placeIds, by: staff.frontDesk, now })
}

type Made = Omit<Model, 'sizes'> & { size: string | null; item: number }
interface Surroundings {
  random: Random
  placeIds: readonly string[]
  by: string
  now: number
}

async function addDevice(client: pg.Client, device: Made, { random, placeIds, by, now }: Surroundings): Promise<void> {
  const { maker, model, size, kind, side = null, hasSerials = false, minimum = 0, prefix, item } = device
  const digits = `${prefix}${item}`.padStart(13, '0')
  const id = uuidv7(now - 400 * day, 0, random)
  await client.query(
    `insert into devices (id, maker, model, size, kind, udi_di, side, has_serials, is_sterile, minimum, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, true, $9, $10)`,
    [id, maker, model, size, kind, `${digits}${checkDigit(digits)}`, side, hasSerials, minimum, new Date(now - 400 * day)],
  )
  const place = kind === 'injectable' ? placeIds[2] : kind === 'material' ? placeIds[1] : placeIds[0]
  // Most lots last for years, some expire soon, and a few have.
  for (const lasts of random.pick([[900], [700, 1100], [40, 800], [-12, 640]])) {
    const at = now - random.int(20, 120) * day
    const lotId = uuidv7(at, 0, random)
    const lot = hasSerials ? String(random.int(7_000_000, 9_999_999)) : `${random.int(10, 99)}L${random.int(100, 999)}`
    await client.query('insert into device_lots (id, device_id, lot, expires_on, made_on) values ($1, $2, $3, $4, $5)', [
      lotId,
      id,
      lot,
      isoDay(now + lasts * day),
      isoDay(now - 300 * day),
    ])
    const pieces = hasSerials ? random.int(1, 3) : 1
    for (let piece = 1; piece <= pieces; piece++)
      await client.query(
        `insert into stock_movements (id, kind, lot_id, serial, quantity, to_place_id, by, at) values ($1, 'receive', $2, $3, $4, $5, $6, $7)`,
        [
          uuidv7(at, piece, random),
          lotId,
          hasSerials ? `${lot}-${String(piece).padStart(3, '0')}` : null,
          hasSerials ? 1 : random.int(4, 18),
          place,
          by,
          new Date(at),
        ],
      )
  }
}

/** Breast implants of past surgeries, as the surgeon placed them, with their entries in the health summary. */
export async function addImplants(client: pg.Client, { staff }: References, seed: number): Promise<void> {
  const random = createRandom(seed + 8_000)
  const { rows: surgeries } = await client.query<{ id: string; contact_id: string; starts_at: Date }>(
    `select id, contact_id, starts_at from surgeries
     where status = 'completed' and procedures::text ~* '(breast|augment|implant)' order by starts_at desc limit $1`,
    [implantedSurgeries],
  )
  const { rows: models } = await client.query<{ id: string; name: string; place: string }>(
    `select id, maker || ' ' || model || ', ' || size as name, (select id from stock_places order by id limit 1) as place
     from devices where kind = 'breast_implant' order by id`,
  )
  for (const { id: surgeryId, contact_id: contactId, starts_at: at } of surgeries) {
    const device = random.pick(models)
    const lotId = uuidv7(at.getTime() - 30 * day, 0, random)
    const lot = String(random.int(6_000_000, 6_999_999))
    await client.query('insert into device_lots (id, device_id, lot, expires_on) values ($1, $2, $3, $4)', [
      lotId,
      device.id,
      lot,
      isoDay(at.getTime() + 1_200 * day),
    ])
    for (const [index, side] of (['left', 'right'] as const).entries()) {
      const [rowId, entryId] = [uuidv7(at.getTime(), index, random), uuidv7(at.getTime(), index + 2, random)]
      const serial = `${lot}-${String(index + 1).padStart(3, '0')}`
      await client.query(
        `insert into health_entries (id, contact_id, kind, name, detail, year, status, created_by, created_at, updated_by, updated_at)
         values ($1, $2, 'implant', $3, $4, $5, 'active', $6, $7, $6, $7)`,
        [entryId, contactId, `${device.name} (${side})`, `Lot ${lot}, serial ${serial}, Subpectoral`, at.getFullYear(), staff.provider, at],
      )
      await client.query(
        `insert into surgery_devices (id, version, surgery_id, lot_id, serial, quantity, used, side, position, opened_by, opened_at, used_by, used_at, health_entry_id)
         values ($1, 2, $2, $3, $4, 1, 1, $5, 'Subpectoral', $6, $7, $6, $7, $8)`,
        [rowId, surgeryId, lotId, serial, side, staff.provider, at, entryId],
      )
      for (const [order, [kind, from, to, ref]] of (
        [
          ['receive', null, device.place, null],
          ['open', device.place, null, rowId],
          ['use', null, null, rowId],
        ] as const
      ).entries())
        await client.query(
          `insert into stock_movements (id, kind, lot_id, serial, quantity, from_place_id, to_place_id, surgery_device_id, by, at)
           values ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9)`,
          [uuidv7(at.getTime() + order, index, random), kind, lotId, serial, from, to, ref, staff.provider, new Date(at.getTime() + order)],
        )
    }
  }
}
