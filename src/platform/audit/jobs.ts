import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { sealEntries } from './seals.ts'

/** In milliseconds: while the log grows, it is sealed this often. */
const sealEvery = 10_000

/** Seals what was added to the log, tells the newest seal once an hour, and puts the entries into the index by patient. */
export const sealLog = defineJob({
  name: 'audit.seal',
  payload: z.object({}),
  // After a quiet time; while there is something to do it comes again by itself.
  cron: '* * * * *',
  async run(scope) {
    const { sealed, before, isMore } = await sealEntries(scope)
    const newest = sealed.at(-1)
    if (!newest && !isMore) return
    await scope.db.execute(sql`select audit_tidy()`)
    // Kept with the logs, and so beyond the reach of anyone who owns the database: `npm run audit:verify -- --seal` compares it.
    if (newest && hourOf(newest.at) !== hourOf(before?.at))
      scope.log.info({ seal: `${newest.toId}:${newest.seal}` }, 'The audit log is sealed')
    await enqueue(scope.db, sealLog, {}, 'audit.seal', new Date(Date.now() + (isMore && newest ? 0 : sealEvery)))
  },
})

const hourOf = (at: Date | undefined): string | undefined => at?.toISOString().slice(0, 13)
