/** Columns that many tables have. */
import { bigint, timestamp } from 'drizzle-orm/pg-core'

/** A moment, with its time zone. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** An amount of money in whole cents. */
export const cents = (name: string) => bigint(name, { mode: 'number' })
