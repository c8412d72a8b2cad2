import { boolean, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'

export const procedures = pgTable(
  'procedures',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    name: text('name').notNull(),
    /** The number of a chart colour; null: none. */
    colour: integer('colour'),
    /** What a quote for it begins with while it has no price list, before tax. */
    priceCents: integer('price_cents'),
    /** How long it usually takes. */
    minutes: integer('minutes'),
    /** A tax code of the accounting system. Null: the practice's usual one. */
    taxCodeId: text('tax_code_id'),
    isSurgical: boolean('is_surgical').notNull().default(true),
    /** One that is not is offered to no one; what has it keeps it. */
    isActive: boolean('is_active').notNull().default(true),
    version: integer('version').notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (t) => [uniqueIndex('procedures_name').on(sql`lower(${t.name})`)],
)
