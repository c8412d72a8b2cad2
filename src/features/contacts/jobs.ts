import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../server/jobs.ts'

/** Folds the changes of contact_counts into one row per stage. A reader sees the rows before or after, and the same sum. */
export const foldContactCounts = defineJob({
  name: 'contacts.fold-counts',
  payload: z.object({}),
  cron: '* * * * *',
  async run({ db }) {
    await db.execute(sql`
      with gone as (delete from contact_counts returning funnel_stage, change)
      insert into contact_counts (funnel_stage, change) select funnel_stage, sum(change) from gone group by funnel_stage`)
  },
})
