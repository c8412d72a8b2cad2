import { type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import type { ConsentChannel } from './rules.ts'

/**
 * The ids (`contact_id`) of those of these patients who have consented to commercial messages by a channel, for many at once. The same rule as `liveBasis` in
 * rules.ts; a test holds both to the same patients. `ids`: a subquery for their ids.
 */
export const consenting = ({ now }: Pick<Scope, 'now'>, channel: ConsentChannel, ids: SQL): SQL => {
  const at = sql`${now().toISOString()}::timestamptz`
  return sql`
    select entry.contact_id from consents as entry
    left join (
      select contact_id, max(withdrawn_at) as last from consents
      where channel = ${channel} and withdrawal_source is distinct from 'merge' and contact_id in (${ids}) group by contact_id
    ) as withdrawal on withdrawal.contact_id = entry.contact_id
    where entry.channel = ${channel} and entry.contact_id in (${ids}) and entry.withdrawn_at is null and entry.given_at <= ${at}
      and (entry.expires_at is null or entry.expires_at > ${at})
      and (withdrawal.last is null or (entry.basis = 'express' and entry.given_at >= withdrawal.last))
    group by entry.contact_id`
}
