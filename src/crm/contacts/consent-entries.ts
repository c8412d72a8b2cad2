import { and, eq, gt, inArray, isNull, not, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { type ConsentBasis, type ConsentSource, consentBases, type WithdrawalSource } from '../consent/rules.ts'
import { consents } from '../consent/table.ts'

/** Writes express consent entries for locked or new patients. */
export async function writeExpress(
  tx: Db,
  scope: Scope,
  contactIds: readonly string[],
  { source, wording = null }: { source: ConsentSource; wording?: string | null },
): Promise<void> {
  if (contactIds.length === 0) return
  await tx.execute(sql`
    insert into consents (contact_id, basis, source, wording, given_at, given_by)
    select contact_id, 'express', ${source}::text, ${wording}::text, ${scope.now().toISOString()}::timestamptz, ${scope.actor?.id ?? null}::uuid
    from unnest(${sql.param([...contactIds])}::uuid[]) as contact_id`)
}

/** Withdraws the active consent entries of locked patients, of these bases or of any. Returns the number of entries. */
export async function withdrawEntries(
  tx: Db,
  scope: Scope,
  contactIds: readonly string[],
  source: WithdrawalSource,
  { bases = consentBases, mergeId = null }: { bases?: readonly ConsentBasis[]; mergeId?: string | null } = {},
): Promise<number> {
  const now = scope.now()
  const rows = await tx
    .update(consents)
    .set({ withdrawnAt: now, withdrawnBy: scope.actor?.id ?? null, withdrawalSource: source, withdrawnInMerge: mergeId })
    .where(
      and(
        inArray(consents.contactId, [...contactIds]),
        inArray(consents.basis, [...bases]),
        isNull(consents.withdrawnAt),
        or(isNull(consents.expiresAt), gt(consents.expiresAt, now)),
      ),
    )
    .returning({ id: consents.id })
  return rows.length
}

type Change = { id: string; before: boolean; after: boolean | undefined }

/**
 * Keeps the consent ledger in step with the checkbox of the record: checking it writes an entry, unchecking it withdraws all active ones.
 */
export async function followTicks(tx: Db, scope: Scope, changes: readonly Change[], source: 'record' | 'imported'): Promise<void> {
  const idsWhere = (before: boolean, after: boolean) =>
    changes.filter((one) => one.before === before && one.after === after).map(({ id }) => id)
  const [given, withdrawn] = [idsWhere(false, true), idsWhere(true, false)]
  if (withdrawn.length > 0) await withdrawEntries(tx, scope, withdrawn, 'record')
  if (given.length > 0) await writeExpress(tx, scope, given, { source })
}

/** Withdraws express consent in a merge that leaves the patient without it; undoing the merge restores it. */
export const endInMerge = (tx: Db, scope: Scope, contactIds: readonly string[], mergeId: string): Promise<number> =>
  withdrawEntries(tx, scope, contactIds, 'merge', { bases: ['express'], mergeId })

export async function undoEndInMerge(tx: Db, mergeId: string, contactIds: readonly string[]): Promise<void> {
  const hasWithdrawnSince = sql`exists (
    select 1 from consents as later where later.contact_id = any(${sql.param([...contactIds])}::uuid[])
      and later.withdrawal_source <> 'merge' and later.withdrawn_at >= ${consents.withdrawnAt})`
  await tx
    .update(consents)
    .set({ withdrawnAt: null, withdrawnBy: null, withdrawalSource: null, withdrawnInMerge: null })
    .where(and(eq(consents.withdrawnInMerge, mergeId), not(hasWithdrawnSince)))
  // Who has withdrawn since the merge has no consent either side of it.
  const express = sql`select 1 from consents where contact_id = contacts.id and basis = 'express'`
  await tx.execute(sql`
    update contacts set consent_to_communicate = false, version = version + 1
    where id = any(${sql.param([...contactIds])}::uuid[]) and consent_to_communicate
      and exists (${express}) and not exists (${express} and withdrawn_at is null)`)
}
