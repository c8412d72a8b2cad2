import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { DuplicateReason } from './contract.ts'

/** Limits the matches per reason, so that a clinic's own number on thousands of patients does not create thousands of pairs. */
const maxPerReason = 20

/** The weight of each reason: an email outweighs a phone and a name together, and so do a name and a birth date. */
export const weightOf = { email: 4, birthDate: 3, phone: 2, name: 1 } as const satisfies Record<DuplicateReason, number>

export const weightSql = (reasons: SQL): SQL =>
  sql`(${sql.join(
    Object.entries(weightOf).map(
      ([reason, weight]) => sql`(${sql.raw(`'${reason}'`)} = any(${reasons}))::int * ${sql.raw(String(weight))}`,
    ),
    sql` + `,
  )})`

/** A query for patients who share an email or a phone with `who`, which has the compared columns of contacts. One subquery per index. */
export const contactMatches = (who: SQL): SQL => sql`
  (select id, 'email' as reason from contacts
    where lower(email) = any(array_remove(lower_all(array_prepend(${who}.email, ${who}.other_emails)), null::text)) limit ${maxPerReason})
  union all
  (select id, 'email' from contacts
    where other_emails <> '{}' and lower_all(other_emails) && array_remove(lower_all(array_prepend(${who}.email, ${who}.other_emails)), null::text)
    limit ${maxPerReason})
  union all
  (select id, 'phone' from contacts
    where phone_e164(phone) = any(phones_e164(array_prepend(${who}.phone, ${who}.other_phones))) limit ${maxPerReason})
  union all
  (select id, 'phone' from contacts
    where other_phones <> '{}' and phones_e164(other_phones) && phones_e164(array_prepend(${who}.phone, ${who}.other_phones))
    limit ${maxPerReason})`

/**
 * Matches by name. Names alone give too many false matches, so the birth date must match too, or, where it is not known, the city or the
 * procedure. Namesakes with different birth dates are two people.
 */
const nameMatches = (who: SQL): SQL => {
  const isNamesake = sql`
    contact_name_key(namesake.first_name, namesake.last_name) = contact_name_key(${who}.first_name, ${who}.last_name)
      and similarity(fold(namesake.first_name), fold(${who}.first_name)) >= 0.4`
  return sql`
  (select id, unnest(array['name', 'birthDate']) from contacts as namesake
    where ${isNamesake} and namesake.date_of_birth = ${who}.date_of_birth limit ${2 * maxPerReason})
  union all
  (select id, 'name' from contacts as namesake
    where ${isNamesake} and (namesake.date_of_birth = ${who}.date_of_birth) is null
      and (fold(namesake.city) = fold(${who}.city) or namesake.procedure_of_interest = ${who}.procedure_of_interest)
    limit ${maxPerReason})`
}

/** Recomputes the pairs of these contacts. Dismissed pairs are kept; other pairs that no longer match are deleted. */
async function findPairs(tx: Db, ids: readonly string[]): Promise<void> {
  const contactIds = sql`${sql.param([...ids])}::uuid[]`
  await tx.execute(sql`
    with found as (
      select least(who.id, alike.id) as first_id, greatest(who.id, alike.id) as second_id, array_agg(distinct alike.reason) as reasons
      from contacts as who cross join lateral (${contactMatches(sql`who`)} union all ${nameMatches(sql`who`)}) as alike
      where who.id = any(${contactIds}) and alike.id <> who.id
      group by 1, 2
    ), gone as (
      delete from duplicate_pairs as pair
      where (first_id = any(${contactIds}) or second_id = any(${contactIds})) and dismissed_at is null
        and not exists (select 1 from found where found.first_id = pair.first_id and found.second_id = pair.second_id)
    )
    insert into duplicate_pairs as pair (first_id, second_id, reasons, weight)
    select first_id, second_id, array_remove(reasons, 'birthDate'), ${weightSql(sql`reasons`)}
    from found order by 1, 2
    on conflict (first_id, second_id) do update set reasons = excluded.reasons, weight = excluded.weight`)
}

/** The advisory lock that allows one search at a time. */
export const findLock = 6_402_113

/**
 * Searches for pairs of the queued contacts, at most `max`, newest first, and returns how many were processed. Uncommitted work stays
 * queued, so a process that dies loses nothing. `ifLocked`: while another process searches, the job leaves the work to it; the queue page
 * waits for its batch, because it could not show uncommitted pairs.
 */
export async function processQueue(db: Db, max: number, ifLocked: 'leave' | 'wait' = 'leave'): Promise<number> {
  return db.transaction(async (tx) => {
    if (ifLocked === 'wait') await tx.execute(sql`select pg_advisory_xact_lock(${findLock})`)
    else {
      const { rows: locks } = await tx.execute<{ acquired: boolean }>(sql`select pg_try_advisory_xact_lock(${findLock}) as acquired`)
      if (!locks[0]!.acquired) return 0
    }
    const { rows } = await tx.execute<{ id: string }>(sql`
      delete from duplicate_checks where id in (select id from duplicate_checks order by id desc limit ${max}) returning patient_id as id`)
    if (rows.length > 0) await findPairs(tx, [...new Set(rows.map(({ id }) => id))])
    return rows.length
  })
}
