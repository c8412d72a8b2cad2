import { or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { auditLog } from './table.ts'

/** An id under which the patient's data is in the log, between two entries; without bounds, in all entries. */
interface LoggedId {
  id: string
  fromEntry?: number
  toEntry?: number
}

/**
 * The ids under which a patient's data is in the log: the current id, the ids of patients merged into them and, for an undone merge, the id
 * of the patient who had their data in the meantime. Read from the log itself, because merges are deleted once they cannot be undone.
 */
async function findLoggedIds(db: Db, contactId: string): Promise<LoggedId[]> {
  const { rows } = await db.execute<{ id: string; from_entry: string | null; to_entry: string | null }>(sql`
    with recursive mine (id) as (
      select ${contactId}::uuid
      union
      select last.source from mine, lateral (
        select distinct on (contact_ids[2]) contact_ids[2] as source, action from audit_log
        where contact_ids[1] = mine.id and action <> 'viewed' and action in ('merged', 'unmerged') and kind = 'contact'
        order by contact_ids[2], id desc
      ) as last
      where last.action = 'merged' and last.source is not null
    ), ends as materialized (
      select id, contact_ids[1] as target, action from audit_log
      where contact_ids[2] = ${contactId}::uuid and action in ('merged', 'unmerged') and kind = 'contact'
    )
    select id, null as from_entry, null as to_entry from mine
    union all
    select target, began.id, ended.id
    from ends as began, lateral (select min(id) as id from ends where action = 'unmerged' and ends.target = began.target and ends.id > began.id) as ended
    where began.action = 'merged' and ended.id is not null`)
  return rows.map(({ id, from_entry, to_entry }) =>
    from_entry === null || to_entry === null ? { id } : { id, fromEntry: Number(from_entry), toEntry: Number(to_entry) },
  )
}

/** SQL condition: an entry concerns this patient. */
export async function concernsPatient(db: Db, contactId: string): Promise<SQL> {
  const ids = await findLoggedIds(db, contactId)
  const always = ids.filter(({ fromEntry }) => fromEntry === undefined).map(({ id }) => id)
  const betweenMerges = ids.filter(({ fromEntry }) => fromEntry !== undefined)
  return or(
    sql`${auditLog.contactIds} && ${sql.param(always)}::uuid[]`,
    ...betweenMerges.map(
      ({ id, fromEntry, toEntry }) =>
        sql`(${auditLog.contactIds} @> array[${id}::uuid] and ${auditLog.id} between ${fromEntry} and ${toEntry})`,
    ),
  )!
}

/** Whether the log says that one patient was merged into the other, or had their data in between. */
export const wereMerged = async (db: Db, contactId: string, otherId: string): Promise<boolean> =>
  (await findLoggedIds(db, contactId)).some(({ id }) => id === otherId)
