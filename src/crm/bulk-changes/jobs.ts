import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { undoHours } from './contract.ts'
import { runBulkChange } from './run.ts'

/** Does a bulk change, or takes it back, as its status says. */
export const changeInBulk = defineJob({
  name: 'bulk-changes.run',
  payload: z.object({ id: z.uuid() }),
  run: (scope, { id }) => runBulkChange(scope, id),
})

/** What can no longer be undone is not kept: it is a patient's data. An undo that is under way has what it needs until it is over. */
export const eraseDeleted = defineJob({
  name: 'bulk-changes.erase-deleted',
  payload: z.object({}),
  cron: '*/5 * * * *',
  async run({ db, now }) {
    const before = new Date(now().getTime() - undoHours * 3600_000).toISOString()
    await db.execute(sql`
      delete from deleted_contact_rows where deleted_at <= ${before}::timestamptz
        and not exists (select 1 from bulk_changes where id = deletion_id and status = 'undoing')`)
  },
})
