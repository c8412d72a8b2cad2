import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, date, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { RoomKind } from './rules.ts'

/** Locations where the practice sees and operates on patients. At least one is always active. */
export const locations = pgTable(
  'locations',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    name: text('name').notNull(),
    /** As shown to patients; null for the practice's own. */
    address: text('address'),
    phone: text('phone'),
    /** An inactive location keeps its past appointments. */
    isActive: boolean('is_active').notNull().default(true),
    sortOrder: integer('sort_order').notNull().default(0),
  },
  (t) => [uniqueIndex('locations_name').on(sql`lower(${t.name})`)],
)

/** Rooms and facilities for appointments and surgeries. */
export const rooms = pgTable(
  'rooms',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    name: text('name').notNull(),
    kind: text('kind').$type<RoomKind>().notNull(),
    locationId: uuid('location_id')
      .notNull()
      .references(() => locations.id),
    /** An inactive room keeps its past appointments. */
    isActive: boolean('is_active').notNull().default(true),
    sortOrder: integer('sort_order').notNull().default(0),
  },
  (t) => [uniqueIndex('rooms_name').on(sql`lower(${t.name})`)],
)

/** Location name of a row of `rooms`; null while there is only one active location. */
export const locationOfRoom: SQL<string | null> = sql<string | null>`(
  select place.name from locations as place
  where place.id = rooms.location_id and exists (select 1 from locations as other where other.id <> place.id and other.is_active))`

/** Opening hours; a missing weekday is closed. */
export const practiceHours = pgTable(
  'practice_hours',
  {
    weekday: integer('weekday').primaryKey(),
    /** HH:mm in the practice's time zone. */
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

/** Days on which the practice is closed besides its weekdays, such as holidays. */
export const closedDays = pgTable('closed_days', {
  day: date('day', { mode: 'string' }).primaryKey(),
  name: text('name').notNull(),
})

/**
 * Name and contact details of the practice: one row, created with the first change. Null fields use the server's own settings (see
 * OPERATIONS.md).
 */
export const practiceSettings = pgTable(
  'practice_settings',
  {
    /** Always true, which limits the table to one row. */
    id: boolean('id').primaryKey().default(true),
    name: text('name'),
    subtitle: text('subtitle'),
    subtitleFr: text('subtitle_fr'),
    address: text('address'),
    phone: text('phone'),
    hours: text('hours'),
    hoursFr: text('hours_fr'),
    hstNumber: text('hst_number'),
    timeZone: text('time_zone'),
    brandHue: integer('brand_hue'),
    companyDomains: text('company_domains').array(),
    mailFrom: text('mail_from'),
    mailReplyTo: text('mail_reply_to'),
    /** Whether copies of photos at screen size show who looks at them. */
    photoWatermark: boolean('photo_watermark'),
    /** HH:mm in the patient's time zone: no automatic text message in between. */
    textQuietFrom: text('text_quiet_from'),
    textQuietTo: text('text_quiet_to'),
    /** Automatic text messages to one patient, and to all, in a day. */
    textsPerPatient: integer('texts_per_patient'),
    textsPerDay: integer('texts_per_day'),
    /** In hundredths of a cent. */
    textSegmentPrice: integer('text_segment_price'),
    /** A PNG as base64, re-encoded from the upload; small enough for a row. */
    logo: text('logo'),
    logoHash: text('logo_hash'),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (t) => [check('practice_settings_one', sql`${t.id}`)],
)
