import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { alertAdministrators } from './alerts.ts'

/**
 * Warns administrators of someone who looked at the photos of more than PHOTO_ALERT_PATIENTS patients within an hour: a thief takes the photos of
 * many, while staff look at a few. Each person is warned of once an hour, which the audit log remembers.
 */
export const watchViewing = defineJob({
  name: 'photos.watch-viewing',
  payload: z.object({}),
  cron: '*/5 * * * *',
  async run(scope) {
    const most = scope.env.PHOTO_ALERT_PATIENTS
    if (most === 0) return
    const hourAgo = new Date(scope.now().getTime() - 3_600_000)
    const { rows } = await scope.db.execute<{ viewer: string; patients: number }>(sql`
      select actor_id as viewer, count(distinct patient)::int as patients
      from audit_log as views, unnest(contact_ids) as patient
      where kind = 'photo' and action in ('viewed', 'exported') and actor_id is not null and at > ${hourAgo}
        and not exists (select from audit_log as alerts
          where alerts.kind = ${alertKind} and alerts.at > ${hourAgo} and alerts.after->>'viewer' = views.actor_id::text)
      group by actor_id
      having count(distinct patient) > ${most}`)
    for (const { viewer, patients } of rows) await warn(scope, viewer, patients)
  },
})

const alertKind = 'photo alert'

const warn = (scope: Scope, viewer: string, patients: number): Promise<void> =>
  scope.db.transaction(async (tx) => {
    await alertAdministrators(tx, scope, {
      title: 'Check unusual viewing of photos',
      description: `Someone opened the photos of ${patients} patients within an hour. The audit log says who, under the kind Photo.`,
    })
    await recordChange(tx, scope, { action: 'created', kind: alertKind, contactIds: [], after: { viewer, patients } })
  })
