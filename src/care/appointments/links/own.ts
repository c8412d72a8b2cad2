import { and, asc, eq, gt, inArray, max } from 'drizzle-orm'
import { asPatient } from '../../../kernel/as-patient.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import { transact } from '../../../kernel/postgres/transact.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Scope, VerifiedContactId } from '../../../kernel/scope.ts'
import { bookings, type Locked } from '../bookings.ts'
import { nameOfProvider, notifiedDetails } from '../emails/emails.ts'
import { appointmentRequests, appointments } from '../table.ts'
import { confirmForPatient, type KeyedRequest, openDays, requestForPatient } from './links.ts'

/*
 * The appointments of a patient whom a code has proved, in the portal. They confirm and ask for another time as behind the link in an email.
 */

type OwnScope = Scope & { patient: VerifiedContactId }

/** Statuses in which the patient can still act. */
const openStatuses = ['booked', 'confirmed'] as const

/** The columns that the portal's role may read (portal/guard.ts). */
const { id, type, providerId, roomId, startsAt, status } = appointments
const readOwn = (tx: Db, { env, patient, now }: OwnScope, wanted?: string) =>
  asPatient(tx, env, patient, (own) =>
    own
      .select({ id, type, providerId, roomId, startsAt, status })
      .from(appointments)
      .where(and(inArray(status, [...openStatuses]), gt(startsAt, now()), wanted === undefined ? undefined : eq(id, wanted)))
      .orderBy(asc(startsAt), asc(id)),
  )

/** The upcoming appointments, soonest first, with when the patient last asked for another time, and the days on which the practice is open. */
export const listOwnAppointments = (scope: OwnScope) =>
  scope.db.transaction(async (tx) => {
    const rows = await readOwn(tx, scope)
    const asked = await tx
      .select({
        appointmentId: appointmentRequests.appointmentId,
        startsAt: appointmentRequests.startsAt,
        at: max(appointmentRequests.createdAt),
      })
      .from(appointmentRequests)
      .where(
        inArray(
          appointmentRequests.appointmentId,
          rows.map((row) => row.id),
        ),
      )
      .groupBy(appointmentRequests.appointmentId, appointmentRequests.startsAt)
    const list = []
    for (const row of rows) {
      const { place } = await notifiedDetails(tx, scope.env, row)
      const latest = asked.find(({ appointmentId, startsAt: at }) => appointmentId === row.id && at.getTime() === row.startsAt.getTime())
      list.push({
        id: row.id,
        type: row.type,
        startsAt: row.startsAt,
        isConfirmed: row.status === 'confirmed',
        provider: await nameOfProvider(tx, row.providerId),
        place,
        askedAt: latest?.at ?? null,
      })
    }
    return { appointments: list, openDays: await openDays(tx) }
  })

/** Confirms it, once. Null: the patient has no such upcoming appointment. NOT_POSSIBLE: it has moved since the page was loaded. */
export const confirmOwnAppointment = (scope: OwnScope, seen: Seen) =>
  withOwnAppointment(scope, seen, (tx, locked) => confirmForPatient(tx, scope, locked))

/** Asks for another time. Null and NOT_POSSIBLE as above; TOO_MANY_REQUESTS: five in a day. */
export const requestOwnAppointment = (scope: OwnScope, { request, ...seen }: Seen & { request: KeyedRequest }) =>
  withOwnAppointment(scope, seen, (tx, locked) => requestForPatient(tx, scope, locked, request))

/** The appointment, at the time that the patient has read. */
interface Seen {
  id: string
  startsAt: Date
}

const withOwnAppointment = <Refused>(scope: OwnScope, seen: Seen, work: (tx: Db, locked: Locked) => Promise<Refused>) =>
  transact(scope.db, async (tx) => {
    const [own] = await readOwn(tx, scope, seen.id)
    const locked = own && (await bookings.lock(tx, own.id))
    if (!locked) return null
    const { row } = locked
    if (row.startsAt.getTime() !== seen.startsAt.getTime() || !openStatuses.some((open) => open === row.status))
      return refuse('NOT_POSSIBLE')
    return (await work(tx, locked)) ?? true
  })
