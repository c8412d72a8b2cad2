import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { undoHours } from './contract.ts'
import { runBulkChange } from './run.ts'

/** Runs a bulk change, or its undo, depending on its status. */
export const changeInBulk = defineJob({
  name: 'bulk-changes.run',
  payload: z.object({ id: z.uuid() }),
  run: (scope, { id }) => runBulkChange(scope, id),
})

/** Erases expired undo data, because it is patient data. An undo in progress keeps its data until it has finished. */
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
