import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { purgeByRules } from './service.ts'

export const purgeNightly = defineJob({
  name: 'retention.purge',
  payload: z.object({}),
  cron: '23 7 * * *',
  run: purgeByRules,
})
