import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { beginningOf, dayAt, daysLater } from '../../shared/zoned-time.ts'
import { countedDays } from './rules.ts'

/** Folds the changes of contact_counts and of those beside it. A reader sees the rows before or after, and the same sums. */
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
