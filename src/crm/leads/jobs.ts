import { lt } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { processInBatches } from './batch.ts'
import { failEntry } from './process.ts'
import { leadClaims } from './table.ts'

/** Processes a lead: creates a contact or adds the lead to an existing one. */
export const processLead = defineJob({
  name: 'leads.process',
  payload: z.object({ entryId: z.uuid() }),
  async run(scope, { entryId }, attempt) {
    try {
      await processInBatches(scope, entryId)
    } catch (error) {
      if (attempt.last) await failEntry(scope, entryId)
      throw error
    }
  },
})

/** Purges claims after 24 hours (see intake.ts). */
export const purgeLeadClaims = defineJob({
  name: 'leads.purge-claims',
  payload: z.object({}),
  cron: '17 * * * *',
  async run({ db, now }) {
    await db.delete(leadClaims).where(lt(leadClaims.claimedAt, new Date(now().getTime() - 24 * 3600_000)))
  },
})
