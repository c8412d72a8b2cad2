import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { cents, instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { formTemplates } from '../../chart/forms/table.ts'
import { locations, rooms } from '../../platform/practice/table.ts'
import type { AppointmentType } from '../appointments/rules.ts'
import type { PatientKind, VisitPart } from './rules.ts'
import type { DepositKind } from './terms-rules.ts'

const day = (name: string) => date(name, { mode: 'string' })
const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)
/** HH:mm in the practice's time zone. */
const isTime = (column: unknown) => sql`${column} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`

/** What can be booked: a type of appointment with its duration, and who and what it needs. */
export const visitTypes = pgTable(
  'visit_types',
  {
    id: id(),
    version: integer('version').notNull().default(1),
    name: text('name').notNull(),
    nameFr: text('name_fr'),
    description: text('description'),
    descriptionFr: text('description_fr'),
    /** The type of the appointments that it books. */
    type: text('type').$type<AppointmentType>().notNull(),
    minutes: integer('minutes').notNull(),
    /** Minutes kept free for the provider, the second person and the room. */
    bufferBefore: integer('buffer_before').notNull().default(0),
    bufferAfter: integer('buffer_after').notNull().default(0),
    /** For patients who book themselves: how long before it, and how many days ahead. */
    noticeHours: integer('notice_hours').notNull().default(0),
    horizonDays: integer('horizon_days').notNull().default(90),
    /** How many hours before it they may still move or cancel it themselves. */
    changeHours: integer('change_hours').notNull().default(24),
    /** What patients who book themselves pay or leave, and the fees that they agree to (terms-rules.ts). Amounts are in cents. */
    depositKind: text('deposit_kind').$type<DepositKind>().notNull().default('none'),
    depositCents: cents('deposit_cents'),
    depositPercent: integer('deposit_percent'),
    priceCents: cents('price_cents'),
    isDepositFirstOnly: boolean('is_deposit_first_only').notNull().default(false),
    lateFeeCents: cents('late_fee_cents').notNull().default(0),
    noShowFeeCents: cents('no_show_fee_cents').notNull().default(0),
    /** Visits of a series, and the weeks between them; null: it is one visit. */
    seriesVisits: integer('series_visits'),
    seriesWeeks: integer('series_weeks'),
    /** Of one provider; null: without a limit. */
    maxPerDay: integer('max_per_day'),
    patients: text('patients').$type<PatientKind>().notNull().default('all'),
    /** Whether patients may book it themselves. */
    isOnline: boolean('is_online').notNull().default(false),
    isActive: boolean('is_active').notNull().default(true),
    sortOrder: integer('sort_order').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('visit_types_name').on(sql`lower(${t.name})`),
    check('visit_types_minutes', sql`${t.minutes} > 0 and ${t.bufferBefore} >= 0 and ${t.bufferAfter} >= 0`),
    check('visit_types_deposit', sql`${t.depositKind} in ('none', 'amount', 'percent', 'card')`),
    check(
      'visit_types_series',
      sql`(${t.seriesVisits} is null) = (${t.seriesWeeks} is null) and ${t.seriesVisits} between 2 and 20 and ${t.seriesWeeks} between 1 and 26`,
    ),
    check('visit_types_patients', sql`${t.patients} in ('all', 'new', 'known')`),
  ],
)

/** Who does a visit: one of its providers and, if there are any, one of its second persons. */
export const visitTypePeople = pgTable(
  'visit_type_people',
  {
    visitTypeId: uuid('visit_type_id')
      .notNull()
      .references(() => visitTypes.id, { onDelete: 'cascade' }),
    part: text('part').$type<VisitPart>().notNull(),
    profileId: uuid('profile_id')
      .notNull()
      .references(() => profiles.id),
  },
  (t) => [
    primaryKey({ columns: [t.visitTypeId, t.part, t.profileId] }),
    check('visit_type_people_part', sql`${t.part} in ('provider', 'second')`),
    index('visit_type_people_profile').on(t.profileId),
  ],
)

/** The rooms of a visit, any of which will do. Without one, it needs no room. */
export const visitTypeRooms = pgTable(
  'visit_type_rooms',
  {
    visitTypeId: uuid('visit_type_id')
      .notNull()
      .references(() => visitTypes.id, { onDelete: 'cascade' }),
    roomId: uuid('room_id')
      .notNull()
      .references(() => rooms.id),
  },
  (t) => [primaryKey({ columns: [t.visitTypeId, t.roomId] }), index('visit_type_rooms_room').on(t.roomId)],
)

/** Equipment that visits need, such as a laser. */
export const equipment = pgTable(
  'equipment',
  {
    id: id(),
    name: text('name').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [uniqueIndex('equipment_name').on(sql`lower(${t.name})`)],
)

/** Each piece of equipment, which is reserved as a room is. */
export const equipmentUnits = pgTable(
  'equipment_units',
  {
    id: id(),
    equipmentId: uuid('equipment_id')
      .notNull()
      .references(() => equipment.id, { onDelete: 'cascade' }),
    locationId: uuid('location_id')
      .notNull()
      .references(() => locations.id),
    /** From 1, among those at the location. */
    number: integer('number').notNull(),
    isActive: boolean('is_active').notNull().default(true),
  },
  (t) => [uniqueIndex('equipment_units_number').on(t.equipmentId, t.locationId, t.number)],
)

/** The equipment of a visit, of each of which one piece is needed. */
export const visitTypeEquipment = pgTable(
  'visit_type_equipment',
  {
    visitTypeId: uuid('visit_type_id')
      .notNull()
      .references(() => visitTypes.id, { onDelete: 'cascade' }),
    equipmentId: uuid('equipment_id')
      .notNull()
      .references(() => equipment.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.visitTypeId, t.equipmentId] }), index('visit_type_equipment_equipment').on(t.equipmentId)],
)

/** The forms that patients who book a visit themselves get to fill in. */
export const visitTypeForms = pgTable(
  'visit_type_forms',
  {
    visitTypeId: uuid('visit_type_id')
      .notNull()
      .references(() => visitTypes.id, { onDelete: 'cascade' }),
    templateId: uuid('template_id')
      .notNull()
      .references(() => formTemplates.id),
  },
  (t) => [primaryKey({ columns: [t.visitTypeId, t.templateId] }), index('visit_type_forms_template').on(t.templateId)],
)

/** Regular hours of staff, several spans a day. Without a row, the practice's hours apply. */
export const staffHours = pgTable(
  'staff_hours',
  {
    id: id(),
    profileId: uuid('profile_id')
      .notNull()
      .references(() => profiles.id),
    weekday: integer('weekday').notNull(),
    opens: text('opens').notNull(),
    closes: text('closes').notNull(),
    /** The days that it applies to; null: without a limit. */
    fromDay: day('from_day'),
    toDay: day('to_day'),
    /** Null: every location. */
    locationId: uuid('location_id').references(() => locations.id),
  },
  (t) => [
    index('staff_hours_profile').on(t.profileId),
    check('staff_hours_weekday', sql`${t.weekday} between 1 and 7`),
    check('staff_hours_times', sql`${isTime(t.opens)} and ${isTime(t.closes)} and ${t.opens} < ${t.closes}`),
    check('staff_hours_days', sql`${t.fromDay} <= ${t.toDay}`),
  ],
)

/** Time off and additional hours of staff, on each day of a range. Without times, the whole day. */
export const staffExceptions = pgTable(
  'staff_exceptions',
  {
    id: id(),
    profileId: uuid('profile_id')
      .notNull()
      .references(() => profiles.id),
    kind: text('kind').$type<'off' | 'extra'>().notNull(),
    fromDay: day('from_day').notNull(),
    toDay: day('to_day').notNull(),
    opens: text('opens'),
    closes: text('closes'),
    locationId: uuid('location_id').references(() => locations.id),
    /** For the staff. */
    note: text('note'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('staff_exceptions_profile').on(t.profileId, t.toDay),
    check('staff_exceptions_kind', sql`${t.kind} in ('off', 'extra')`),
    check('staff_exceptions_days', sql`${t.fromDay} <= ${t.toDay}`),
    check(
      'staff_exceptions_times',
      sql`(${t.opens} is null) = (${t.closes} is null) and (${t.opens} is null or (${isTime(t.opens)} and ${isTime(t.closes)} and ${t.opens} < ${t.closes}))`,
    ),
    check('staff_exceptions_extra', sql`${t.kind} = 'off' or ${t.opens} is not null`),
  ],
)
