import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { forgetByRules } from './service.ts'

export const forgetNightly = defineJob({
  name: 'retention.forget',
  payload: z.object({}),
  cron: '23 7 * * *',
  run: forgetByRules,
})
