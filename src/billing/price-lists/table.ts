import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { procedures } from '../../crm/procedures/table.ts'
import type { LineKind } from '../quotes/rules.ts'

/** Price lists of procedures: the default lines of their quotes. */
export const procedurePrices = pgTable(
  'procedure_prices',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
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
    /** The QuickBooks item that it is sold as. */
    itemId: text('item_id'),
    changedAt: timestamp('changed_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (t) => [
    check('procedure_prices_amounts', sql`${t.quantity} > 0 and ${t.unitPriceCents} >= 0`),
    index('procedure_prices_procedure').on(t.procedureId, t.position),
  ],
)
