import { sql } from 'drizzle-orm'
import { countOf, overTime, percentOf, type ReportSql, sumOf } from './facts.ts'
import { leads } from './leads.ts'
import { revenue } from './revenue.ts'

const isLead = sql`part = 'lead'`
const isBooking = sql`part = 'lead' and is_booked`

/** Everyone who was referred, once: by the patient first recorded as their referrer, otherwise by the name on the record. */
const referred = sql`(
  select c.id, coalesce(first.key, '~' || fold(c.referred_by)) as key, coalesce(first.name, c.referred_by) as name,
    case when first.key is null then 'Practices and other people' else 'Patients' end as kind
  from contacts as c left join lateral (
    select referrer.id::text as key, referrer.first_name || ' ' || referrer.last_name as name
    from referrals as mine
    join referrals as theirs on theirs.referral_id = mine.referral_id and theirs.side = 'referrer' and theirs.contact_id <> c.id
    join contacts as referrer on referrer.id = theirs.contact_id
    where mine.contact_id = c.id and mine.side = 'referred'
    order by mine.created_at, mine.id limit 1
  ) as first on true
  where c.referred_by is not null or first.key is not null)`

/** The leads of the leads report and the receipts of the revenue report, of patients who were referred. */
export const referrals: ReportSql<'referrals'> = {
  facts: (asked) => sql`
    select fact.*, referred.key as referrer, referred.name as spelled, referred.kind as referred_by from (
      select kind, id, contact_id, at, what, amount, unit, 'lead' as part, is_booked from (${leads.facts(asked)}) as lead
      union all
      select kind, id, contact_id, at, what, amount, unit, 'receipt', false from (${revenue.facts(asked)}) as receipt
    ) as fact join ${referred} as referred on referred.id = fact.contact_id`,
  measures: {
    leads: countOf(isLead),
    booked: countOf(isBooking),
    rate: percentOf(isBooking, isLead),
    net: sumOf(sql`amount`, sql`part = 'receipt'`),
  },
  breakdowns: {
    referrer: { key: sql`referrer`, names: 'freeText', words: sql`spelled` },
    kind: { key: sql`referred_by`, names: 'text', all: ['Patients', 'Practices and other people'] },
    month: overTime('month'),
  },
}
