import { eq } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { v7 as uuidv7 } from 'uuid'
import { difference } from '../../kernel/audit/rules.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, isRefusal, type Refusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { type KeyColumns, recordOnce } from '../../platform/idempotency/service.ts'
import { bookingMessages } from './contract.ts'
import { type Reserve, withReservation } from './reserve.ts'

export type ContactRow = typeof contacts.$inferSelect

/** The common columns of the tables of appointments and surgeries. */
export type BookingTable = PgTable & Record<'id' | 'contactId' | 'startsAt' | 'endsAt' | 'idempotencyKey' | 'payloadHash', AnyPgColumn>

export type BookingRow = {
  id: string
  version: number
  contactId: string
  startsAt: Date
  endsAt: Date
}

/** A locked booking with its locked patient. */
export interface LockedBooking<Row> {
  row: Row
  contact: ContactRow
}

interface NewBooking {
  contactId: string
  startsAt: Date
  minutes: number
  idempotencyKey: string
}

/** The common columns of a new booking. */
export interface NewColumns extends KeyColumns {
  id: string
  endsAt: Date
  /** Null: the patient. */
  createdBy: string | null
  createdAt: Date
  updatedAt: Date
}

type AnyRefusal = Refusal<string, unknown>
type Insert<Row, Refused> = (tx: Db, columns: NewColumns, reserve: Reserve) => Promise<Refused | Row[]>
type AfterInsert<Row> = (tx: Db, locked: LockedBooking<Row>) => Promise<void>

/** Locks a patient for an update, but not against new foreign keys, so that rows referring to the patient can still be written. */
export async function lockContact(tx: Db, id: string): Promise<ContactRow | null> {
  const [contact] = await tx.select().from(contacts).where(eq(contacts.id, id)).for('no key update')
  return contact ?? null
}

interface Definition<Data> {
  kind: 'appointment' | 'surgery'
  table: BookingTable
  /** Loads a booking for the response, or null. */
  get: (db: Db, scope: Scope, id: string) => Promise<Data | null>
}

/** The operations that appointments and surgeries share: book, lock, change and write. */
export function defineBookings<Row extends BookingRow, Data extends object>({ kind, table, get }: Definition<Data>) {
  const load = async (tx: Db, scope: Scope, id: string): Promise<Data> => (await get(tx, scope, id))!

  /**
   * Locks the patient first, in the same order as merges and deletions. Retries if a merge has just moved the booking to another patient.
   */
  async function lock(tx: Db, id: string): Promise<LockedBooking<Row> | null> {
    const [unlocked] = await tx.select({ contactId: table.contactId }).from(table).where(eq(table.id, id))
    if (!unlocked) return null
    const contact = await lockContact(tx, unlocked.contactId as string)
    const [row] = (await tx.select().from(table).where(eq(table.id, id)).for('no key update')) as Row[]
    if (!row) return null
    return contact && row.contactId === contact.id ? { row, contact } : lock(tx, id)
  }

  /** Updates a locked booking, with a new version and an audit entry. */
  async function write(tx: Db, scope: Scope, before: Row, wanted: Row): Promise<Row> {
    const changes = difference(before, wanted)
    const { id, ...columns } = wanted
    const [row] = (await tx
      .update(table)
      .set({ ...columns, version: before.version + 1, updatedAt: scope.now() })
      .where(eq(table.id, id))
      .returning()) as Row[]
    await recordChange(tx, scope, {
      action: 'changed',
      kind,
      contactIds: [before.contactId],
      before: { id, ...changes.before },
      after: { id, ...changes.after },
    })
    return row!
  }

  /**
   * Books once per idempotency key (`recordOnce`). `insert` refuses, or reserves the time and inserts the row unless another transaction
   * has used the key. `afterInsert` runs for a new booking.
   */
  async function book<Refused extends AnyRefusal>(
    scope: Scope,
    given: NewBooking,
    insert: Insert<Row, Refused>,
    afterInsert: AfterInsert<Row>,
  ) {
    return withReservation(scope, async (tx, reserve) => {
      const booked = await bookWithin(tx, reserve, scope, given, insert, afterInsert)
      return isRefusal(booked) ? booked : load(tx, scope, booked.id)
    })
  }

  /** Books several in one transaction, each as `book` does: all or, if one is refused, none. */
  async function bookAll<Given extends NewBooking, Refused extends AnyRefusal>(
    scope: Scope,
    all: readonly Given[],
    insertOf: (given: Given) => Insert<Row, Refused>,
    afterInsert: AfterInsert<Row>,
  ) {
    type Refusals = Extract<Awaited<ReturnType<typeof bookWithin<Refused>>>, AnyRefusal>
    const attempt: { refusal: Refusals | null } = { refusal: null }
    const undo = new Error('A booking was refused')
    try {
      return await withReservation(scope, async (tx, reserve) => {
        const booked: Data[] = []
        for (const given of all) {
          const row = await bookWithin(tx, reserve, scope, given, insertOf(given), afterInsert)
          if (isRefusal(row)) {
            attempt.refusal = row as Refusals
            throw undo
          }
          booked.push(await load(tx, scope, row.id))
        }
        return booked
      })
    } catch (error) {
      if (error !== undo || !attempt.refusal) throw error
      return attempt.refusal
    }
  }

  /** `book` in the caller's `withReservation`. */
  async function bookWithin<Refused extends AnyRefusal>(
    tx: Db,
    reserve: Reserve,
    scope: Scope,
    { idempotencyKey, ...given }: NewBooking,
    insert: Insert<Row, Refused>,
    afterInsert: AfterInsert<Row>,
  ) {
    // Locked before the key is looked up, because the same click may arrive twice at once.
    const contact = await lockContact(tx, given.contactId)
    const booked = await recordOnce(tx, { table, key: idempotencyKey, payload: given }, async (keyed) => {
      if (!contact) return invalidReference({ contactId: bookingMessages.noPatient })
      const [id, now] = [uuidv7(), scope.now()]
      const endsAt = new Date(given.startsAt.getTime() + given.minutes * 60_000)
      const createdBy = scope.actor === null ? null : staff(scope).id
      const inserted = await insert(tx, { ...keyed, id, endsAt, createdBy, createdAt: now, updatedAt: now }, reserve)
      if (isRefusal(inserted)) return inserted
      const [row] = inserted as Row[]
      if (!row) return undefined
      await recordChange(tx, scope, { action: 'created', kind, contactIds: [contact.id], after: row })
      await afterInsert(tx, { row, contact })
      return row
    })
    return isRefusal(booked) ? booked : (booked as Row)
  }

  /** Runs `work` on a locked booking if its version is the caller's. Returns the booking afterwards, or null. */
  const change = <Refused extends AnyRefusal>(
    scope: Scope,
    { id, version }: { id: string; version: number },
    work: (tx: Db, locked: LockedBooking<Row>, reserve: Reserve) => Promise<Refused | undefined>,
  ) =>
    withReservation(scope, async (tx, reserve) => {
      const locked = await lock(tx, id)
      if (!locked) return null
      const { row } = locked
      if (row.version === version) return (await work(tx, locked, reserve)) ?? load(tx, scope, id)
      await recordChange(tx, scope, { action: 'viewed', kind, contactIds: [row.contactId] })
      return refuse('CONFLICT', { current: await load(tx, scope, id) })
    })

  return { lock, write, book, bookAll, bookWithin, change }
}

/** Applies changes to a booking and reports which columns differ. Without `minutes` the duration stays the same. */
export function applyChanges<Row extends BookingRow>(
  before: Row,
  given: { [Key in keyof Row]?: Row[Key] | undefined },
  minutes: number | undefined,
) {
  const wanted: Row = { ...before, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
  const durationMs = minutes === undefined ? before.endsAt.getTime() - before.startsAt.getTime() : minutes * 60_000
  wanted.endsAt = new Date(wanted.startsAt.getTime() + durationMs)
  const changedColumns = Object.keys(difference(before, wanted).after)
  return {
    wanted,
    differs: (...columns: (keyof Row & string)[]) => columns.some((column) => changedColumns.includes(column)),
    isSame: changedColumns.length === 0,
  }
}
