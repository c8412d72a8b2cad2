import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { healthEntries } from '../../chart/health/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { Side } from '../devices/rules.ts'
import { deviceLots } from '../devices/table.ts'
import { surgeries } from '../surgeries/table.ts'
import type { ExplantFate } from './rules.ts'

/**
 * What was opened for a surgery, and what became of it. Each step is also in the ledger of stock (stock_movements), which names this row. Rows
 * are never deleted, only with the patient.
 */
export const surgeryDevices = pgTable(
  'surgery_devices',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    version: integer('version').notNull().default(1),
    surgeryId: uuid('surgery_id')
      .notNull()
      .references(() => surgeries.id),
    lotId: uuid('lot_id')
      .notNull()
      .references(() => deviceLots.id),
    serial: text('serial'),
    quantity: integer('quantity').notNull(),
    used: integer('used').notNull().default(0),
    wasted: integer('wasted').notNull().default(0),
    returned: integer('returned').notNull().default(0),
    /** For which it was opened, or on which it was placed. */
    side: text('side').$type<Side>(),
    position: text('position'),
    openedBy: uuid('opened_by').references(() => profiles.id),
    openedAt: instant('opened_at').notNull(),
    /** Who placed or used it. */
    usedBy: uuid('used_by').references(() => profiles.id),
    usedAt: instant('used_at'),
    /** Why pieces were wasted, or why the use was corrected. */
    note: text('note'),
    explantedOn: date('explanted_on', { mode: 'string' }),
    /** The surgery in which it was taken out; null if that was elsewhere. */
    explantSurgeryId: uuid('explant_surgery_id').references(() => surgeries.id),
    explantReason: text('explant_reason'),
    explantFate: text('explant_fate').$type<ExplantFate>(),
    explantedBy: uuid('explanted_by').references(() => profiles.id),
    /** The entry of the health summary that says that the patient has it. */
    healthEntryId: uuid('health_entry_id').references(() => healthEntries.id),
  },
  (t) => [
    index('surgery_devices_surgery').on(t.surgeryId),
    index('surgery_devices_lot').on(t.lotId),
    index('surgery_devices_explant').on(t.explantSurgeryId),
    check('surgery_devices_quantity', sql`${t.quantity} > 0 and (${t.serial} is null or ${t.quantity} = 1)`),
    check(
      'surgery_devices_counts',
      sql`${t.used} >= 0 and ${t.wasted} >= 0 and ${t.returned} >= 0 and ${t.used} + ${t.wasted} + ${t.returned} <= ${t.quantity}`,
    ),
    check('surgery_devices_used', sql`(${t.used} > 0) = (${t.usedAt} is not null)`),
    check('surgery_devices_side', sql`${t.side} in ('left', 'right')`),
    check(
      'surgery_devices_explanted',
      sql`${t.explantedOn} is null or (${t.used} > 0 and ${t.explantReason} is not null and ${t.explantFate} is not null)`,
    ),
  ],
)
