import { type AnyColumn, and, eq, gte, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import type { ConsentChannel } from '../../../crm/consent/rules.ts'
import { readPhone } from '../../../crm/contacts/service.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { zoneOfNumber, zoneOfPostalCode, zoneOfRegion } from '../../../shared/area-zones.ts'
import { beginningOf, dayAt, daysLater, toLocal } from '../../../shared/zoned-time.ts'
import { afterQuietHours, isQuietTime, type QuietHours } from '../quiet-rules.ts'
import { conversations, messages } from '../table.ts'

/** A patient and the number, in E.164, that is texted. */
type TextedNumber = { contactId: string; number: string }

type Wanted = { contactId: string; channel: ConsentChannel; at: Date }

export const quietHoursOf = ({ TEXT_QUIET_FROM: from, TEXT_QUIET_TO: to }: Scope['env']): QuietHours => ({ from, to })

/** The patient's clock: of their province or state, their postal code or the area code of their phone; the practice's if none is known. */
export function zoneOf(
  { env }: Pick<Scope, 'env'>,
  { state, zipCode, phone }: Pick<typeof contacts.$inferSelect, 'state' | 'zipCode' | 'phone'>,
): string {
  const number = phone ? readPhone(phone)?.number : undefined
  return zoneOfRegion(state ?? '') ?? zoneOfPostalCode(zipCode ?? '') ?? (number && zoneOfNumber(number)) ?? env.PRACTICE_TIME_ZONE
}

async function zoneOfPatient(db: Db, scope: Pick<Scope, 'env'>, contactId: string): Promise<string> {
  const { state, zipCode, phone } = contacts
  const [row] = await db.select({ state, zipCode, phone }).from(contacts).where(eq(contacts.id, contactId))
  return row ? zoneOf(scope, row) : scope.env.PRACTICE_TIME_ZONE
}

/**
 * The earliest moment from `at` on at which an automatic message may be sent to a patient: a text waits for the end of the quiet hours on the
 * patient's clock, an email is not held back.
 */
export async function earliestSending(scope: Pick<Scope, 'env'> & { db: Db }, { contactId, channel, at }: Wanted): Promise<Date> {
  if (channel === 'email') return at
  return afterQuietHours(at, await zoneOfPatient(scope.db, scope, contactId), quietHoursOf(scope.env))
}

/** The quiet hours that a patient is in: the time there ('HH:mm'), and when they end. Null by day. */
export async function nightFor(scope: Scope, contactId: string): Promise<{ time: string; endsAt: Date; endTime: string } | null> {
  const zone = await zoneOfPatient(scope.db, scope, contactId)
  const hours = quietHoursOf(scope.env)
  const { time } = toLocal(scope.now(), zone)
  return isQuietTime(time, hours) ? { time, endsAt: afterQuietHours(scope.now(), zone, hours), endTime: hours.to } : null
}

/**
 * Counts automatic texts to these patients and numbers against the day's limits. The function that it returns takes the next one, and returns
 * when it may be sent if a limit is reached, to the patient, to the number, which several patients may have, or to all: the beginning of the next
 * day on the practice's clock. Null: now. Simultaneous callers wait for each other until the end of the transaction.
 */
export async function dailyLimits(tx: Db, scope: Scope, to: readonly TextedNumber[]): Promise<(one: TextedNumber) => Date | null> {
  const { PRACTICE_TIME_ZONE: zone, TEXTS_PER_PATIENT, TEXTS_PER_DAY } = scope.env
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('automatic texts', 0))`)
  const day = dayAt(scope.now(), zone)
  const column = (name: AnyColumn, among: readonly string[]) => sql<string | null>`case when ${inArray(name, [...among])} then ${name} end`
  const sent = await tx
    .select({
      contactId: column(
        conversations.contactId,
        to.map(({ contactId }) => contactId),
      ),
      number: column(
        conversations.address,
        to.map(({ number }) => number),
      ),
      count: sql<number>`count(*)::int`,
    })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(
      and(
        eq(conversations.channel, 'sms'),
        eq(messages.direction, 'outbound'),
        gte(messages.createdAt, beginningOf(day, zone)),
        sql`${messages.metadata} @> '{"isFromTemplate": true}'`,
      ),
    )
    .groupBy(sql`1, 2`)
  const counts = new Map<string | null, number>()
  const add = (key: string | null, count: number) => counts.set(key, (counts.get(key) ?? 0) + count)
  let all = 0
  const take = (one: { contactId: string | null; number: string | null }, count: number) => {
    add(one.contactId, count)
    add(one.number, count)
    all += count
  }
  for (const { count, ...one } of sent) take(one, count)
  return (one) => {
    const own = Math.max(counts.get(one.contactId) ?? 0, counts.get(one.number) ?? 0)
    if (own >= TEXTS_PER_PATIENT || all >= TEXTS_PER_DAY) return beginningOf(daysLater(day, 1), zone)
    take(one, 1)
    return null
  }
}
