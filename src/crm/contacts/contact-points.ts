import { asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference } from '../../kernel/refusal.ts'
import { contactMessages } from './contract.ts'
import { allOf, listsTwice, type Points, settled } from './rules.ts'
import { contacts } from './table.ts'

type Row = typeof contacts.$inferSelect
type Addresses = Pick<Row, 'email' | 'otherEmails' | 'phone' | 'otherPhones'>

const textArray = (values: readonly string[]) => sql`${sql.param([...values])}::text[]`

/**
 * Everyone who gives a contact one of these emails waits here for one another, so that an address is added once. To be called before rows
 * of contacts are locked; the locks are taken in one order, so that two who want several never wait for each other.
 */
export async function lockEmails(tx: Db, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return
  await tx.execute(sql`
    select pg_advisory_xact_lock(key)
    from (select distinct hashtextextended(lower(email), 0) as key from unnest(${textArray(emails)}) as email order by key) as keys`)
}

/** Whether a contact has this email, in any case, as the primary or as another one. */
export const hasEmail = (email: string): SQL =>
  sql`(lower(${contacts.email}) = lower(${email}) or (${contacts.otherEmails} <> '{}' and lower_all(${contacts.otherEmails}) @> array[lower(${email})]))`

/** Of several who have this email, whose primary one it is comes first, then the oldest. */
export const firstByEmail = (email: string): SQL[] => [sql`(lower(${contacts.email}) = lower(${email})) is not true`, asc(contacts.seq)]

/** The contact with this email in any case, whichever of the contact's addresses it is (spec 5: an existing contact is matched by email). */
export async function findByEmail(tx: Db, email: string): Promise<Row | null> {
  const [row] = await tx
    .select()
    .from(contacts)
    .where(hasEmail(email))
    .orderBy(...firstByEmail(email))
    .limit(1)
  return row ?? null
}

/** Everyone who has this email, as far as it matters: more than one is too many. */
export const contactsByEmail = (tx: Db, email: string): Promise<{ id: string }[]> =>
  tx.select({ id: contacts.id }).from(contacts).where(hasEmail(email)).limit(2)

/** Of these emails, those that someone has, each with whose it is (as findByEmail finds it). */
export async function contactsWithEmails(tx: Db, emails: readonly string[]) {
  if (emails.length === 0) return []
  const { rows } = await tx.execute<{ email: string; contact: { id: string; firstName: string; lastName: string } }>(sql`
    select given.email, jsonb_build_object('id', theirs.id, 'firstName', theirs.first_name, 'lastName', theirs.last_name) as contact
    from unnest(${textArray(emails)}) with ordinality as given (email, n)
    join lateral (
      select id, first_name, last_name from contacts
      where lower(email) = lower(given.email) or (other_emails <> '{}' and lower_all(other_emails) @> array[lower(given.email)])
      order by (lower(email) = lower(given.email)) is not true, seq limit 1
    ) as theirs on true
    order by given.n`)
  return rows
}

/** The emails of a contact, the primary one first. Null: there is no such contact. */
export async function emailsOf(tx: Db, contactId: string): Promise<string[] | null> {
  const [row] = await tx.select({ primary: contacts.email, others: contacts.otherEmails }).from(contacts).where(eq(contacts.id, contactId))
  return row ? allOf(row) : null
}

/** `findByEmail` with the row locked. What was changed, merged or deleted while we waited for it is looked for again. */
export async function lockByEmail(tx: Db, email: string): Promise<Row | null> {
  const found = await findByEmail(tx, email)
  if (!found) return null
  const [row] = await tx.select().from(contacts).where(eq(contacts.id, found.id)).for('update')
  return row?.version === found.version ? row : lockByEmail(tx, email)
}

const none: Addresses = { email: null, otherEmails: [], phone: null, otherPhones: [] }

/**
 * The emails and phones of a contact once `given` is written over `before`: anyone who has any has a primary one. What would be listed twice is
 * refused by its field: emails are the same in any case, phones when they are the same in E.164.
 */
export async function settleAddresses(tx: Db, before: Addresses | null, given: Partial<Addresses>) {
  if (!(Object.keys(none) as (keyof Addresses)[]).some((field) => given[field] !== undefined)) return {}
  const { email, otherEmails, phone, otherPhones } = { ...none, ...before, ...given }
  const emails = settled({ primary: email, others: otherEmails })
  const phones = settled({ primary: phone, others: otherPhones })
  const invalid: Record<string, string> = {}
  if ((given.email !== undefined || given.otherEmails) && listsTwice(allOf(emails).map((one) => one.toLowerCase())))
    invalid[given.otherEmails ? 'otherEmails' : 'email'] = contactMessages.emailTwice
  if ((given.phone !== undefined || given.otherPhones) && phones.others.length > 0 && listsTwice(await numbersOf(tx, allOf(phones))))
    invalid[given.otherPhones ? 'otherPhones' : 'phone'] = contactMessages.phoneTwice
  if (Object.keys(invalid).length > 0) return invalidReference(invalid)
  return { email: emails.primary, otherEmails: emails.others, phone: phones.primary, otherPhones: phones.others }
}

/** Of two who are one: whose primary ones are used, and whether the second's are kept besides. */
export type Union = { email: 'first' | 'second'; phone: 'first' | 'second'; keep: boolean }

/** The emails and phones of two contacts who turn out to be one, each listed once. Nothing that the first has is lost but a primary one that the second's replaces. */
export async function unitedAddresses(tx: Db, first: Addresses, second: Addresses, { email, phone, keep }: Union): Promise<Addresses> {
  const unite = (side: 'first' | 'second', one: Points, other: Points) =>
    keep
      ? [...allOf({ primary: (side === 'first' ? one : other).primary, others: [] }), ...allOf(one), ...allOf(other)]
      : allOf({ primary: (side === 'first' ? one : other).primary, others: one.others })
  const emails = unite(email, { primary: first.email, others: first.otherEmails }, { primary: second.email, others: second.otherEmails })
  const phones = unite(phone, { primary: first.phone, others: first.otherPhones }, { primary: second.phone, others: second.otherPhones })
  const once = (values: readonly string[], keys: readonly string[]) => values.filter((_, i) => keys.indexOf(keys[i]!) === i)
  const { primary: mail, others: otherEmails } = settled({
    primary: null,
    others: once(
      emails,
      emails.map((one) => one.toLowerCase()),
    ),
  })
  const { primary: number, others: otherPhones } = settled({ primary: null, others: once(phones, await numbersOf(tx, phones)) })
  return { email: mail, otherEmails, phone: number, otherPhones }
}

/** Each phone in E.164, or as it stands where it is no whole number. */
async function numbersOf(tx: Db, phones: readonly string[]): Promise<string[]> {
  const { rows } = await tx.execute<{ number: string }>(
    sql`select coalesce(phone_e164(phone), lower(phone)) as number from unnest(${textArray(phones)}) as phone`,
  )
  return rows.map(({ number }) => number)
}
