import { lt } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob, enqueue, type Job } from '../../kernel/jobs.ts'
import { importRetentionDays } from './contract.ts'
import { restoreSearchIndex } from './run/search-index.ts'
import { imports } from './table.ts'
import { processImport } from './run/process.ts'

const payload = z.object({ id: z.uuid() })

/** Checks, runs or undoes an import. A long one is processed in several jobs. */
export const processImportJob: Job<typeof payload> = defineJob({
  name: 'imports.work',
  payload,
  async run(scope, { id }) {
    if (await processImport(scope, id)) await enqueue(scope.db, processImportJob, { id }, id)
  },
})

/** Restores the search index within a minute if a process was killed at the end of an import. */
export const restoreAfterImports = defineJob({
  name: 'imports.calm',
  payload: z.object({}),
  cron: '* * * * *',
  run: restoreSearchIndex,
})

/** Deletes imports that can no longer be undone, because their rows hold patient data. */
export const purgeImports = defineJob({
  name: 'imports.purge',
  payload: z.object({}),
  cron: '41 4 * * *',
  async run({ db, now }) {
    await db.delete(imports).where(lt(imports.createdAt, new Date(now().getTime() - importRetentionDays * 24 * 3600_000)))
  },
})
