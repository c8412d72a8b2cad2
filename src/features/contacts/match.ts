import { sql } from 'drizzle-orm'
import type { Db } from '../../server/database.ts'

/** Somebody who may be a patient already. */
export type Stranger = { email: string | null; phone: string | null; firstName: string }
/** `sameName`: the first names agree, case and accents aside. Of a phone alone it tells a patient from their family. */
export type Match = { contactId: string; by: 'email' | 'phone'; sameName: boolean }

/**
 * The patients whom these people are: who has the e-mail in any case, else the phone number however it is written; as the primary one before
 * as another one, and of several the oldest.
 */
export async function matchContacts(db: Db, strangers: readonly Stranger[]): Promise<(Match | null)[]> {
  const column = (pick: (stranger: Stranger) => string | null) => sql`${sql.param(strangers.map(pick))}::text[]`
  // `seq + 0` keeps the planner from walking the index of seq until a match comes by.
  const oldest = sql`order by place, contacts.seq + 0 limit 1`
  const { rows } = await db.execute<{ place: string; id: string; by: 'email' | 'phone'; same_name: boolean }>(sql`
    select stranger.place, coalesce(mail.id, call.id) as id, case when mail.id is null then 'phone' else 'email' end as by,
      fold(coalesce(mail.first_name, call.first_name)) = fold(stranger.first_name) as same_name
    from unnest(${column(({ email }) => email)}, ${column(({ phone }) => phone)}, ${column(({ firstName }) => firstName)})
      with ordinality as stranger(email, phone, first_name, place)
    left join lateral (
      select id, first_name from (
        select 1 as place, id, first_name, seq from contacts where lower(email) = lower(stranger.email)
        union all
        select 2, id, first_name, seq from contacts where other_emails <> '{}' and lower_all(other_emails) @> array[lower(stranger.email)]
      ) as contacts ${oldest}
    ) as mail on true
    left join lateral (
      select id, first_name from (
        select 1 as place, id, first_name, seq from contacts where mail.id is null and phone_e164(phone) = phone_e164(stranger.phone)
        union all
        select 2, id, first_name, seq from contacts
        where mail.id is null and other_phones <> '{}' and phones_e164(other_phones) @> array[phone_e164(stranger.phone)]
      ) as contacts ${oldest}
    ) as call on true
    where mail.id is not null or call.id is not null`)
  const found = new Map(rows.map(({ place, id, by, same_name }) => [Number(place), { contactId: id, by, sameName: same_name }]))
  return strangers.map((_, i) => found.get(i + 1) ?? null)
}
