import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { type Overlap, unlessTaken } from '../reservations/service.ts'
import { clashOf, type FieldErrors, problemsOf, proceduresOf } from './check.ts'
import { followProcedures, moveDueDays } from './checklist.ts'
import type { Surgery } from './contract.ts'
import { follow, named } from './follow.ts'
import { lock, type Row } from './lock.ts'
import { getSurgery } from './read.ts'
import { type Anaesthesia, holding, isTooEarly, mayFollow, type SurgeryStatus } from './rules.ts'
import { surgeries } from './table.ts'
import { describeChange, describeStatus } from './labels.ts'

interface Conflict {
  conflict: Surgery
}
type Refused = FieldErrors | Overlap | Conflict | null

interface Changed {
  id: string
  version: number
  procedureIds?: string[] | undefined
  surgeonId?: string | null | undefined
  assistantIds?: string[] | undefined
  anaesthesia?: Anaesthesia | undefined
  roomId?: string | null | undefined
  startsAt?: Date | undefined
  minutes?: number | undefined
  implants?: string | null | undefined
  priceCents?: number | null | undefined
  notes?: string | null | undefined
}

const isEarly = ({ now, env }: Scope, status: SurgeryStatus, { startsAt }: Row): boolean =>
  isTooEarly(status, dayAt(startsAt, env.PRACTICE_TIME_ZONE), dayAt(now(), env.PRACTICE_TIME_ZONE))

const takenOf = (row: Row) => ({ ...row, providerId: row.surgeonId })

/**
 * Moves a surgery, or changes what it is. Moved without a length, it takes as long as before. One that is postponed may be given its new day
 * before it holds it. Null: there is none.
 */
export async function changeSurgery(
  scope: Scope,
  { id, version, minutes, procedureIds, ...given }: Changed,
): Promise<Surgery | Refused | 'not-holding' | 'too-early'> {
  return unlessTaken(scope, async (tx, take) => {
    const locked = await lock(tx, id)
    if (!locked) return null
    const { row: before } = locked
    if (before.version !== version) return conflict(tx, scope, before)
    const procedures = procedureIds ? await proceduresOf(tx, procedureIds, before.procedures) : before.procedures
    if ('invalid' in procedures) return procedures
    const wanted: Row = {
      ...before,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      procedures,
    }
    const length = minutes === undefined ? before.endsAt.getTime() - before.startsAt.getTime() : minutes * 60_000
    wanted.endsAt = new Date(wanted.startsAt.getTime() + length)

    const { after: differing } = difference(before, wanted)
    if (Object.keys(differing).length === 0) return (await getSurgery(tx, scope, id))!
    const isMoved = ['startsAt', 'endsAt', 'surgeonId', 'roomId'].some((field) => field in differing)
    if (isMoved && before.status === 'cancelled') return 'not-holding'
    if ('startsAt' in differing && isEarly(scope, before.status, wanted)) return 'too-early'
    const invalid = await problemsOf(tx, wanted, before)
    if (invalid) return invalid

    if (isMoved && holding.includes(before.status)) {
      const clash = 'startsAt' in differing || 'endsAt' in differing ? await clashOf(tx, wanted) : null
      if (clash) return clash
      await take(takenOf(wanted))
    }
    const row = await write(tx, scope, before, wanted)
    if ('startsAt' in differing) await moveDueDays(tx, scope, row)
    if ('procedures' in differing) await followProcedures(tx, scope, row)
    await follow(
      tx,
      scope,
      { ...locked, row },
      {
        isBooked: false,
        was: 'startsAt' in differing || 'priceCents' in differing ? before : undefined,
        told: describeChange(await named(tx, before), await named(tx, row), scope.env.PRACTICE_TIME_ZONE),
      },
    )
    return (await getSurgery(tx, scope, id))!
  })
}

interface NewStatus {
  id: string
  version: number
  status: SurgeryStatus
  /** Of one that is cancelled. */
  reason?: string | undefined
}

/** What becomes of a surgery. One that was postponed or cancelled gives its time back, and takes it again if it comes back. */
export async function setStatus(
  scope: Scope,
  { id, version, status, reason }: NewStatus,
): Promise<Surgery | Refused | 'not-possible' | 'too-early'> {
  return unlessTaken(scope, async (tx, take) => {
    const locked = await lock(tx, id)
    if (!locked) return null
    const { row: before } = locked
    if (before.version !== version) return conflict(tx, scope, before)
    if (!mayFollow(before.status, status)) return 'not-possible'
    if (isEarly(scope, status, before)) return 'too-early'
    const comesBack = !holding.includes(before.status) && holding.includes(status)
    // Anyone who has left since cannot be booked again.
    const invalid = comesBack ? await problemsOf(tx, before, null) : null
    if (invalid) return invalid

    const clash = comesBack ? await clashOf(tx, before) : null
    if (clash) return clash
    if (comesBack) await take(takenOf(before))
    const row = await write(tx, scope, before, { ...before, status, cancelReason: reason ?? null })
    const told = describeStatus(await named(tx, row), status, scope.env.PRACTICE_TIME_ZONE)
    await follow(tx, scope, { ...locked, row }, { isBooked: comesBack, was: before, told })
    return (await getSurgery(tx, scope, id))!
  })
}

async function conflict(tx: Db, scope: Scope, { id, contactId }: Row): Promise<Conflict> {
  await recordChange(tx, scope, { action: 'viewed', kind: 'surgery', contactIds: [contactId] })
  return { conflict: (await getSurgery(tx, scope, id))! }
}

/** Writes what differs of a locked case, with version and audit. */
export async function write(tx: Db, scope: Scope, before: Row, { id, ...wanted }: Row): Promise<Row> {
  const changes = difference(before, { id, ...wanted })
  const [row] = await tx
    .update(surgeries)
    .set({ ...wanted, version: before.version + 1, updatedAt: scope.now() })
    .where(eq(surgeries.id, id))
    .returning()
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'surgery',
    contactIds: [before.contactId],
    before: { id, ...changes.before },
    after: { id, ...changes.after },
  })
  return row!
}
