import { and, eq, gt, inArray, isNull, not, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { type ConsentBasis, type ConsentSource, consentBases, type WithdrawalSource } from '../consent/rules.ts'
import { consents } from '../consent/table.ts'

/** Express consent of patients who are locked, or new. */
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

/** Ends what still holds of locked patients' consent: of these bases, or whatever it is based on. Answers how many entries. */
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

/** The tick of a patient's record is what the ledger says: ticking it writes an entry, taking it away ends whatever there is. */
export async function followTicks(tx: Db, scope: Scope, changes: readonly Change[], source: 'record' | 'imported'): Promise<void> {
  const those = (before: boolean, after: boolean) =>
    changes.filter((one) => one.before === before && one.after === after).map(({ id }) => id)
  const [given, taken] = [those(false, true), those(true, false)]
  if (taken.length > 0) await withdrawEntries(tx, scope, taken, 'record')
  if (given.length > 0) await writeExpress(tx, scope, given, { source })
}

/** What a merge leaves without consent has no express entry that holds; its undo gives them back. */
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
