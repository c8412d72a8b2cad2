import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { beginningOf, dayAt, daysLater } from '../../shared/zoned-time.ts'
import { countedDays } from './rules.ts'

/** Folds the rows of contact_counts, contact_day_counts and contact_source_counts. Readers get the same sums before and after. */
export const foldContactCounts = defineJob({
  name: 'contacts.fold-counts',
  payload: z.object({}),
  cron: '* * * * *',
  async run({ db, now, env }) {
    const zone = env.PRACTICE_TIME_ZONE
    const keptFrom = beginningOf(daysLater(dayAt(now(), zone), -countedDays), zone)
    await db.execute(sql`select fold_contact_counts(${zone}, ${keptFrom.toISOString()}::timestamptz)`)
  },
})
