import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { purgeUndos } from './bulk.ts'

export const purgeTaskUndos = defineJob({
  name: 'tasks.purge-undos',
  payload: z.object({}),
  cron: '23 8 * * *',
  run: purgeUndos,
})
