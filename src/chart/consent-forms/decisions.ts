import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { endUses, withdrawnUsesOf } from '../photo-uses/service.ts'
import { writeConsent } from './change.ts'
import { consentMessages } from './contract.ts'
import type { PhotoScope } from './definition-rules.ts'
import { addEvent } from './evidence.ts'
import { lockConsent, toConsent, toWholeConsent } from './read.ts'
import { enqueueSeal } from './seal.ts'
import { withdrawalOf } from './withdrawal-rules.ts'

/** A provider countersigns a signed consent form, once. Null: no such consent form. */
export const countersignConsent = (scope: Scope, id: string) =>
  transact(scope.db, async (tx) => {
    const found = await lockConsent(tx, id)
    if (!found) return null
    if (found.form.status !== 'signed') return refuse('NOT_SIGNED')
    if (found.form.countersignedAt !== null) return refuse('ALREADY_COUNTERSIGNED')
    const change = { countersignedAt: scope.now(), countersignedBy: staff(scope).id }
    const form = await writeConsent(tx, scope, found.form, change)
    const event = await addEvent(tx, scope, id, { kind: 'countersigned', name: '' })
    await enqueueSeal(tx, found.form, event)
    return toWholeConsent(tx, scope, { ...found, form })
  })

/** Records that a patient withdrew a consent, or uses of photos, on a day. Null: no such consent form. */
export const recordWithdrawal = (
  scope: Scope,
  { id, on, by, scopes }: { id: string; on: string; by: string; scopes: PhotoScope[] | null },
) =>
  transact(scope.db, async (tx) => {
    const found = await lockConsent(tx, id)
    if (!found) return null
    const { form: before } = found
    if (before.status === 'withdrawn') return toConsent(tx, scope, found)
    if (before.status !== 'signed') return refuse('NOT_SIGNED')
    const zone = scope.env.PRACTICE_TIME_ZONE
    if (on > dayAt(scope.now(), zone)) return invalidReference({ on: consentMessages.inFuture })
    if (on < dayAt(before.signedAt!, zone)) return invalidReference({ on: consentMessages.beforeSigned })
    const reach = withdrawalOf(before, scopes)
    if (reach === null) return invalidReference({ scopes: consentMessages.noScope })
    if (reach.isRepeated) return toConsent(tx, scope, found)
    const form = await writeConsent(tx, scope, before, {
      ...reach.change,
      withdrawnAt: scope.now(),
      withdrawnOn: on,
      withdrawnBy: by,
      withdrawalRecordedBy: staff(scope).id,
    })
    const event = await addEvent(tx, scope, id, { kind: 'withdrawn', name: '', detail: { on, by, scopes: reach.scopes } })
    await enqueueSeal(tx, found.form, event)
    await endUses(tx, scope, form.contactId, { ofConsent: withdrawnUsesOf(form), reason: 'withdrawn' })
    return toConsent(tx, scope, { ...found, form })
  })
