import { randomInt, randomUUID } from 'node:crypto'
import { beforeAll } from 'vitest'
import type { StripeSimulator } from '../../simulators/stripe/server.ts'
import { codeOf as codeInSubject } from '../portal.ts'
import { type Account, type Client, clientOf } from '../server.ts'
import { until } from '../until.ts'
import { confirmWith, useCards } from './cards.ts'

type NewVisitType = Parameters<Client['availability']['addVisitType']>[0]
type Beginning = Parameters<Client['selfBooking']['begin']>[0]

/** Tuesday, December 1, 2026, 10:00 in Toronto. */
export const ten = '2026-12-01T15:00:00.000Z'

/** A practice with one provider that takes cards with this simulator, and patients who book themselves. */
export function usePaidBooking(stripe: StripeSimulator, clock: { now: Date }, settings: Record<string, string> = {}) {
  const till = useCards(stripe, { TRUST_PROXY: 'true', APPOINTMENT_MAIL_SECONDS: '0', ...settings }, { now: () => clock.now })
  const made = { admin: null as unknown as Client, desk: null as unknown as Client, provider: null as unknown as Account }
  beforeAll(async () => {
    made.admin = await till.server.as('admin')
    made.desk = await till.server.as('front_desk')
    made.provider = await till.server.account({ role: 'provider' })
  })
  /** A browser without a session, from a network address that no other one is likely to have. */
  const visitor = (): Client =>
    clientOf(till.server.url, undefined, { 'x-forwarded-for': `198.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` })
  const addVisit = (given: Partial<NewVisitType> = {}) =>
    made.admin.availability.addVisitType({
      name: randomUUID(),
      nameFr: null,
      description: null,
      descriptionFr: null,
      type: 'consult',
      minutes: 45,
      bufferBefore: 0,
      bufferAfter: 0,
      noticeHours: 0,
      horizonDays: 365,
      changeHours: 48,
      maxPerDay: null,
      patients: 'all',
      isOnline: true,
      providerIds: [made.provider.id],
      secondIds: [],
      roomIds: [],
      depositKind: 'amount',
      depositCents: 7_500,
      lateFeeCents: 5_000,
      noShowFeeCents: 10_000,
      ...given,
    })
  /** Confirmations and receipts go to the same address. */
  const codesTo = (email: string) =>
    till.server.outbox.messages.filter(({ To }) => To === email).flatMap(({ Subject }) => codeInSubject(Subject) || [])
  /** Goes as far as the held time. */
  async function hold(visitTypeId: string, given: Partial<Beginning> = {}) {
    const client = visitor()
    const key = randomUUID()
    const email = given.email ?? `${randomUUID()}@mail.example`
    const before = codesTo(email).length
    const begun = { key, visitTypeId, startsAt: ten, firstName: 'Anna', lastName: 'Rossi', email, language: 'en' as const, ...given }
    await client.selfBooking.begin(begun)
    await until(() => codesTo(email).length > before)
    const held = await client.selfBooking.prove({ key: begun.key, code: codesTo(email)[0]! })
    return { client, key: begun.key, email, held }
  }
  /** Holds a time and pays for it with a test card, as the page does. */
  async function pay(visitTypeId: string, given: Partial<Beginning> = {}, card?: string) {
    const held = await hold(visitTypeId, given)
    const { form } = await held.client.selfBooking.pay({ key: held.key, language: given.language ?? 'en', acceptsTerms: true })
    const outcome = await confirmWith(stripe, form!.clientSecret, card)
    return { ...held, form: form!, outcome }
  }
  /** Books and pays. */
  async function book(visitTypeId: string, given: Partial<Beginning> = {}, card?: string) {
    const paid = await pay(visitTypeId, given, card)
    const booked = await paid.client.selfBooking.confirm({ key: paid.key })
    const [row] = await till.server.rows<{ id: string; contact_id: string }>(
      'select id, contact_id from appointments where idempotency_key = $1',
      [paid.key],
    )
    return { ...paid, booked, id: row!.id, contactId: row!.contact_id, token: booked.link.split('/').pop()! }
  }
  return Object.assign(till, { made, visitor, addVisit, hold, pay, book })
}
