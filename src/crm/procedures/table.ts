import { boolean, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'

export const procedures = pgTable(
  'procedures',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    name: text('name').notNull(),
    /** As patients read it in French; null: the same name. */
    nameFr: text('name_fr'),
    /** The number of a chart colour, or null. */
    colour: integer('colour'),
    /** The default price before tax, for quotes when there is no price list. */
    priceCents: integer('price_cents'),
    /** The default duration. */
    minutes: integer('minutes'),
    /** A tax code of the accounting system. Null: the practice's default. */
    taxCodeId: text('tax_code_id'),
    isSurgical: boolean('is_surgical').notNull().default(true),
    /** An inactive procedure is no longer offered, but stays on existing records. */
    isActive: boolean('is_active').notNull().default(true),
    version: integer('version').notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (t) => [uniqueIndex('procedures_name').on(sql`lower(${t.name})`)],
)

/** How patients prepare for a procedure and what they do afterwards, in each language; null where the practice has written nothing. */
export const procedureInstructions = pgTable('procedure_instructions', {
  procedureId: uuid('procedure_id')
    .primaryKey()
    .references(() => procedures.id, { onDelete: 'cascade' }),
  preparationEn: text('preparation_en'),
  preparationFr: text('preparation_fr'),
  aftercareEn: text('aftercare_en'),
  aftercareFr: text('aftercare_fr'),
  version: integer('version').notNull().default(1),
})
