import { and, eq, gt, gte, inArray, isNull, or } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { creditAmong } from '../collections/service.ts'
import { contactCustomers } from '../quickbooks/table.ts'
import { prepaidAccounts } from './table.ts'

/**
 * Which of these patients have a package, store credit or a deposit left, which no one could use once they are deleted. Gift cards don't count: anyone
 * with the code can use them.
 */
export async function prepaidAmong(tx: Db, { now, env }: Pick<Scope, 'now' | 'env'>, ids: readonly string[]): Promise<Set<string>> {
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  const rows = await tx
    .selectDistinct({ id: contactCustomers.contactId })
    .from(prepaidAccounts)
    .innerJoin(contactCustomers, eq(contactCustomers.customerId, prepaidAccounts.customerId))
    .where(
      and(
        inArray(contactCustomers.contactId, [...ids]),
        inArray(prepaidAccounts.kind, ['package', 'credit']),
        gt(prepaidAccounts.balanceCents, 0),
        or(isNull(prepaidAccounts.expiresOn), gte(prepaidAccounts.expiresOn, today)),
      ),
    )
  return new Set([...rows.map(({ id }) => id), ...(await creditAmong(tx, ids))])
}
