import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { implantKinds } from '../devices/rules.ts'
import type { Criteria } from './rules.ts'
import { recalls } from './table.ts'

/**
 * Whether a lot or serial number lies in a range: numbers by their value, anything else in the order of its characters, where it is as long as
 * both ends. Without an end, it is the beginning itself. Without a beginning, everything does.
 */
const isWithin = (value: SQL, from: SQL, to: SQL): SQL => sql`(${from} is null or case
  when ${value} is null then false
  when ${value} ~ '^[0-9]+$' and ${from} ~ '^[0-9]+$' and coalesce(${to}, ${from}) ~ '^[0-9]+$'
    then ${value}::numeric between ${from}::numeric and coalesce(${to}, ${from})::numeric
  else upper(${value}) collate "C" between upper(${from}) and upper(coalesce(${to}, ${from}))
    and (${to} is null or char_length(${value}) between char_length(${from}) and char_length(${to})) end)`

interface Columns {
  maker: SQL
  model: SQL
  lot: SQL
  serial: SQL
}

/** Whether a device with a lot and a serial number is recalled by the criteria, which are values or columns. */
export const isCovered = ({ maker, model, lot, serial }: Columns, wanted: { [Field in keyof Criteria]: SQL }): SQL => sql`(
  lower(${maker}) = lower(${wanted.maker}) and (${wanted.model} is null or lower(${model}) = lower(${wanted.model}))
  and ${isWithin(lot, wanted.lotFrom, wanted.lotTo)} and ${isWithin(serial, wanted.serialFrom, wanted.serialTo)})`

export const valuesOf = (criteria: Criteria): { [Field in keyof Criteria]: SQL } => ({
  maker: sql`${criteria.maker}::text`,
  model: sql`${criteria.model}::text`,
  lotFrom: sql`${criteria.lotFrom}::text`,
  lotTo: sql`${criteria.lotTo}::text`,
  serialFrom: sql`${criteria.serialFrom}::text`,
  serialTo: sql`${criteria.serialTo}::text`,
})

const named: Columns = { maker: sql`device.maker`, model: sql`device.model`, lot: sql`lot.lot`, serial: sql`opened.serial` }

/** The patients who have such an implant now (`present`) or ever had one, as `contact_id`, with the implants as JSON in `devices`. */
export const affectedBy = (criteria: { [Field in keyof Criteria]: SQL }, which: 'present' | 'ever' = 'present'): SQL => sql`
  select surgery.contact_id, jsonb_agg(jsonb_build_object('name', concat_ws(', ', device.maker || ' ' || device.model, device.size),
    'lot', lot.lot, 'serial', opened.serial, 'side', opened.side) order by opened.id) as devices
  from devices as device
  join device_lots as lot on lot.device_id = device.id
  join surgery_devices as opened on opened.lot_id = lot.id
  join surgeries as surgery on surgery.id = opened.surgery_id
  where opened.used > 0 ${which === 'present' ? sql`and opened.explanted_on is null` : sql``} and device.kind in (${sql.join(
    implantKinds.map((kind) => sql`${kind}`),
    sql`, `,
  )}) and ${isCovered(named, criteria)}
  group by surgery.contact_id`

interface Piece {
  maker: string
  model: string
  lot: string
  serial: string | null
}

/** Whether any recall covers a piece, which then is refused at the scan. */
export const isRecalled = async (db: Db, piece: Piece): Promise<boolean> => (await recallsOf(db, piece)).length > 0

/** The ids of the recalls that cover a piece. */
export async function recallsOf(db: Db, piece: Piece): Promise<string[]> {
  const values: Columns = {
    maker: sql`${piece.maker}::text`,
    model: sql`${piece.model}::text`,
    lot: sql`${piece.lot}::text`,
    serial: sql`${piece.serial}::text`,
  }
  const { maker, model, lotFrom, lotTo, serialFrom, serialTo } = recalls
  const wanted = Object.fromEntries(
    Object.entries({ maker, model, lotFrom, lotTo, serialFrom, serialTo }).map(([field, column]) => [field, sql`${column}`]),
  ) as { [Field in keyof Criteria]: SQL }
  return (await db.select({ id: recalls.id }).from(recalls).where(isCovered(values, wanted))).map(({ id }) => id)
}

/** How many pieces at places the criteria cover. */
export async function countInStock(db: Db, criteria: Criteria): Promise<number> {
  const columns = { ...named, serial: sql`level.serial` }
  const { rows } = await db.execute<{ count: number }>(sql`
    select coalesce(sum(level.quantity), 0)::int as count from stock_levels as level
    join device_lots as lot on lot.id = level.lot_id join devices as device on device.id = level.device_id
    where level.quantity > 0 and level.place_id is not null and ${isCovered(columns, valuesOf(criteria))}`)
  return rows[0]!.count
}
