import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { RoomKind } from './rules.ts'

/** Where the practice sees and operates on patients. There is always one in use. */
export const locations = pgTable(
  'locations',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    name: text('name').notNull(),
    /** As patients are told it; null: the practice's own. */
    address: text('address'),
    phone: text('phone'),
    /** One that is no longer used keeps what took place there. */
    isActive: boolean('is_active').notNull().default(true),
    sortOrder: integer('sort_order').notNull().default(0),
  },
  (t) => [uniqueIndex('locations_name').on(sql`lower(${t.name})`)],
)

/** Rooms and facilities in which patients are seen or operated on. */
export const rooms = pgTable(
  'rooms',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    name: text('name').notNull(),
    kind: text('kind').$type<RoomKind>().notNull(),
    locationId: uuid('location_id')
      .notNull()
      .references(() => locations.id),
    /** One that is no longer used keeps what took place in it. */
    isActive: boolean('is_active').notNull().default(true),
    sortOrder: integer('sort_order').notNull().default(0),
  },
  (t) => [uniqueIndex('rooms_name').on(sql`lower(${t.name})`)],
)

/** What the location of a room of the table `rooms` is called; null while there is no other in use. */
export const locationOfRoom: SQL<string | null> = sql<string | null>`(
  select place.name from locations as place
  where place.id = rooms.location_id and exists (select 1 from locations as other where other.id <> place.id and other.is_active))`

/** When the practice is open; a day of the week that is missing is closed. */
export const practiceHours = pgTable(
  'practice_hours',
  {
    weekday: integer('weekday').primaryKey(),
    /** HH:mm on the practice's clock. */
    opens: text('opens').notNull(),
    closes: text('closes').notNull(),
  },
  (t) => [
    check('practice_hours_weekday', sql`${t.weekday} between 1 and 7`),
    check(
      'practice_hours_times',
      sql`${t.opens} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and ${t.closes} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and ${t.opens} < ${t.closes}`,
    ),
  ],
)

/**
 * What the practice is called and how it is reached: one row, which is there once someone has set anything. A field that is null is as the
 * server's own settings have it (see OPERATIONS.md).
 */
export const practiceSettings = pgTable(
  'practice_settings',
  {
    /** Always true, so that there is one row. */
    id: boolean('id').primaryKey().default(true),
    name: text('name'),
    subtitle: text('subtitle'),
    address: text('address'),
    phone: text('phone'),
    hours: text('hours'),
    hstNumber: text('hst_number'),
    timeZone: text('time_zone'),
    brandHue: integer('brand_hue'),
    companyDomains: text('company_domains').array(),
    mailFrom: text('mail_from'),
    mailReplyTo: text('mail_reply_to'),
    /** A PNG as base64, made again from what was sent; small enough for a row. */
    logo: text('logo'),
    logoHash: text('logo_hash'),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (t) => [check('practice_settings_one', sql`${t.id}`)],
)
