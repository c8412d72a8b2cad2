import { sql } from 'drizzle-orm'
import { type Db, onePlan } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { closedDays, practiceHours } from '../../platform/practice/table.ts'
import type { contacts } from '../../crm/contacts/table.ts'
import { quietHoursOf, zoneOf } from '../../messages/inbox/sms/earliest.ts'
import { recentMessages } from '../frequency.ts'
import type { Calendar } from './timing-rules.ts'
import type { Facts } from './walk-rules.ts'
import type { automationState } from './table.ts'

export type Run = typeof automationState.$inferSelect
type Contact = typeof contacts.$inferSelect
/** What is known of a run's patient when a step is due. */
export type Known = Facts & { ownerId: Contact['assignedSalesRepId'] }

/** The days on which the practice is closed. Without opening hours, Saturdays and Sundays. */
export async function readCalendar(db: Db, { env }: Pick<Scope, 'env'>): Promise<Calendar> {
  const [hours, closed] = await Promise.all([
    db.select({ weekday: practiceHours.weekday }).from(practiceHours),
    db.select({ day: closedDays.day }).from(closedDays),
  ])
  const open = new Set(hours.length > 0 ? hours.map(({ weekday }) => weekday) : [1, 2, 3, 4, 5])
  return {
    timeZone: env.PRACTICE_TIME_ZONE,
    closedWeekdays: new Set([1, 2, 3, 4, 5, 6, 7].filter((weekday) => !open.has(weekday))),
    closedDays: new Set(closed.map(({ day }) => day)),
  }
}

interface FactRow {
  state: string | null
  zipCode: string | null
  phone: string | null
  ownerId: string | null
  id: string
  reply: string | null
  booking: string | null
  link: string | null
  surgery: string | null
  opt_out: string | null
  other_stage: string | null
  event_at: string | null
  subject_ended: boolean
  sent: string[] | null
}

const date = (text: string | null): Date | null => (text === null ? null : new Date(text))

/** `countingLinks`: the ids of the runs whose sequences ask whether a link was opened. */
type Asked = { calendar: Calendar; countingLinks: string[] }

/** What has happened to the patients of these runs since they started or were resumed; by the id of the run. */
export async function readFacts(
  tx: Db,
  scope: Scope,
  runs: readonly Run[],
  { calendar, countingLinks }: Asked,
): Promise<Map<string, Known>> {
  if (runs.length === 0) return new Map()
  const { rows } = await tx.execute<FactRow & Record<string, unknown>>(sql`${onePlan}
    select run.id, contacts.state, contacts.zip_code as "zipCode", contacts.phone, contacts.assigned_sales_rep_id as "ownerId",
      (select min(messages.created_at) from conversations join messages on messages.conversation_id = conversations.id
        where conversations.contact_id = run.contact_id and messages.direction = 'inbound' and messages.created_at > run.since) as reply,
      (select min(created_at) from appointments where contact_id = run.contact_id and created_at > run.since
        and status in ('booked', 'confirmed', 'arrived', 'completed') and id is distinct from run.subject_id) as booking,
      case when run.id = any(${sql.param(countingLinks)}::uuid[]) then (select min(at) from (
        select step.clicked_at as at from sequence_steps as step where step.state_id = run.id and step.run = run.run
        union all
        select text_links.opened_at from sequence_steps as step join text_links on text_links.message_id = step.ref_id
          where step.state_id = run.id and step.run = run.run and step.outcome = 'sent') as opened where at > run.since) end as link,
      (select min(created_at) from surgeries where contact_id = run.contact_id and created_at > run.since
        and status in ('tentative', 'confirmed', 'completed') and id is distinct from run.subject_id) as surgery,
      (select min(since) from suppressed_addresses
        where (reason in ('stopped', 'complaint') or unsubscribed_at is not null) and since > run.started_at
          and address in (select lower(contacts.email) union all select unnest(lower_all(contacts.other_emails))
            union all select phone_e164(contacts.phone) union all select unnest(phones_e164(contacts.other_phones)))) as opt_out,
      case when run.state->>'stage' <> contacts.funnel_stage::text then contacts.stage_entered_at end as other_stage,
      case run.state->>'subject'
        when 'appointment' then (select starts_at from appointments where id = run.subject_id)
        when 'surgery' then (select starts_at from surgeries where id = run.subject_id)
      end as event_at,
      case run.state->>'subject'
        when 'appointment' then not exists (select 1 from appointments where id = run.subject_id and status <> 'cancelled'
          and (run.state->>'trigger' = 'appointment-missed' or status <> 'no_show'))
        when 'surgery' then not exists (select 1 from surgeries where id = run.subject_id and status not in ('cancelled', 'postponed'))
        when 'quote' then not exists (select 1 from quotes where id = run.subject_id and status = 'sent')
        when 'form' then not exists (select 1 from forms where id = run.subject_id and status in ('sent', 'started'))
        else false
      end as subject_ended,
      (select json_agg(recent.at) from (${recentMessages(scope, sql`run.contact_id`)}) as recent) as sent
    from automation_state as run join contacts on contacts.id = run.contact_id
    where run.id = any(${sql.param(runs.map(({ id }) => id))}::uuid[])`)
  return new Map(
    rows.map((row) => {
      const run = runs.find(({ id }) => id === row.id)!
      const subjectEnded = row.subject_ended ? scope.now() : null
      const happened = {
        reply: date(row.reply),
        booking: date(row.booking),
        link: date(row.link),
        surgery: date(row.surgery),
        optOut: date(row.opt_out),
        otherStage: date(row.other_stage),
        subjectEnded,
      }
      return [
        row.id,
        {
          happened,
          startedAt: run.startedAt!,
          eventAt: date(row.event_at),
          calendar,
          timeZone: zoneOf(scope, row),
          quietHours: quietHoursOf(scope.env),
          sent: (row.sent ?? []).map((at) => new Date(at)),
          perWeek: scope.env.MESSAGES_PER_WEEK,
          ownerId: row.ownerId,
        },
      ]
    }),
  )
}
