import { boolean, check, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import type { LineKind } from '../quotes/rules.ts'

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
    /** One that is not is offered to nobody; what has it keeps it. */
    isActive: boolean('is_active').notNull().default(true),
    version: integer('version').notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (t) => [uniqueIndex('procedures_name').on(sql`lower(${t.name})`)],
)

/** The price list of a procedure: the lines that a quote for it begins with. */
export const procedurePrices = pgTable(
  'procedure_prices',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    procedureId: uuid('procedure_id')
      .notNull()
      .references(() => procedures.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    kind: text('kind').$type<LineKind>().notNull(),
    description: text('description').notNull(),
    quantity: integer('quantity').notNull().default(1),
    /** Before tax. */
    unitPriceCents: integer('unit_price_cents').notNull(),
    /** A tax code of the accounting system. Null: the practice's default. */
    taxCodeId: text('tax_code_id'),
    /** The item in QuickBooks that it is sold as. */
    itemId: text('item_id'),
    changedAt: timestamp('changed_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (t) => [
    check('procedure_prices_amounts', sql`${t.quantity} > 0 and ${t.unitPriceCents} >= 0`),
    index('procedure_prices_procedure').on(t.procedureId, t.position),
  ],
)
