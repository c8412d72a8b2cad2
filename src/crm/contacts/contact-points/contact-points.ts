import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { invalidReference } from '../../../kernel/refusal.ts'
import { type Language, toLanguage } from '../../../shared/translations.ts'
import { contactMessages } from '../contact-contract.ts'
import { allOf, listsTwice, type Points, withPrimary } from '../rules.ts'
import { contacts } from '../table.ts'

type Row = typeof contacts.$inferSelect
type Addresses = Pick<Row, 'email' | 'otherEmails' | 'phone' | 'otherPhones'>

const textArray = (values: readonly string[]) => sql`${sql.param([...values])}::text[]`

/**
 * Serializes transactions that give a contact one of these emails, so that an email is added once. Call it before locking contact rows;
 * locks are taken in a fixed order to avoid deadlocks.
 */
export async function lockEmails(tx: Db, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return
  await tx.execute(sql`
    select pg_advisory_xact_lock(key)
    from (select distinct hashtextextended(lower(email), 0) as key from unnest(${textArray(emails)}) as email order by key) as keys`)
}

/** Whether a contact has this email, in any case, as primary or other. */
export const hasEmail = (email: string): SQL =>
  sql`(lower(${contacts.email}) = lower(${email}) or (${contacts.otherEmails} <> '{}' and lower_all(${contacts.otherEmails}) @> array[lower(${email})]))`

/** Orders contacts with this email: those with it as primary first, then the oldest. */
export const firstByEmail = (email: string): SQL[] => [sql`(lower(${contacts.email}) = lower(${email})) is not true`, asc(contacts.seq)]

/** The contact with this email in any case, primary or other (spec 5: an existing contact is matched by email). */
export async function findByEmail(tx: Db, email: string): Promise<Row | null> {
  const [row] = await tx
    .select()
    .from(contacts)
    .where(hasEmail(email))
    .orderBy(...firstByEmail(email))
    .limit(1)
  return row ?? null
}

/** Up to two contacts with this email: callers only need to know whether it is unique. */
export const contactsByEmail = (tx: Db, email: string): Promise<{ id: string }[]> =>
  tx.select({ id: contacts.id }).from(contacts).where(hasEmail(email)).limit(2)

/** The emails among these that a contact has, each with the contact that findByEmail finds. */
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

/** The emails of a contact, primary first, or null for an unknown contact. */
export async function emailsOf(tx: Db, contactId: string): Promise<string[] | null> {
  const [row] = await tx.select({ primary: contacts.email, others: contacts.otherEmails }).from(contacts).where(eq(contacts.id, contactId))
  return row ? allOf(row) : null
}

/** The phones of a contact as stored, primary first, or null for an unknown contact. */
export async function phonesOf(tx: Db, contactId: string): Promise<string[] | null> {
  const [row] = await tx.select({ primary: contacts.phone, others: contacts.otherPhones }).from(contacts).where(eq(contacts.id, contactId))
  return row ? allOf(row) : null
}

/** The language that a patient prefers, for links: without one, a page follows the browser. */
export async function preferredLanguageOf(db: Db, contactId: string): Promise<Language | null> {
  const [row] = await db.select({ language: contacts.preferredLanguage }).from(contacts).where(eq(contacts.id, contactId))
  return toLanguage(row?.language)
}

/** The language of emails to a patient: the preferred one, English if there is none. */
export const languageOf = async (db: Db, contactId: string): Promise<Language> =>
  (await languagesOf(db, [contactId])).get(contactId) ?? 'en'

/** The same of several patients, by id; those who do not exist are left out. */
export async function languagesOf(db: Db, contactIds: readonly string[]): Promise<Map<string, Language>> {
  const { id, preferredLanguage } = contacts
  const rows = await db
    .select({ id, language: preferredLanguage })
    .from(contacts)
    .where(inArray(id, [...contactIds]))
  return new Map(rows.map((row) => [row.id, toLanguage(row.language) ?? 'en']))
}

/** `findByEmail` with the row locked. Searches again if the row was changed, merged or deleted while waiting for the lock. */
export async function lockByEmail(tx: Db, email: string): Promise<Row | null> {
  const found = await findByEmail(tx, email)
  if (!found) return null
  const [row] = await tx.select().from(contacts).where(eq(contacts.id, found.id)).for('update')
  return row?.version === found.version ? row : lockByEmail(tx, email)
}

const none: Addresses = { email: null, otherEmails: [], phone: null, otherPhones: [] }

/**
 * The emails and phones of a contact after applying `given` to `before`, with the first one as primary if none is. Refuses duplicates by
 * field: emails are compared without case, phones in E.164.
 */
export async function resolveAddresses(tx: Db, before: Addresses | null, given: Partial<Addresses>) {
  if (!(Object.keys(none) as (keyof Addresses)[]).some((field) => given[field] !== undefined)) return {}
  const { email, otherEmails, phone, otherPhones } = { ...none, ...before, ...given }
  const emails = withPrimary({ primary: email, others: otherEmails })
  const phones = withPrimary({ primary: phone, others: otherPhones })
  const invalid: Record<string, string> = {}
  if ((given.email !== undefined || given.otherEmails) && listsTwice(allOf(emails).map((one) => one.toLowerCase())))
    invalid[given.otherEmails ? 'otherEmails' : 'email'] = contactMessages.emailTwice
  if ((given.phone !== undefined || given.otherPhones) && phones.others.length > 0 && listsTwice(await numbersOf(tx, allOf(phones))))
    invalid[given.otherPhones ? 'otherPhones' : 'phone'] = contactMessages.phoneTwice
  if (Object.keys(invalid).length > 0) return invalidReference(invalid)
  return { email: emails.primary, otherEmails: emails.others, phone: phones.primary, otherPhones: phones.others }
}

/** For a merge: which contact's primary email and phone to use, and whether to keep those of the second as others. */
export type Union = { email: 'first' | 'second'; phone: 'first' | 'second'; keep: boolean }

/**
 * The emails and phones of two merged contacts, without duplicates. The first keeps all of its own, except a primary that the second's
 * replaces.
 */
export async function unitedAddresses(tx: Db, first: Addresses, second: Addresses, { email, phone, keep }: Union): Promise<Addresses> {
  const unite = (side: 'first' | 'second', one: Points, other: Points) =>
    keep
      ? [...allOf({ primary: (side === 'first' ? one : other).primary, others: [] }), ...allOf(one), ...allOf(other)]
      : allOf({ primary: (side === 'first' ? one : other).primary, others: one.others })
  const emails = unite(email, { primary: first.email, others: first.otherEmails }, { primary: second.email, others: second.otherEmails })
  const phones = unite(phone, { primary: first.phone, others: first.otherPhones }, { primary: second.phone, others: second.otherPhones })
  const withoutDuplicates = (values: readonly string[], keys: readonly string[]) => values.filter((_, i) => keys.indexOf(keys[i]!) === i)
  const { primary: mail, others: otherEmails } = withPrimary({
    primary: null,
    others: withoutDuplicates(
      emails,
      emails.map((one) => one.toLowerCase()),
    ),
  })
  const { primary: number, others: otherPhones } = withPrimary({
    primary: null,
    others: withoutDuplicates(phones, await numbersOf(tx, phones)),
  })
  return { email: mail, otherEmails, phone: number, otherPhones }
}

/** Each phone in E.164, or unchanged in lower case if it is not a complete number. */
async function numbersOf(tx: Db, phones: readonly string[]): Promise<string[]> {
  const { rows } = await tx.execute<{ number: string }>(
    sql`select coalesce(phone_e164(phone), lower(phone)) as number from unnest(${textArray(phones)}) as phone`,
  )
  return rows.map(({ number }) => number)
}
