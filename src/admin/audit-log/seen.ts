import { eq, sql } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { beginningOf } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { aboutOf } from './read.ts'
import { type AuditEntry, seeingActions } from '../../kernel/audit/rules.ts'
import { isAbout } from './whose.ts'

/** So many lines of a person and a day at once. */
const maxLines = 100

type Row = {
  day: string
  by: string | null
  byName: string | null
  byRole: AuditEntry['actorRole']
  opened: number
  listed: number
  taken: number
  firstAt: Date
  lastAt: Date
  kinds: string[]
}

/**
 * Who saw a patient's data, also while it stood under the id of someone who was merged into them: a line for each person and day of the
 * practice, newest first. Null when there is no such patient.
 */
export async function seenBy(scope: Scope, contactId: string, before?: string) {
  const [contact] = await scope.db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const zone = scope.env.PRACTICE_TIME_ZONE
  const actions = sql.join(
    seeingActions.map((action) => sql`${action}`),
    sql`, `,
  )
  const { rows } = await scope.db.execute<Row>(sql`
    select to_char(at at time zone ${zone}, 'YYYY-MM-DD') as day, actor_id as by, actor_role as "byRole",
      coalesce((select full_name from profiles where id = actor_id), (select name from api_keys where id = actor_id)) as "byName",
      (count(*) filter (where action = 'viewed' and cardinality(contact_ids) = 1))::int as opened,
      (count(*) filter (where action = 'viewed' and cardinality(contact_ids) > 1))::int as listed,
      (count(*) filter (where action <> 'viewed'))::int as taken,
      min(at) as "firstAt", max(at) as "lastAt",
      array_agg(distinct kind order by kind) filter (where cardinality(contact_ids) = 1 or action <> 'viewed') as kinds
    from audit_log
    where ${await isAbout(scope.db, contactId)} and action in (${actions})
      ${before === undefined ? sql`` : sql`and at < ${beginningOf(before, zone).toISOString()}::timestamptz`}
    group by day, actor_id, actor_role
    order by day desc, "lastAt" desc
    limit ${maxLines + 1}`)
  await scope.recordView({ kind: 'audit-log', contactIds: [contactId] })
  const isWhole = rows.length <= maxLines
  // A day is shown as a whole, or on the next page.
  const last = rows.at(-1)?.day
  const shown = isWhole || rows[0]?.day === last ? rows : rows.filter(({ day }) => day !== last)
  return {
    data: shown.map(({ kinds, firstAt, lastAt, ...row }) => ({
      ...row,
      firstAt: new Date(firstAt),
      lastAt: new Date(lastAt),
      about: (kinds ?? []).map((kind) => aboutOf({ action: 'viewed', kind })),
    })),
    nextBefore: isWhole ? null : shown.at(-1)!.day,
  }
}
