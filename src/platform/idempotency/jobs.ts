import { lt } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { keyLifetimeMs } from './rules.ts'
import { idempotentRequests } from './table.ts'

export const purgeIdempotencyKeys = defineJob({
  name: 'idempotency.purge',
  payload: z.object({}),
  cron: '37 * * * *',
  async run({ db, now }) {
    await db.delete(idempotentRequests).where(lt(idempotentRequests.startedAt, new Date(now().getTime() - keyLifetimeMs)))
  },
})
