import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'

/** Does nothing: that it leaves the queue shows that jobs are stored, taken and completed. */
export const passSelfTest = defineJob({ name: 'self-test.pass', payload: z.object({}), run: () => Promise.resolve() })
