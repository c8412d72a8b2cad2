import type { Page } from '@playwright/test'
import { instantOf } from '../../src/shared/zoned-time.ts'
import { answered, patient, provider, timeZone } from './appointments.ts'

export interface Operated {
  id: string
  version: number
  startsAt: string
  endsAt: string
  shownStatus: string
  contact: { id: string; firstName: string; lastName: string }
  items: { id: string; kind: string; words: string; isDone: boolean; isAutomatic: boolean }[]
}

/** The first of the practice's list. */
export const procedure = async (page: Page): Promise<{ id: string; name: string }> =>
  (await answered<{ id: string; name: string }[]>(page, '/procedures'))[0]!

const operatingRoom = async (page: Page): Promise<{ id: string; name: string }> =>
  (await answered<{ id: string; name: string; kind: string }[]>(page, '/rooms')).find(({ kind }) => kind === 'operating')!

/** A surgery of a new patient with the surgeon in the operating room, two hours unless it is said. */
export async function operated(page: Page, day: string, time: string, given: Record<string, unknown> = {}): Promise<Operated> {
  return answered<Operated>(page, '/surgeries', {
    contactId: given.contactId ?? (await patient(page)).id,
    procedureIds: [(await procedure(page)).id],
    surgeonId: (await provider(page)).id,
    roomId: (await operatingRoom(page)).id,
    anaesthesia: 'general',
    startsAt: instantOf({ day, time }, timeZone).toISOString(),
    minutes: 120,
    idempotencyKey: crypto.randomUUID(),
    ...given,
  })
}

export const storedSurgery = (page: Page, id: string) => answered<Operated>(page, `/surgeries/${id}`)
