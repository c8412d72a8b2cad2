import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { DeviceKind, MovementKind, Side } from './rules.ts'

const key = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

/** The catalogue: implants, injectables and materials. */
export const devices = pgTable(
  'devices',
  {
    id: key(),
    version: integer('version').notNull().default(1),
    maker: text('maker').notNull(),
    model: text('model').notNull(),
    size: text('size'),
    kind: text('kind').$type<DeviceKind>().notNull(),
    /** GTIN of 14 digits. */
    udiDi: text('udi_di').unique('devices_udi_di'),
    /** The side that it is made for; null for either. */
    side: text('side').$type<Side>(),
    /** Whether each piece has a serial number, or pieces are counted by lot. */
    hasSerials: boolean('has_serials').notNull(),
    isSterile: boolean('is_sterile').notNull(),
    /** Usable pieces below which it is listed as low. */
    minimum: integer('minimum').notNull().default(0),
    /** One that is no longer bought can be used up. */
    isActive: boolean('is_active').notNull().default(true),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('devices_name').on(sql`lower(${t.maker})`, sql`lower(${t.model})`, sql`lower(coalesce(${t.size}, ''))`),
    check('devices_udi_di_digits', sql`${t.udiDi} ~ '^[0-9]{14}$'`),
    check('devices_side', sql`${t.side} in ('left', 'right')`),
    check('devices_minimum', sql`${t.minimum} >= 0`),
  ],
)

/** Where stock is kept, such as a cabinet. */
export const stockPlaces = pgTable(
  'stock_places',
  { id: key(), name: text('name').notNull(), isActive: boolean('is_active').notNull().default(true) },
  (t) => [uniqueIndex('stock_places_name').on(sql`lower(${t.name})`)],
)

export const deviceLots = pgTable(
  'device_lots',
  {
    id: key(),
    deviceId: uuid('device_id')
      .notNull()
      .references(() => devices.id),
    lot: text('lot').notNull(),
    expiresOn: date('expires_on', { mode: 'string' }),
    madeOn: date('made_on', { mode: 'string' }),
  },
  (t) => [uniqueIndex('device_lots_lot').on(t.deviceId, t.lot), index('device_lots_expiry').on(t.expiresOn)],
)

/**
 * The ledger of stock: only added to. A trigger applies each row to stock_levels, and refuses it if that would make a quantity negative or put
 * a serial number in two places.
 */
export const stockMovements = pgTable(
  'stock_movements',
  {
    id: key(),
    kind: text('kind').$type<MovementKind>().notNull(),
    lotId: uuid('lot_id')
      .notNull()
      .references(() => deviceLots.id),
    /** Of a device with serial numbers. */
    serial: text('serial'),
    quantity: integer('quantity').notNull(),
    fromPlaceId: uuid('from_place_id').references(() => stockPlaces.id),
    toPlaceId: uuid('to_place_id').references(() => stockPlaces.id),
    /** What was opened for a surgery (surgery_devices). No foreign key: the ledger stays when a patient is deleted. */
    surgeryDeviceId: uuid('surgery_device_id'),
    reason: text('reason'),
    by: uuid('by').references(() => profiles.id),
    at: instant('at').notNull(),
  },
  (t) => [
    index('stock_movements_lot').on(t.lotId, t.at, t.id),
    index('stock_movements_serial').on(t.serial),
    check('stock_movements_quantity', sql`${t.quantity} > 0 and (${t.serial} is null or ${t.quantity} = 1)`),
    check(
      'stock_movements_places',
      sql`case ${t.kind}
        when 'receive' then ${t.fromPlaceId} is null and ${t.toPlaceId} is not null and ${t.surgeryDeviceId} is null
        when 'move' then ${t.fromPlaceId} is not null and ${t.toPlaceId} is not null and ${t.fromPlaceId} <> ${t.toPlaceId} and ${t.surgeryDeviceId} is null
        when 'open' then ${t.fromPlaceId} is not null and ${t.toPlaceId} is null and ${t.surgeryDeviceId} is not null
        when 'return' then num_nonnulls(${t.fromPlaceId}, ${t.surgeryDeviceId}) = 1 and (${t.toPlaceId} is null) = (${t.surgeryDeviceId} is null)
        when 'waste' then num_nonnulls(${t.fromPlaceId}, ${t.surgeryDeviceId}) = 1 and ${t.toPlaceId} is null
        else ${t.kind} in ('use', 'correct', 'explant') and ${t.fromPlaceId} is null and ${t.toPlaceId} is null and ${t.surgeryDeviceId} is not null
      end`,
    ),
  ],
)

/** What is where, as the ledger says: written by its trigger only. Either at a place, or with what was opened for a surgery. */
export const stockLevels = pgTable(
  'stock_levels',
  {
    id: key(),
    deviceId: uuid('device_id')
      .notNull()
      .references(() => devices.id),
    lotId: uuid('lot_id')
      .notNull()
      .references(() => deviceLots.id),
    serial: text('serial'),
    placeId: uuid('place_id').references(() => stockPlaces.id),
    surgeryDeviceId: uuid('surgery_device_id'),
    quantity: integer('quantity').notNull(),
  },
  (t) => [
    unique('stock_levels_place').on(t.lotId, t.serial, t.placeId, t.surgeryDeviceId).nullsNotDistinct(),
    uniqueIndex('stock_levels_serial')
      .on(t.deviceId, t.serial)
      .where(sql`${t.quantity} > 0`),
    index('stock_levels_device')
      .on(t.deviceId)
      .where(sql`${t.quantity} > 0`),
    check('stock_levels_quantity', sql`${t.quantity} >= 0 and (${t.serial} is null or ${t.quantity} <= 1)`),
    check('stock_levels_one_place', sql`num_nonnulls(${t.placeId}, ${t.surgeryDeviceId}) = 1`),
  ],
)
