import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { forgetUndos } from './many.ts'

export const forgetTaskUndos = defineJob({
  name: 'tasks.forget-undos',
  payload: z.object({}),
  cron: '23 8 * * *',
  run: forgetUndos,
})
