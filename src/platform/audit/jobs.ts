import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { sealEntries } from './seals.ts'

/** Milliseconds between seals while the log grows. */
const sealEvery = 10_000

/** Seals new log entries, logs the newest seal hourly, and indexes the entries by patient. */
export const sealLog = defineJob({
  name: 'audit.seal',
  payload: z.object({}),
  // After an idle period; while there is work left, the job requeues itself.
  cron: '* * * * *',
  async run(scope) {
    const { sealed, before, isMore } = await sealEntries(scope)
    const newest = sealed.at(-1)
    if (!newest && !isMore) return
    await scope.db.execute(sql`select audit_tidy()`)
    // Written to the server log, out of reach of the database owner: `npm run audit:verify -- --seal` compares it.
    if (newest && hourOf(newest.at) !== hourOf(before?.at))
      scope.log.info({ seal: `${newest.toId}:${newest.seal}` }, 'The audit log is sealed')
    await enqueue(scope.db, sealLog, {}, 'audit.seal', isMore && newest ? 0 : sealEvery)
  },
})

const hourOf = (at: Date | undefined): string | undefined => at?.toISOString().slice(0, 13)
