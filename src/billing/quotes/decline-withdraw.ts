import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { voidQuotedCharge } from '../collections/service.ts'
import { priceCase } from '../../care/surgeries/service.ts'
import { acceptedOf, isOpenTo } from './accept.ts'
import { announce, write } from './quote-events.ts'
import { lock, isReplaced } from './lock.ts'
import { mayUndoAcceptance } from './policy.ts'
import { getQuote } from './read.ts'
import { mayWithdraw, priceWithout, quoteName } from './rules.ts'
import { addFollowUp } from './tasks.ts'

type Ended = { id: string; reason: string }

/** Declines a quote, by the patient in the portal or by staff. Null: quote not found. */
export const declineQuote = (scope: Scope, { id, reason }: Ended) =>
  transact(scope.db, async (tx) => {
    const locked = await lock(tx, id)
    if (!locked || !isOpenTo(scope, locked.row)) return null
    const { row: before } = locked
    if (await isReplaced(tx, before)) return refuse('SUPERSEDED')
    if (before.status === 'declined') return getQuote(tx, scope, id)
    if (before.status !== 'sent') return refuse('NOT_OPEN')
    const endedBy = scope.actor?.id ?? null
    const row = await write(tx, scope, before, { status: 'declined', endedAt: scope.now(), endedBy, endReason: reason })
    // The reason is only for users who may see quotes.
    await announce(tx, scope, row, `${quoteName(row)} declined${scope.patient ? ' by the patient in the portal' : ''}`)
    if (scope.patient) await addFollowUp(tx, scope, { ...locked, row })
    return (await getQuote(tx, scope, id))!
  })

/** Withdraws a quote. For an accepted one, also voids its charge and restores the case's price, unless part of it is paid. */
export const withdrawQuote = (scope: Scope, { id, reason }: Ended) =>
  transact(scope.db, async (tx) => {
    const locked = await lock(tx, id)
    if (!locked) return null
    const { row: before } = locked
    if (!mayWithdraw(before.status)) return refuse('NOT_OPEN')
    if (before.status === 'accepted') {
      if (!mayUndoAcceptance(scope.actor)) return refuse('FORBIDDEN')
      const undone = await voidQuotedCharge(tx, scope, before.chargeId!, `${quoteName(before)} withdrawn: ${reason}`)
      if (isRefusal(undone)) return refuse('PAID')
      if (before.surgeryId) {
        const others = await acceptedOf(tx, before)
        await priceCase(tx, scope, { ...before, surgeryId: before.surgeryId }, (price) => priceWithout(price, before, others))
      }
    }
    const row = await write(tx, scope, before, { status: 'withdrawn', endedAt: scope.now(), endedBy: staff(scope).id, endReason: reason })
    await announce(tx, scope, row, before.status === 'draft' ? null : `${quoteName(row)} withdrawn`)
    return (await getQuote(tx, scope, id))!
  })
