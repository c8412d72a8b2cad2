import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { mailboxConnections } from '../../messages/mailbox/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import type { CalendarProblem } from './rules.ts'

const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

/** Calendars elsewhere of people and rooms, whose events block openings: by an address (ICS), or that of a person's connected mailbox. */
export const subscribedCalendars = pgTable(
  'subscribed_calendars',
  {
    id: id(),
    profileId: uuid('profile_id').references(() => profiles.id),
    roomId: uuid('room_id').references(() => rooms.id),
    name: text('name').notNull(),
    /** The address opens the calendar, so it is encrypted (kernel/seal.ts). */
    sealedUrl: text('sealed_url'),
    /** It goes with the connection. */
    mailboxId: uuid('mailbox_id').references(() => mailboxConnections.id, { onDelete: 'cascade' }),
    /** Of the address, or the address of the mailbox; for the screen. */
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
    check('subscribed_calendars_source', sql`num_nonnulls(${t.sealedUrl}, ${t.mailboxId}) = 1`),
    uniqueIndex('subscribed_calendars_mailbox').on(t.mailboxId),
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
