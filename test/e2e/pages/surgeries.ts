import type { Page } from '@playwright/test'
import { instantOf } from '../../../src/shared/zoned-time.ts'
import { fetchJson, createPatient, getProvider, timeZone } from './appointments.ts'

export interface Surgery {
  id: string
  version: number
  startsAt: string
  endsAt: string
  shownStatus: string
  contact: { id: string; firstName: string; lastName: string }
  items: { id: string; kind: string; words: string; isDone: boolean; isAutomatic: boolean }[]
}

/** The first procedure of the practice. */
export const getProcedure = async (page: Page): Promise<{ id: string; name: string }> =>
  (await fetchJson<{ id: string; name: string }[]>(page, '/procedures'))[0]!

const operatingRoom = async (page: Page): Promise<{ id: string; name: string }> =>
  (await fetchJson<{ id: string; name: string; kind: string }[]>(page, '/rooms')).find(({ kind }) => kind === 'operating')!

/** Books a surgery for a new patient with the surgeon in the operating room; two hours by default. */
export async function bookSurgery(page: Page, day: string, time: string, given: Record<string, unknown> = {}): Promise<Surgery> {
  return fetchJson<Surgery>(page, '/surgeries', {
    contactId: given.contactId ?? (await createPatient(page)).id,
    procedureIds: [(await getProcedure(page)).id],
    surgeonId: (await getProvider(page)).id,
    roomId: (await operatingRoom(page)).id,
    anaesthesia: 'general',
    startsAt: instantOf({ day, time }, timeZone).toISOString(),
    minutes: 120,
    idempotencyKey: crypto.randomUUID(),
    ...given,
  })
}

export const getSurgery = (page: Page, id: string) => fetchJson<Surgery>(page, `/surgeries/${id}`)
