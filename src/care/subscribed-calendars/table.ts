import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import type { CalendarProblem } from './rules.ts'

const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

/** Calendars elsewhere (ICS) of people and rooms, whose events block openings. */
export const subscribedCalendars = pgTable(
  'subscribed_calendars',
  {
    id: id(),
    profileId: uuid('profile_id').references(() => profiles.id),
    roomId: uuid('room_id').references(() => rooms.id),
    name: text('name').notNull(),
    /** The address opens the calendar, so it is encrypted (kernel/seal.ts). */
    sealedUrl: text('sealed_url').notNull(),
    /** Of the address, for the screen. */
    host: text('host').notNull(),
    /** When it was last asked for, and last read; null: not yet. */
    triedAt: instant('tried_at'),
    readAt: instant('read_at'),
    problem: text('problem').$type<CalendarProblem>(),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    check('subscribed_calendars_owner', sql`num_nonnulls(${t.profileId}, ${t.roomId}) = 1`),
    index('subscribed_calendars_profile').on(t.profileId),
    index('subscribed_calendars_room').on(t.roomId),
  ],
)

/** When someone or a room is busy according to such a calendar, and nothing else about it. */
export const busyTimes = pgTable(
  'busy_times',
  {
    id: id(),
    calendarId: uuid('calendar_id')
      .notNull()
      .references(() => subscribedCalendars.id, { onDelete: 'cascade' }),
    /** The id of the person or the room. */
    resourceId: uuid('resource_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
  },
  (t) => [
    check('busy_times_order', sql`${t.startsAt} < ${t.endsAt}`),
    index('busy_times_calendar').on(t.calendarId),
    index('busy_times_resource').on(t.resourceId, t.endsAt),
  ],
)
