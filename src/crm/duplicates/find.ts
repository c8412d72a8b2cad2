import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'

/** A clinic's own number, entered for thousands, makes no thousands of pairs. */
const maxPerReason = 20

/** How much speaks for a pair: an email outweighs a phone, and both together outweigh any name. */
export const weightOf = { email: 4, phone: 2, name: 1 } as const

export const weightSql = (reasons: SQL): SQL =>
  sql`(${sql.join(
    Object.entries(weightOf).map(
      ([reason, weight]) => sql`(${sql.raw(`'${reason}'`)} = any(${reasons}))::int * ${sql.raw(String(weight))}`,
    ),
    sql` + `,
  )})`

/** Whom someone may be the same as, by each reason: one statement per index. `who` has the columns of contacts that are compared. */
export const likenesses = (who: SQL): SQL => sql`
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

/** Names alone make noise: the city or the procedure has to be the same as well. */
const byName = (who: SQL): SQL => sql`
  (select id, 'name' from contacts as namesake
    where contact_name_key(namesake.first_name, namesake.last_name) = contact_name_key(${who}.first_name, ${who}.last_name)
      and similarity(fold(namesake.first_name), fold(${who}.first_name)) >= 0.4
      and (fold(namesake.city) = fold(${who}.city) or namesake.procedure_of_interest = ${who}.procedure_of_interest)
    limit ${maxPerReason})`

/** Looks for the pairs of these contacts again. What was said of a pair stays; a pair that nothing speaks for any more goes. */
async function findPairs(tx: Db, ids: readonly string[]): Promise<void> {
  const asked = sql`${sql.param([...ids])}::uuid[]`
  await tx.execute(sql`
    with found as (
      select least(who.id, alike.id) as first_id, greatest(who.id, alike.id) as second_id, array_agg(distinct alike.reason) as reasons
      from contacts as who cross join lateral (${likenesses(sql`who`)} union all ${byName(sql`who`)}) as alike
      where who.id = any(${asked}) and alike.id <> who.id
      group by 1, 2
    ), gone as (
      delete from duplicate_pairs as pair
      where (first_id = any(${asked}) or second_id = any(${asked})) and dismissed_at is null
        and not exists (select 1 from found where found.first_id = pair.first_id and found.second_id = pair.second_id)
    )
    insert into duplicate_pairs as pair (first_id, second_id, reasons, weight)
    select first_id, second_id, reasons,
      ${weightSql(sql`reasons`)}
    from found order by 1, 2
    on conflict (first_id, second_id) do update set reasons = excluded.reasons, weight = excluded.weight`)
}

/** Only one looks at a time. */
export const findLock = 6_402_113

/**
 * Looks for the pairs of the contacts that wait, at most `max`, the latest first, and returns how many there were. What is taken here and not
 * committed waits on, so a process that dies has lost nothing. `elsewhere`: while someone else looks, the job leaves it to them; the queue
 * waits for their batch, because it could not show what they have not committed.
 */
export async function checkWaiting(db: Db, max: number, elsewhere: 'leave' | 'wait' = 'leave'): Promise<number> {
  return db.transaction(async (tx) => {
    if (elsewhere === 'wait') await tx.execute(sql`select pg_advisory_xact_lock(${findLock})`)
    else {
      const { rows: locks } = await tx.execute<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${findLock}) as mine`)
      if (!locks[0]!.mine) return 0
    }
    const { rows } = await tx.execute<{ id: string }>(sql`
      delete from duplicate_checks where id in (select id from duplicate_checks order by id desc limit ${max}) returning patient_id as id`)
    if (rows.length > 0) await findPairs(tx, [...new Set(rows.map(({ id }) => id))])
    return rows.length
  })
}
