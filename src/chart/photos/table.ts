import { sql } from 'drizzle-orm'
import { check, date, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { Adjustment } from './adjust-rules.ts'
import type { Shape } from './markup-rules.ts'
import type { photoKinds, TimePoint, PhotoView, ShotList } from './rules.ts'

/** Photos of a patient that belong together: one shot list at one time. */
export const photoSeries = pgTable(
  'photo_series',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    version: integer('version').notNull().default(1),
    procedureId: uuid('procedure_id').references(() => procedures.id, { onDelete: 'set null' }),
    shotList: text('shot_list').$type<ShotList>().notNull(),
    timePoint: text('time_point').$type<TimePoint>().notNull(),
    /** Of the time point 'other'. */
    title: text('title'),
    takenOn: date('taken_on').notNull(),
    /** Of the surgery or treatment, as the gallery filters it: 'Endoscopic'. */
    technique: text('technique'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('photo_series_contact').on(t.contactId, t.takenOn, t.id),
    check('photo_series_title', sql`(${t.timePoint} = 'other') = (${t.title} is not null)`),
  ],
)

/** Photos in charts. The id is made where the photo is taken, so that one that is sent again is stored once. */
export const photos = pgTable(
  'photos',
  {
    id: uuid('id').primaryKey(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    seriesId: uuid('series_id')
      .notNull()
      .references(() => photoSeries.id),
    view: text('view').$type<PhotoView>().notNull(),
    takenAt: instant('taken_at').notNull(),
    takenBy: uuid('taken_by').references(() => profiles.id),
    mimeType: text('mime_type').$type<(typeof photoKinds)[number]>().notNull(),
    /** Of the original: in pixels when upright, in bytes, and of its bytes. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    size: integer('size').notNull(),
    sha256: text('sha256').notNull(),
    /** How it is shown; null: as it was taken. */
    adjustment: jsonb('adjustment').$type<Adjustment>(),
    /** Incremented by every change of the adjustment. */
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    deletedAt: instant('deleted_at'),
    deletedBy: uuid('deleted_by').references(() => profiles.id),
  },
  (t) => [
    index('photos_series').on(t.seriesId),
    index('photos_contact').on(t.contactId),
    index('photos_deleted')
      .on(t.deletedAt)
      .where(sql`${t.deletedAt} is not null`),
  ],
)

/** The files of a photo: the original as it was taken, two copies without its metadata, and one as it leaves the chart, made when it is needed. */
export const photoFiles = pgTable(
  'photo_files',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    photoId: uuid('photo_id')
      .notNull()
      .references(() => photos.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<'original' | 'screen' | 'thumbnail' | 'shared'>().notNull(),
    storageKey: text('storage_key').notNull().unique(),
  },
  (t) => [uniqueIndex('photo_files_photo').on(t.photoId, t.kind)],
)

/** Markup on a photo: what one person drew at one time, over the photo and never in it. */
export const photoLayers = pgTable(
  'photo_layers',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    photoId: uuid('photo_id')
      .notNull()
      .references(() => photos.id, { onDelete: 'cascade' }),
    version: integer('version').notNull().default(1),
    authorId: uuid('author_id')
      .notNull()
      .references(() => profiles.id),
    shapes: jsonb('shapes').$type<Shape[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [index('photo_layers_photo').on(t.photoId)],
)
