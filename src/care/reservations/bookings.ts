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
import { type Take, unlessTaken } from './time-holds.ts'

export type ContactRow = typeof contacts.$inferSelect

/** What the tables of appointments and of surgeries have in common. */
export type BookingTable = PgTable & Record<'id' | 'contactId' | 'startsAt' | 'endsAt' | 'idempotencyKey' | 'payloadHash', AnyPgColumn>

export type BookingRow = {
  id: string
  version: number
  contactId: string
  startsAt: Date
  endsAt: Date
}

/** A booking for a change, locked, with its patient. */
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

/** The columns that every new booking has. */
interface NewColumns extends KeyColumns {
  id: string
  endsAt: Date
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

type AnyRefusal = Refusal<string, unknown>

/** A patient for a change. Their key stays free to be referred to: what belongs to them may be written in the meantime. */
export async function holdContact(tx: Db, id: string): Promise<ContactRow | null> {
  const [contact] = await tx.select().from(contacts).where(eq(contacts.id, id)).for('no key update')
  return contact ?? null
}

interface Definition<Data> {
  kind: 'appointment' | 'surgery'
  table: BookingTable
  /** One as it is shown; null when there is none. */
  get: (db: Db, scope: Scope, id: string) => Promise<Data | null>
}

/** What is done with appointments and with surgeries alike: booking, locking, changing and writing one. */
export function defineBookings<Row extends BookingRow, Data extends object>({ kind, table, get }: Definition<Data>) {
  const shown = async (tx: Db, scope: Scope, id: string): Promise<Data> => (await get(tx, scope, id))!

  /** The patient first, as merges and deletions lock them. A merge that came first has given the booking another patient. */
  async function lock(tx: Db, id: string): Promise<LockedBooking<Row> | null> {
    const [seen] = await tx.select({ contactId: table.contactId }).from(table).where(eq(table.id, id))
    if (!seen) return null
    const contact = await holdContact(tx, seen.contactId as string)
    const [row] = (await tx.select().from(table).where(eq(table.id, id)).for('no key update')) as Row[]
    if (!row) return null
    return contact && row.contactId === contact.id ? { row, contact } : lock(tx, id)
  }

  /** Writes what differs of a locked booking, with version and audit. */
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
   * Books once for a key (`recordOnce`). `insert` refuses, or takes the time and writes the row, unless another transaction has taken the key.
   * `follow` does what follows from a new booking.
   */
  async function book<Refused extends AnyRefusal>(
    scope: Scope,
    { idempotencyKey, ...given }: NewBooking,
    insert: (tx: Db, columns: NewColumns, take: Take) => Promise<Refused | Row[]>,
    follow: (tx: Db, locked: LockedBooking<Row>) => Promise<void>,
  ) {
    return unlessTaken(scope, async (tx, take) => {
      // Locked before the key is looked for: the same click may have come twice at once.
      const contact = await holdContact(tx, given.contactId)
      const booked = await recordOnce(tx, { table, key: idempotencyKey, payload: given }, async (keyed) => {
        if (!contact) return invalidReference({ contactId: bookingMessages.noPatient })
        const [id, now] = [uuidv7(), scope.now()]
        const endsAt = new Date(given.startsAt.getTime() + given.minutes * 60_000)
        const inserted = await insert(tx, { ...keyed, id, endsAt, createdBy: staff(scope).id, createdAt: now, updatedAt: now }, take)
        if (isRefusal(inserted)) return inserted
        const [row] = inserted as Row[]
        if (!row) return undefined
        await recordChange(tx, scope, { action: 'created', kind, contactIds: [contact.id], after: row })
        await follow(tx, { row, contact })
        return row
      })
      return isRefusal(booked) ? booked : shown(tx, scope, (booked as Row).id)
    })
  }

  /** Does something with one of the version that the caller has seen, which is locked. Answers what it is then; null when there is none. */
  const change = <Refused extends AnyRefusal>(
    scope: Scope,
    { id, version }: { id: string; version: number },
    work: (tx: Db, locked: LockedBooking<Row>, take: Take) => Promise<Refused | undefined>,
  ) =>
    unlessTaken(scope, async (tx, take) => {
      const locked = await lock(tx, id)
      if (!locked) return null
      const { row } = locked
      if (row.version === version) return (await work(tx, locked, take)) ?? shown(tx, scope, id)
      await recordChange(tx, scope, { action: 'viewed', kind, contactIds: [row.contactId] })
      return refuse('CONFLICT', { current: await shown(tx, scope, id) })
    })

  return { lock, write, book, change }
}

/** A booking with what is asked of it, and which of its columns differ by that. Moved without a length, it takes as long as before. */
export function changedBooking<Row extends BookingRow>(
  before: Row,
  given: { [Key in keyof Row]?: Row[Key] | undefined },
  minutes: number | undefined,
) {
  const wanted: Row = { ...before, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
  const length = minutes === undefined ? before.endsAt.getTime() - before.startsAt.getTime() : minutes * 60_000
  wanted.endsAt = new Date(wanted.startsAt.getTime() + length)
  const differing = Object.keys(difference(before, wanted).after)
  return {
    wanted,
    differs: (...columns: (keyof Row & string)[]) => columns.some((column) => differing.includes(column)),
    isSame: differing.length === 0,
  }
}
