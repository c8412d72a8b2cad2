import { lt } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob, enqueue, type Job } from '../../kernel/jobs.ts'
import { importKeptDays } from './contract.ts'
import { calmSearchIndex } from './search-index.ts'
import { imports } from './table.ts'
import { workOn } from './work.ts'

const payload = z.object({ id: z.uuid() })

/** Checks an import, runs it or takes it back. A long one is done in stretches, a job each. */
export const workOnImport: Job<typeof payload> = defineJob({
  name: 'imports.work',
  payload,
  async run(scope, { id }) {
    if (await workOn(scope, id)) await enqueue(scope.db, workOnImport, { id }, id)
  },
})

/** After a process was killed at the end of an import, the index is as it is while none runs within a minute. */
export const calmAfterImports = defineJob({
  name: 'imports.calm',
  payload: z.object({}),
  cron: '* * * * *',
  run: calmSearchIndex,
})

/** Files hold patients' data: they are kept only as long as an import may be undone. */
export const purgeImports = defineJob({
  name: 'imports.forget',
  payload: z.object({}),
  cron: '41 4 * * *',
  async run({ db, now }) {
    await db.delete(imports).where(lt(imports.createdAt, new Date(now().getTime() - importKeptDays * 24 * 3600_000)))
  },
})
