import { lt } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { failEntry, processEntry } from './process.ts'
import { leadClaims } from './table.ts'

/** Makes a contact of a lead, or finds the one it belongs to. */
export const processLead = defineJob({
  name: 'leads.process',
  payload: z.object({ entryId: z.uuid() }),
  async run(scope, { entryId }, attempt) {
    try {
      await processEntry(scope, entryId)
    } catch (error) {
      if (attempt.last) await failEntry(scope, entryId)
      throw error
    }
  },
})

/** Claims are remembered for a day (see intake.ts). */
export const purgeLeadClaims = defineJob({
  name: 'leads.forget-claims',
  payload: z.object({}),
  cron: '17 * * * *',
  async run({ db, now }) {
    await db.delete(leadClaims).where(lt(leadClaims.claimedAt, new Date(now().getTime() - 24 * 3600_000)))
  },
})
