import { setImmediate } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { consenting } from '../../crm/consent/service.ts'
import { matchingContacts } from '../../crm/contacts/service.ts'
import type { Scope } from '../../kernel/scope.ts'
import { valuesOfContacts } from '../../messages/email-templates/service.ts'
import { textable } from '../../messages/inbox/service.ts'
import type { Language } from '../../shared/translations.ts'
import { capped } from '../frequency.ts'
import { currentContents, hasGap, variablesOf } from './content.ts'
import type { campaigns } from './table.ts'

type Campaign = Pick<typeof campaigns.$inferSelect, 'channel' | 'audience' | 'templateId' | 'templateBId' | 'contents'>

/**
 * The patients of a filter, each with their address or number, language and the first reason why they are not sent a campaign now, or null. The
 * check before the start, its file and the start itself read this one statement, so they agree. Of several patients with one address, the one who
 * was added first is sent it.
 */
export const audienceOf = async (scope: Scope, campaign: Campaign): Promise<SQL> =>
  judge(scope, campaign, await matchingContacts(scope, campaign.audience))

/** The same for these patients. `ids`: a subquery. */
export async function judge(scope: Scope, campaign: Campaign, ids: SQL): Promise<SQL> {
  const { channel } = campaign
  const gaps = await withGap(scope, campaign, ids)
  const reached = channel === 'email' ? reachedByEmail : await reachedByText(scope, ids)
  return sql`
    with listed as materialized (${ids}),
    reached as materialized (${reached}),
    judged as (
      select contacts.id as contact_id, contacts.seq, reached.address,
        case when contacts.preferred_language = 'fr' then 'fr' else 'en' end as language,
        case
          when reached.refusal is not null then reached.refusal
          when consent.contact_id is null then 'no_consent'
          when held.contact_id is not null then 'frequency'
          when gap.contact_id is not null then 'missing_value'
        end as refusal
      from reached join contacts on contacts.id = reached.contact_id
      left join (${consenting(scope, channel, sql`select id from listed`)}) as consent on consent.contact_id = contacts.id
      left join (${capped(scope, sql`select id from listed`)}) as held on held.contact_id = contacts.id
      left join (select value::uuid as contact_id from json_array_elements_text(${JSON.stringify(gaps)}::json)) as gap on gap.contact_id = contacts.id
    )
    select contact_id, seq, address, language,
      case
        when refusal is not null then refusal
        when row_number() over (partition by address, refusal is null order by seq) > 1 then 'same_address'
      end as refusal
    from judged`
}

/** Each patient's first email address, and why it gets no commercial email. */
const reachedByEmail = sql`
  select contacts.id as contact_id, lower(btrim(contacts.email)) as address,
    case
      when coalesce(btrim(contacts.email), '') = '' then 'no_address'
      when suppressed.reason = 'complaint' then 'complaint'
      when suppressed.unsubscribed_at is not null then 'unsubscribed'
      when suppressed.address is not null then 'bounced'
    end as refusal
  from listed join contacts on contacts.id = listed.id
  left join suppressed_addresses as suppressed on suppressed.address = lower(btrim(contacts.email))`

/** Patients who are read at once; then other work has its turn, since a number takes the processor some microseconds. */
const readAtOnce = 500

/** The patients for whom a message in their language would have a gap, of A or of B, since a test compares the same patients. */
async function withGap({ db, env }: Scope, campaign: Campaign, ids: SQL): Promise<string[]> {
  const { variants } = await currentContents(db, campaign)
  const contents = Object.values(variants)
  const needed = {
    en: [...new Set(contents.flatMap(({ en }) => variablesOf(en)))],
    fr: [...new Set(contents.flatMap(({ fr }) => variablesOf(fr)))],
  }
  if (needed.en.length + needed.fr.length === 0) return []
  const { rows } = await db.execute<{ id: string; language: Language }>(
    sql`select id, case when preferred_language = 'fr' then 'fr' else 'en' end as language from contacts where id in (${ids})`,
  )
  const found: string[] = []
  for (let from = 0; from < rows.length; from += readAtOnce) {
    const languages = new Map(rows.slice(from, from + readAtOnce).map(({ id, language }) => [id, language]))
    for (const [id, values] of await valuesOfContacts(db, env, languages)) if (hasGap(needed[languages.get(id)!], values)) found.push(id)
  }
  return found
}

/** Each patient's best number, as `chooseRecipient` chooses it for one, and why it gets no commercial texts. */
async function reachedByText({ db, env }: Scope, ids: SQL): Promise<SQL> {
  const { rows } = await db.execute<{ id: string; phone: string | null; others: string[] }>(
    sql`select id, phone, other_phones as others from contacts where id in (${ids}) and (phone is not null or other_phones <> '{}')`,
  )
  const numbers: { contact_id: string; address: string; place: number }[] = []
  for (const [index, { id, phone, others }] of rows.entries()) {
    if (index % readAtOnce === 0) await setImmediate()
    const listed = phone === null ? others : [phone, ...others]
    numbers.push(...textable(listed, env).map((address, place) => ({ contact_id: id, address, place })))
  }
  return sql`
    select distinct on (listed.id) listed.id as contact_id, number.address,
      case
        when number.address is null then 'no_number'
        when suppressed.reason = 'stopped' then 'stopped'
        when suppressed.reason is not null then 'no_number'
        when suppressed.address is not null then 'unsubscribed'
      end as refusal
    from listed
    left join json_to_recordset(${JSON.stringify(numbers)}::json) as number(contact_id uuid, address text, place int) on number.contact_id = listed.id
    left join suppressed_addresses as suppressed on suppressed.address = number.address
    order by listed.id, suppressed.address is not null, suppressed.reason is distinct from 'stopped', number.place`
}
