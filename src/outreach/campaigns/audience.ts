import { type SQL, sql } from 'drizzle-orm'
import { consenting } from '../../crm/consent/service.ts'
import { matchingContacts } from '../../crm/contacts/service.ts'
import type { ContactFilters } from '../../crm/contacts/list-contract.ts'
import type { Scope } from '../../kernel/scope.ts'
import { capped } from '../frequency.ts'

/**
 * The patients of a filter, each with their address, language and the first reason why they are not sent a campaign now, or null. The check before
 * the start, its file and the start itself read this one statement, so they agree. Of several patients with one address, the one who was added
 * first is sent it.
 */
export async function audienceOf(scope: Scope, audience: Pick<ContactFilters, 'search' | 'filter'>): Promise<SQL> {
  const ids = await matchingContacts(scope, audience)
  return sql`
    with listed as materialized (${ids}),
    judged as (
      select contacts.id as contact_id, contacts.seq, lower(btrim(contacts.email)) as address,
        case when contacts.preferred_language = 'fr' then 'fr' else 'en' end as language,
        case
          when coalesce(btrim(contacts.email), '') = '' then 'no_address'
          when suppressed.reason = 'complaint' then 'complaint'
          when suppressed.unsubscribed_at is not null then 'unsubscribed'
          when suppressed.address is not null then 'bounced'
          when consent.contact_id is null then 'no_consent'
          when held.contact_id is not null then 'frequency'
        end as refusal
      from listed join contacts on contacts.id = listed.id
      left join suppressed_addresses as suppressed on suppressed.address = lower(btrim(contacts.email))
      left join (${consenting(scope, 'email', sql`select id from listed`)}) as consent on consent.contact_id = contacts.id
      left join (${capped(scope, sql`select id from listed`)}) as held on held.contact_id = contacts.id
    )
    select contact_id, seq, address, language,
      case
        when refusal is not null then refusal
        when row_number() over (partition by address, refusal is null order by seq) > 1 then 'same_address'
      end as refusal
    from judged`
}
