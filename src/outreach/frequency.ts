import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../kernel/postgres/database.ts'
import type { Scope } from '../kernel/scope.ts'
import { week } from '../shared/durations.ts'

/**
 * The messages that sequences and campaigns sent these patients in the last seven days, as `contact_id` and `at`. A patient gets at most
 * MESSAGES_PER_WEEK of both together. `contacts`: their ids, as a list or subquery.
 */
export const recentMessages = ({ now }: Pick<Scope, 'now'>, contacts: SQL): SQL => {
  const since = sql`${new Date(now().getTime() - week).toISOString()}::timestamptz`
  return sql`
    select of_sequence.contact_id, step.at from automation_state as of_sequence join sequence_steps as step on step.state_id = of_sequence.id
    where of_sequence.contact_id in (${contacts}) and step.outcome = 'sent' and step.at > ${since}
    union all
    select of_campaign.contact_id, of_campaign.sent_at from campaign_recipients as of_campaign
    where of_campaign.contact_id in (${contacts}) and of_campaign.state = 'sent' and of_campaign.sent_at > ${since}`
}

/** Those of these patients who have had as many messages as they may get, as `contact_id`. */
export const capped = (scope: Pick<Scope, 'now' | 'env'>, contacts: SQL): SQL =>
  sql`select contact_id from (${recentMessages(scope, contacts)}) as recent group by contact_id having count(*) >= ${scope.env.MESSAGES_PER_WEEK}`

export async function isCapped(db: Db, scope: Pick<Scope, 'now' | 'env'>, contactId: string): Promise<boolean> {
  const { rows } = await db.execute(capped(scope, sql`${contactId}::uuid`))
  return rows.length > 0
}
