import { randomUUID } from 'node:crypto'
import { beforeAll } from 'vitest'
import { insertContact } from '../factories.ts'
import { type Account, type Client, type TestServer, useServer } from '../server.ts'

type Booking = Parameters<Client['appointments']['book']>[0]

export interface TestPractice {
  server: TestServer
  /** The server's clock, fixed at Saturday, November 21, 2026, 10:00 in Toronto until a test sets it. */
  clock: { now: Date }
  desk: Client
  deskId: string
  provider: Account & { name: string }
  rooms: { id: string; name: string }[]
  /** A consult of a new patient on Tuesday, December 1, 2026 at 10:00 in Toronto by default. */
  booking: (given?: Partial<Booking>) => Promise<Booking>
  book: (given?: Partial<Booking>) => ReturnType<Client['appointments']['book']>
  /** The next-appointment fields of a patient's record. */
  nextOf: (contactId: string) => Promise<(string | null)[]>
  /** A patient's timeline, newest first. */
  timelineOf: (contactId: string) => Promise<string[]>
}

/** A server with a provider and the default rooms. */
export function usePractice(settings: Record<string, string> = {}): TestPractice {
  const practice = { clock: { now: new Date('2026-11-21T15:00:00Z') } } as TestPractice
  practice.server = useServer({ APPOINTMENT_MAIL_SECONDS: '0', ...settings }, { now: () => practice.clock.now })
  const { server } = practice
  beforeAll(async () => {
    const account = await server.account()
    const provider = await server.account({ role: 'provider' })
    practice.desk = server.client(account.cookie)
    practice.deskId = account.id
    const [row] = await server.rows<{ name: string }>(
      "update profiles set full_name = 'Dr. Okafor' where id = $1 returning full_name as name",
      [provider.id],
    )
    practice.provider = { ...provider, name: row!.name }
    practice.rooms = await practice.desk.practice.rooms()
  })
  practice.booking = async (given = {}) => ({
    contactId: given.contactId ?? (await insertContact(server)),
    type: 'consult',
    startsAt: '2026-12-01T15:00:00Z',
    minutes: 45,
    idempotencyKey: randomUUID(),
    ...given,
  })
  practice.book = async (given) => practice.desk.appointments.book(await practice.booking(given))
  practice.nextOf = async (contactId) => {
    const contact = await practice.desk.contacts.get({ id: contactId })
    return [contact.appointmentDate, contact.appointmentTime, contact.appointmentLocation]
  }
  practice.timelineOf = async (contactId) =>
    (await practice.desk.interactions.list({ contactId })).data.map(({ description }) => description)
  return practice
}
