import { and, eq, gt, inArray, isNull, not, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import {
  type ConsentBasis,
  consentBases,
  type ConsentChannel,
  consentChannels,
  type ConsentSource,
  type WithdrawalSource,
} from '../consent/rules.ts'
import { consents } from '../consent/table.ts'

/** Writes express consent entries for locked or new patients; to email by default. */
export async function writeExpress(
  tx: Db,
  scope: Scope,
  contactIds: readonly string[],
  { channel = 'email', source, wording = null }: { channel?: ConsentChannel; source: ConsentSource; wording?: string | null },
): Promise<void> {
  if (contactIds.length === 0) return
  await tx.execute(sql`
    insert into consents (contact_id, channel, basis, source, wording, given_at, given_by)
    select contact_id, ${channel}::text, 'express', ${source}::text, ${wording}::text, ${scope.now().toISOString()}::timestamptz, ${scope.actor?.id ?? null}::uuid
    from unnest(${sql.param([...contactIds])}::uuid[]) as contact_id`)
}

type Which = { channels?: readonly ConsentChannel[]; bases?: readonly ConsentBasis[]; mergeId?: string | null }

/** Withdraws the active consent entries of locked patients, of these channels and bases or of any. Returns the number of entries. */
export async function withdrawEntries(
  tx: Db,
  scope: Scope,
  contactIds: readonly string[],
  source: WithdrawalSource,
  { channels = consentChannels, bases = consentBases, mergeId = null }: Which = {},
): Promise<number> {
  const now = scope.now()
  const rows = await tx
    .update(consents)
    .set({ withdrawnAt: now, withdrawnBy: scope.actor?.id ?? null, withdrawalSource: source, withdrawnInMerge: mergeId })
    .where(
      and(
        inArray(consents.contactId, [...contactIds]),
        inArray(consents.channel, [...channels]),
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
 * Keeps the consent ledger in step with the checkbox of the record, which is about email: checking it writes an entry for email, unchecking it
 * withdraws all active ones, of texts too.
 */
export async function followTicks(tx: Db, scope: Scope, changes: readonly Change[], source: 'record' | 'imported'): Promise<void> {
  const idsWhere = (before: boolean, after: boolean) =>
    changes.filter((one) => one.before === before && one.after === after).map(({ id }) => id)
  const [given, withdrawn] = [idsWhere(false, true), idsWhere(true, false)]
  if (withdrawn.length > 0) await withdrawEntries(tx, scope, withdrawn, 'record')
  if (given.length > 0) await writeExpress(tx, scope, given, { source })
}

/** Withdraws express consent to email in a merge that leaves the patient without it; undoing the merge restores it. */
export const endInMerge = (tx: Db, scope: Scope, contactIds: readonly string[], mergeId: string): Promise<number> =>
  withdrawEntries(tx, scope, contactIds, 'merge', { channels: ['email'], bases: ['express'], mergeId })

type UndoneMerge = { id: string; targetId: string; sourceId: string; mergedAt: Date }

/**
 * Restores what a merge ended, in its undo. A withdrawal while the patients were merged holds for both of them: neither side of the undo has
 * consent that was given before it.
 */
export async function undoEndInMerge(tx: Db, { id: mergeId, targetId, sourceId, mergedAt }: UndoneMerge): Promise<void> {
  const contactIds = sql`${sql.param([targetId, sourceId])}::uuid[]`
  const hasWithdrawnSince = sql`exists (
    select 1 from consents as later where later.contact_id = any(${contactIds}) and later.channel = ${consents.channel}
      and later.withdrawal_source <> 'merge' and later.withdrawn_at >= ${consents.withdrawnAt})`
  await tx
    .update(consents)
    .set({ withdrawnAt: null, withdrawnBy: null, withdrawalSource: null, withdrawnInMerge: null })
    .where(and(eq(consents.withdrawnInMerge, mergeId), not(hasWithdrawnSince)))
  await tx.execute(sql`
    insert into consents (contact_id, channel, basis, source, given_at, given_by, withdrawn_at, withdrawn_by, withdrawal_source)
    select distinct on (patient.id, later.channel) patient.id, later.channel, 'none', 'record', later.withdrawn_at, later.withdrawn_by,
      later.withdrawn_at, later.withdrawn_by, later.withdrawal_source
    from consents as later cross join unnest(${contactIds}) as patient (id)
    where later.contact_id = any(${contactIds}) and later.withdrawal_source <> 'merge' and later.withdrawn_at >= ${mergedAt.toISOString()}::timestamptz
      and not exists (
        select 1 from consents as own where own.contact_id = patient.id and own.channel = later.channel
          and own.withdrawal_source <> 'merge' and own.withdrawn_at >= later.withdrawn_at)
    order by patient.id, later.channel, later.withdrawn_at desc`)
  const express = sql`select 1 from consents where contact_id = contacts.id and channel = 'email' and basis = 'express'`
  await tx.execute(sql`
    update contacts set consent_to_communicate = false, version = version + 1
    where id = any(${contactIds}) and consent_to_communicate
      and exists (${express}) and not exists (${express} and withdrawn_at is null)`)
}
