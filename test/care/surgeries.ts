import { randomUUID } from 'node:crypto'
import { beforeAll } from 'vitest'
import { type TestPractice, usePractice } from './appointments.ts'
import { insertContact } from '../factories.ts'
import type { Client } from '../server.ts'

type NewSurgery = Parameters<Client['surgeries']['create']>[0]
type Surgery = Awaited<ReturnType<Client['surgeries']['get']>>

export interface SurgeryPractice extends TestPractice {
  admin: Client
  procedures: { id: string; name: string }[]
  operatingRoom: { id: string; name: string }
  /** A surgery of a new patient on Tuesday, December 1, 2026 at 8:00 in Toronto by default. */
  wanted: (given?: Partial<NewSurgery>) => Promise<NewSurgery>
  /** Waives the safety checklist, without which a surgery cannot be completed. */
  waiveSafety: (id: string) => Promise<void>
  operate: (given?: Partial<NewSurgery>) => Promise<Surgery>
  /** The surgery fields of a patient's record: stage, surgical date, revenue in cents. */
  recordOf: (contactId: string) => Promise<[stage: string, surgicalDate: string | null, revenueCents: number | null]>
}

/** A practice with a surgeon, an operating room and two procedures. */
export function useSurgeryPractice(settings: Record<string, string> = {}): SurgeryPractice {
  const practice = Object.create(usePractice(settings)) as SurgeryPractice
  const { server } = practice
  beforeAll(async () => {
    practice.admin = await server.as('admin')
    const created = await Promise.all(['Rhinoplasty', 'Chin implant'].map((name) => practice.admin.procedures.create({ name })))
    practice.procedures = created.map(({ id, name }) => ({ id, name }))
    practice.operatingRoom = practice.rooms.find(({ name }) => name === 'Operating room')!
  })
  practice.wanted = async (given = {}) => ({
    contactId: given.contactId ?? (await insertContact(server)),
    procedureIds: [practice.procedures[0]!.id],
    anaesthesia: 'general',
    startsAt: '2026-12-01T13:00:00Z',
    minutes: 180,
    idempotencyKey: randomUUID(),
    ...given,
  })
  practice.operate = async (given) => practice.desk.surgeries.create(await practice.wanted(given))
  practice.waiveSafety = async (id) => {
    await practice.admin.safetyChecklists.waive({ id, reason: 'On paper' })
  }
  practice.recordOf = async (contactId) => {
    const { funnelStageId, surgicalDate, revenueCents } = await practice.desk.contacts.get({ id: contactId })
    const stages = await practice.desk.pipeline.stages()
    return [stages.find(({ id }) => id === funnelStageId)!.name, surgicalDate, revenueCents]
  }
  return practice
}
