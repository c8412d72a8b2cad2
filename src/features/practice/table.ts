import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { RoomKind } from './rules.ts'

/** Rooms and facilities in which patients are seen or operated on. */
export const rooms = pgTable(
  'rooms',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    name: text('name').notNull(),
    kind: text('kind').$type<RoomKind>().notNull(),
    /** Of several, which of the practice's addresses; or a hospital's. */
    location: text('location'),
    /** One that is not used any more keeps what took place in it. */
    isActive: boolean('is_active').notNull().default(true),
    sortOrder: integer('sort_order').notNull().default(0),
  },
  (t) => [uniqueIndex('rooms_name').on(sql`lower(${t.name})`)],
)

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
 * What the practice is called and how it is reached: one row, which is there once somebody has set anything. A field that is null is as the
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
    timeZone: text('time_zone'),
    brandHue: integer('brand_hue'),
    companyDomains: text('company_domains').array(),
    mailFrom: text('mail_from'),
    mailReplyTo: text('mail_reply_to'),
    /** A PNG as base64, made anew from what was sent; small enough for a row. */
    logo: text('logo'),
    logoHash: text('logo_hash'),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (t) => [check('practice_settings_one', sql`${t.id}`)],
)
