import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
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
