import { eq, sql } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { beginningOf } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { formatAbout } from './read.ts'
import { type AuditEntry, viewActions } from '../../kernel/audit/rules.ts'
import { concernsPatient } from '../../platform/audit/service.ts'

type Row = {
  /** The number of rows from this page on. */
  all: number
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

type SeenPage = { contactId: string; cursor?: string | undefined; limit: number }

/**
 * Who viewed a patient's data, including data of patients merged into them: a row per person and day in the practice's time zone, newest
 * first. A page has as many whole days before `cursor` as fit into `limit` rows, and at least one day. Null if there is no such patient.
 */
export async function listViews(scope: Scope, { contactId, cursor, limit }: SeenPage) {
  const [contact] = await scope.db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const zone = scope.env.PRACTICE_TIME_ZONE
  const actions = sql.join(
    viewActions.map((action) => sql`${action}`),
    sql`, `,
  )
  const { rows } = await scope.recentDb.execute<Row>(sql`
    with lines as (
      select to_char(at at time zone ${zone}, 'YYYY-MM-DD') as day, actor_id as by, actor_role as "byRole",
        coalesce((select full_name from profiles where id = actor_id), (select name from api_keys where id = actor_id)) as "byName",
        (count(*) filter (where action = 'viewed' and cardinality(contact_ids) = 1))::int as opened,
        (count(*) filter (where action = 'viewed' and cardinality(contact_ids) > 1))::int as listed,
        (count(*) filter (where action <> 'viewed'))::int as taken,
        min(at) as "firstAt", max(at) as "lastAt",
        array_agg(distinct kind order by kind) filter (where cardinality(contact_ids) = 1 or action <> 'viewed') as kinds
      from audit_log
      where ${await concernsPatient(scope.db, contactId)} and action in (${actions})
        ${cursor === undefined ? sql`` : sql`and at < ${beginningOf(cursor, zone).toISOString()}::timestamptz`}
      group by day, actor_id, actor_role
    ), counted as (
      select *, rank() over (order by day desc) as first, count(*) over (order by day desc) as through, (count(*) over ())::int as all from lines
    )
    select * from counted where first = 1 or through <= ${limit} order by day desc, "lastAt" desc`)
  await scope.recordView({ kind: 'audit-log', contactIds: [contactId] })
  return {
    data: rows.map(({ kinds, firstAt, lastAt, ...row }) => ({
      ...row,
      firstAt: new Date(firstAt),
      lastAt: new Date(lastAt),
      about: (kinds ?? []).map((kind) => formatAbout({ action: 'viewed', kind })),
    })),
    nextCursor: rows.length < (rows[0]?.all ?? 0) ? rows.at(-1)!.day : null,
  }
}
