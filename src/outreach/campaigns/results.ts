import { eq, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { revenueOfPatients } from '../../billing/pos/service.ts'
import type { CampaignResults, Figures } from './contract.ts'
import { attributionDays, type Decider, type Refusal, refusalReasons, type Variant } from './rules.ts'
import { campaigns } from './table.ts'

/** The messages of a campaign (`mine`), each with what the patient did. */
const sentOf = (id: string): SQL => sql`
  select recipient.contact_id, recipient.variant, recipient.sent_at, recipient.clicked_at is not null as clicked, message.status, campaign.channel,
    exists (
      select 1 from messages as answer where answer.conversation_id = message.conversation_id and answer.direction = 'inbound'
        and answer.created_at > recipient.sent_at and (answer.metadata->>'isAutomatic')::boolean is not true
        -- A thread by text goes on for years, and STOP is no reply.
        and (campaign.channel = 'email' or (answer.created_at < counting.until and (answer.metadata->>'isWord')::boolean is not true))
    ) as replied,
    exists (
      select 1 from suppressed_addresses as suppressed where suppressed.address = recipient.address and suppressed.unsubscribed_at >= recipient.sent_at
    ) as unsubscribed,
    counting.until as counts_until
  from campaign_recipients as recipient
  join campaigns as campaign on campaign.id = recipient.campaign_id
  left join messages as message on message.id = recipient.message_id
  cross join lateral (
    select least(recipient.sent_at + make_interval(days => ${attributionDays}), (
      select min(later.sent_at) from campaign_recipients as later
      where later.contact_id = recipient.contact_id and later.sent_at > recipient.sent_at
    )) as until
  ) as counting
  where recipient.campaign_id = ${id}::uuid and recipient.state = 'sent'`

/** Per variant, how many were sent it and how many clicked or replied. */
export const actedOn = (id: string, decideBy: Decider): SQL =>
  sql`select variant, count(*)::int as sent, count(*) filter (where ${decideBy === 'clicked' ? sql`clicked` : sql`replied`})::int as acted
    from (${sentOf(id)}) as mine group by variant`

const none: Figures = {
  sent: 0,
  delivered: 0,
  bounced: 0,
  failed: 0,
  uncertain: 0,
  clicked: 0,
  replied: 0,
  unsubscribed: 0,
  booked: 0,
  revenueCents: 0,
}

/** What came of a campaign, by the rule that `attributionRule` states in words. Null: it does not exist. */
export async function resultsOf({ db }: Scope, id: string): Promise<CampaignResults | null> {
  const [campaign] = await db.select({ testPercent: campaigns.testPercent }).from(campaigns).where(eq(campaigns.id, id))
  if (!campaign) return null
  const { rows } = await db.execute<Figures & { variant: Variant | null }>(sql`
    select variant, count(*)::int as sent, (count(*) filter (where status = 'delivered' or (status = 'sent' and channel = 'email')))::int as delivered,
      (count(*) filter (where status = 'bounced'))::int as bounced, (count(*) filter (where status = 'failed'))::int as failed,
      (count(*) filter (where status = 'uncertain'))::int as uncertain,
      (count(*) filter (where clicked))::int as clicked, (count(*) filter (where replied))::int as replied,
      (count(*) filter (where unsubscribed))::int as unsubscribed, (count(*) filter (where booked))::int as booked,
      coalesce(sum(cents), 0)::float8 as "revenueCents"
    from (
      select mine.*, exists (
          select 1 from contact_stage_history as moved join funnel_stages as stage on stage.id = moved.to_stage and stage.kind = 'won'
          where moved.contact_id = mine.contact_id and moved.changed_at >= mine.sent_at and moved.changed_at < mine.counts_until
            and (moved.from_stage is null or moved.from_entered_at is not null)
        ) as booked,
        (select sum(receipt.cents) from (${revenueOfPatients()}) as receipt
          where receipt.contact_id = mine.contact_id and receipt.at >= mine.sent_at and receipt.at < mine.counts_until) as cents
      from (${sentOf(id)}) as mine
    ) as done group by grouping sets ((), (variant)) order by variant nulls first`)
  const { rows: refused } = await db.execute<{ refusal: Refusal; count: number }>(sql`
    select refusal, count(*)::int as count from campaign_recipients where campaign_id = ${id}::uuid and state = 'refused' group by refusal`)
  const figuresOf = ({ variant: _, ...figures }: (typeof rows)[number]): Figures => figures
  const [total, ...each] = rows
  return {
    total: total ? figuresOf(total) : none,
    variants:
      campaign.testPercent === null ? [] : each.flatMap((row) => (row.variant ? [{ ...figuresOf(row), variant: row.variant }] : [])),
    refused: refusalReasons.flatMap((reason) =>
      refused.filter(({ refusal }) => refusal === reason).map(({ count }) => ({ reason, count })),
    ),
  }
}
