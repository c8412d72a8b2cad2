import { lt } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { undoDays } from './rules.ts'
import { contactMerges } from './table.ts'

/** Deletes merges that can no longer be undone, because their snapshots hold patient data. */
export const purgeMerges = defineJob({
  name: 'merges.purge',
  payload: z.object({}),
  cron: '41 * * * *',
  async run({ db, now }) {
    await db.delete(contactMerges).where(lt(contactMerges.mergedAt, new Date(now().getTime() - undoDays * 24 * 3600_000)))
  },
})
