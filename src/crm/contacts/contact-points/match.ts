import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'

/** A person who may already be a patient. */
export type PersonToMatch = { email: string | null; phone: string | null; firstName: string }
/** `sameName`: the first names are equal except for case and accents. For a match by phone it tells the patient from family members. */
export type Match = { contactId: string; by: 'email' | 'phone'; sameName: boolean }

/**
 * Matches each person to a patient by email in any case, else by phone number in any format. Prefers a primary email or phone, then the
 * oldest patient.
 */
export async function matchContacts(db: Db, people: readonly PersonToMatch[]): Promise<(Match | null)[]> {
  const column = (pick: (person: PersonToMatch) => string | null) => sql`${sql.param(people.map(pick))}::text[]`
  // `seq + 0` keeps the planner from scanning the index on seq until it finds a match.
  const oldest = sql`order by place, contacts.seq + 0 limit 1`
  const { rows } = await db.execute<{ place: string; id: string; by: 'email' | 'phone'; same_name: boolean }>(sql`
    select person.place, coalesce(mail.id, call.id) as id, case when mail.id is null then 'phone' else 'email' end as by,
      fold(coalesce(mail.first_name, call.first_name)) = fold(person.first_name) as same_name
    from unnest(${column(({ email }) => email)}, ${column(({ phone }) => phone)}, ${column(({ firstName }) => firstName)})
      with ordinality as person(email, phone, first_name, place)
    left join lateral (
      select id, first_name from (
        select 1 as place, id, first_name, seq from contacts where lower(email) = lower(person.email)
        union all
        select 2, id, first_name, seq from contacts where other_emails <> '{}' and lower_all(other_emails) @> array[lower(person.email)]
      ) as contacts ${oldest}
    ) as mail on true
    left join lateral (
      select id, first_name from (
        select 1 as place, id, first_name, seq from contacts where mail.id is null and phone_e164(phone) = phone_e164(person.phone)
        union all
        select 2, id, first_name, seq from contacts
        where mail.id is null and other_phones <> '{}' and phones_e164(other_phones) @> array[phone_e164(person.phone)]
      ) as contacts ${oldest}
    ) as call on true
    where mail.id is not null or call.id is not null`)
  const found = new Map(rows.map(({ place, id, by, same_name }) => [Number(place), { contactId: id, by, sameName: same_name }]))
  return people.map((_, i) => found.get(i + 1) ?? null)
}

type Owner = { id: string; firstName: string; lastName: string }
export type Owners = { byId: Map<string, Owner[]>; byEmail: Map<string, Owner[]>; byPhone: Map<string, Owner[]> }

/** All patients with a phone number, in any format: families share one. The oldest patient first. @param number E.164 */
export async function patientsWithPhone(db: Db, number: string): Promise<Owner[]> {
  const owners = (await ownersOf(db, { ids: [], emails: [], phones: [number] })).byPhone.get(number) ?? []
  return owners.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** Beyond this many owners of one number, more add no information. */
const maxOwners = 1_000

/** The patients with any of these ids, emails (in any case) or phone numbers (in any format), primary or other, by the given value. */
export async function ownersOf(
  db: Db,
  given: { ids: readonly string[]; emails: readonly string[]; phones: readonly string[] },
): Promise<Owners> {
  const list = (texts: readonly string[]) => sql.param([...new Set(texts)])
  const columns = sql`contacts.id, contacts.first_name, contacts.last_name`
  const owned = (where: SQL) => sql`(select ${columns} from contacts where ${where} limit ${maxOwners})`
  const { rows } = await db.execute<{ by: 'id' | 'email' | 'phone'; given: string; id: string; first_name: string; last_name: string }>(sql`
    select 'id' as by, given, ${columns} from unnest(${list(given.ids)}::text[]) as given join contacts on contacts.id = given::uuid
    union all
    select 'email', given, owner.* from unnest(${list(given.emails)}::text[]) as given cross join lateral (
      ${owned(sql`lower(email) = lower(given)`)} union ${owned(sql`other_emails <> '{}' and lower_all(other_emails) @> array[lower(given)]`)}
    ) as owner
    union all
    select 'phone', given, owner.* from unnest(${list(given.phones)}::text[]) as given cross join lateral (
      ${owned(sql`phone_e164(phone) = phone_e164(given)`)} union ${owned(sql`other_phones <> '{}' and phones_e164(other_phones) @> array[phone_e164(given)]`)}
    ) as owner`)
  const of = (by: (typeof rows)[number]['by']) => {
    const owners = new Map<string, Owner[]>()
    for (const row of rows) {
      if (row.by !== by) continue
      const known = owners.get(row.given) ?? []
      owners.set(row.given, [...known, { id: row.id, firstName: row.first_name, lastName: row.last_name }])
    }
    return owners
  }
  return { byId: of('id'), byEmail: of('email'), byPhone: of('phone') }
}
