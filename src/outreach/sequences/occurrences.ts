import { type SQL, sql } from 'drizzle-orm'
import { dayAt } from '../../shared/zoned-time.ts'
import type { Trigger } from './definition-contract.ts'
import { day } from '../../shared/durations.ts'

/** Which events to look for: those after `since` and up to `until`, of these patients (a `uuid[]`) or of all. */
export interface Looked {
  since: Date
  until: Date
  contacts: SQL | null
}

/**
 * Selects the events that start a sequence: `contact_id`, `subject_id` (the appointment, surgery, quote or form; null: none) and `at`, when it
 * happened. An event is known by its patient and moment: a run that was started by a later one is not started by it.
 */
export function occurrencesOf(trigger: Trigger, { since, until, contacts }: Looked, timeZone: string): SQL {
  /** The column, so many days later, is in the period. The days are taken from the period, so that an index on the column can be used. */
  const within = (column: SQL, later = 0) => {
    const [from, to] = [since, until].map((at) => new Date(at.getTime() - later * day).toISOString())
    return sql`${column} > ${from}::timestamptz and ${column} <= ${to}::timestamptz`
  }
  const theirs = (column: SQL) => (contacts ? sql` and ${column} = any(${contacts})` : sql``)
  const now = sql`${until.toISOString()}::timestamptz`
  const span = (days: number) => sql`make_interval(hours => ${24 * days}::int)`
  const noSubject = sql`null::uuid as subject_id`
  /** The beginning of a day at the practice. */
  const beginning = (day: SQL) => sql`((${day})::timestamp at time zone ${timeZone})`
  switch (trigger.kind) {
    case 'lead':
      return sql`
        select contact_id, ${noSubject}, received_at as at from lead_entries
        where status = 'completed' and contact_id is not null and ${within(sql`received_at`)}${theirs(sql`contact_id`)}
        ${trigger.sourceIds.length > 0 ? sql`and source_id = any(${sql.param(trigger.sourceIds)}::uuid[])` : sql``}`
    case 'stage':
      return sql`
        select id as contact_id, ${noSubject}, stage_entered_at + ${span(trigger.days)} as at from contacts
        where funnel_stage = ${trigger.stageId}::uuid
          and ${within(sql`stage_entered_at`, trigger.days)}${theirs(sql`id`)}`
    case 'appointment-booked':
      return sql`
        select contact_id, id as subject_id, created_at as at from appointments
        where status in ('booked', 'confirmed') and starts_at > ${now} and ${within(sql`created_at`)}${theirs(sql`contact_id`)}`
    case 'appointment-missed':
      return sql`
        select contact_id, id as subject_id, starts_at as at from appointments
        where status = 'no_show' and ${within(sql`starts_at`)}${theirs(sql`contact_id`)}`
    case 'appointment-before':
      return beforeStart(sql`appointments`, sql`('booked', 'confirmed')`, trigger.days)
    case 'surgery-before':
      return beforeStart(sql`surgeries`, sql`('tentative', 'confirmed')`, trigger.days)
    case 'surgery-after':
      return sql`
        select contact_id, id as subject_id, ends_at + ${span(trigger.days)} as at from surgeries
        where status in ('confirmed', 'completed') and ${within(sql`ends_at`, trigger.days)}${theirs(sql`contact_id`)}`
    case 'quote-sent':
      return sql`
        select contact_id, id as subject_id, sent_at as at from quotes
        where status = 'sent' and ${within(sql`sent_at`)}${theirs(sql`contact_id`)}`
    case 'quote-expiring': {
      const at = beginning(sql`valid_until - ${trigger.days}::int`)
      return sql`
        select contact_id, id as subject_id, greatest(${at}, sent_at) as at from quotes
        where status = 'sent' and ${within(sql`greatest(${at}, sent_at)`)}${theirs(sql`contact_id`)}`
    }
    case 'form-unanswered':
      return sql`
        select contact_id, id as subject_id, sent_at + ${span(trigger.days)} as at from forms
        where status in ('sent', 'started') and expires_at > ${now} and ${within(sql`sent_at`, trigger.days)}${theirs(sql`contact_id`)}`
    case 'tag':
      return sql`
        select contact_id, ${noSubject}, created_at as at from contact_tags
        where tag_id = ${trigger.tagId}::uuid and ${within(sql`created_at`)}${theirs(sql`contact_id`)}`
    case 'birthday': {
      const [first, last] = [since, until].map((at) => Number(dayAt(at, timeZone).slice(0, 4)))
      const birthday = sql`make_date(year, extract(month from date_of_birth)::int,
        case when extract(month from date_of_birth) = 2 then least(extract(day from date_of_birth), 28) else extract(day from date_of_birth) end::int)`
      return sql`
        select id as contact_id, ${noSubject}, ${beginning(birthday)} as at from contacts
        cross join generate_series(${first}::int, ${last}::int) as year
        where date_of_birth is not null and ${within(beginning(birthday))}${theirs(sql`id`)}`
    }
    case 'follow-up':
      return sql`
        select id as contact_id, ${noSubject}, next_follow_up_date as at from contacts
        where ${within(sql`next_follow_up_date`)}${theirs(sql`id`)}`
    case 'no-contact': {
      const at = sql`last_contact_date + make_interval(months => ${trigger.months}::int)`
      // A month has 28 to 31 days: the index finds those that may be meant.
      const isNear = sql`last_contact_date > ${since.toISOString()}::timestamptz - make_interval(days => ${trigger.months * 31 + 1}::int)
        and last_contact_date <= ${until.toISOString()}::timestamptz - make_interval(days => ${trigger.months * 28}::int)`
      return sql`select id as contact_id, ${noSubject}, ${at} as at from contacts where ${isNear} and ${within(at)}${theirs(sql`id`)}`
    }
  }

  /** What begins in so many days. If it was booked later than that, it counts from its booking. */
  function beforeStart(table: SQL, statuses: SQL, days: number): SQL {
    const at = sql`greatest(starts_at - ${span(days)}, created_at)`
    return sql`
      select contact_id, id as subject_id, ${at} as at from ${table}
      where status in ${statuses} and starts_at > ${now} and ${within(at)}${theirs(sql`contact_id`)}`
  }
}

/** Whether a trigger's events come with time, without anything being written. */
export const comesWithTime = (trigger: Trigger): boolean =>
  trigger.kind === 'stage'
    ? trigger.days > 0
    : !['lead', 'appointment-booked', 'appointment-missed', 'quote-sent', 'tag'].includes(trigger.kind)
