import { randomUUID } from 'node:crypto'
import { beforeAll } from 'vitest'
import { type TestPractice, usePractice } from './appointments.ts'
import { insertContact } from './factories.ts'
import type { Client } from './server.ts'

type NewCase = Parameters<Client['surgeries']['create']>[0]
type Surgery = Awaited<ReturnType<Client['surgeries']['get']>>

export interface TestTheatre extends TestPractice {
  admin: Client
  procedures: { id: string; name: string }[]
  operatingRoom: { id: string; name: string }
  /** A case of a new patient on Tuesday, December 1, 2026 at 8:00 in Toronto, unless told otherwise. */
  wanted: (given?: Partial<NewCase>) => Promise<NewCase>
  operate: (given?: Partial<NewCase>) => Promise<Surgery>
  /** What a patient's record says of the surgery: stage, surgical date, revenue in cents. */
  recordOf: (contactId: string) => Promise<[stage: string, surgicalDate: string | null, revenueCents: number | null]>
}

/** A practice that operates: a surgeon, an operating room, two procedures. */
export function useTheatre(settings: Record<string, string> = {}): TestTheatre {
  const theatre = Object.create(usePractice(settings)) as TestTheatre
  const { server } = theatre
  beforeAll(async () => {
    theatre.admin = await server.as('admin')
    const made = await Promise.all(['Rhinoplasty', 'Chin implant'].map((name) => theatre.admin.procedures.create({ name })))
    theatre.procedures = made.map(({ id, name }) => ({ id, name }))
    theatre.operatingRoom = theatre.rooms.find(({ name }) => name === 'Operating room')!
  })
  theatre.wanted = async (given = {}) => ({
    contactId: given.contactId ?? (await insertContact(server)),
    procedureIds: [theatre.procedures[0]!.id],
    anaesthesia: 'general',
    startsAt: '2026-12-01T13:00:00Z',
    minutes: 180,
    idempotencyKey: randomUUID(),
    ...given,
  })
  theatre.operate = async (given) => theatre.desk.surgeries.create(await theatre.wanted(given))
  theatre.recordOf = async (contactId) => {
    const { funnelStageId, surgicalDate, revenueCents } = await theatre.desk.contacts.get({ id: contactId })
    const stages = await theatre.desk.pipeline.stages()
    return [stages.find(({ id }) => id === funnelStageId)!.name, surgicalDate, revenueCents]
  }
  return theatre
}
