import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { dayAt } from '../../shared/zoned-time.ts'
import type { ListExport } from '../../platform/list-export.ts'
import { readPatients } from './read.ts'
import { recalls } from './table.ts'

const input = z.strictObject({ id: z.uuid('Choose a recall') })
const batch = 500

/**
 * GET /api/recalls.csv?id=… or .xlsx: each patient of a recall with the implants, attempts and the answer, as a regulator asks for it: initials
 * and year of birth instead of names and addresses.
 */
export const recallExport: ListExport<z.output<typeof input>> = {
  name: 'recall',
  kind: 'recall',
  input,
  head: () => [
    'Patient',
    'Born in',
    'Devices',
    'Lots',
    'Serial numbers',
    'Letter made',
    'Email',
    'Calls',
    'Last attempt',
    'Answer',
    'Answered on',
  ],
  note: ({ id }) => ({ id }),
  missing: async ({ db }, { id }) => ((await db.$count(recalls, eq(recalls.id, id))) === 0 ? 'This recall does not exist' : null),
  async *read({ db, env }, { id }) {
    for (let page = 1; ; page++) {
      const { data } = await readPatients(db, sql`patient.recall_id = ${id}`, { page, limit: batch })
      if (data.length === 0) return
      const day = (at: Date | undefined | null) => (at ? dayAt(at, env.PRACTICE_TIME_ZONE) : '')
      const rows = data.map(({ firstName, lastName, dateOfBirth, devices, attempts, answer, answeredAt }) => {
        const of = (channel: string) => attempts.find((attempt) => attempt.channel === channel)
        return [
          `${firstName.slice(0, 1)}.${lastName.slice(0, 1)}.`,
          dateOfBirth?.slice(0, 4) ?? '',
          [...new Set(devices.map(({ name }) => name))].join('; '),
          [...new Set(devices.map(({ lot }) => lot))].join('; '),
          devices
            .map(({ serial }) => serial)
            .filter(Boolean)
            .join('; '),
          day(of('letter')?.at),
          of('email')?.state ?? '',
          String(attempts.filter(({ channel }) => channel === 'phone' || channel === 'in_person').length),
          day(attempts.at(-1)?.at),
          answer,
          day(answeredAt),
        ]
      })
      yield { rows, contactIds: data.map(({ contactId }) => contactId) }
      if (data.length < batch) return
    }
  },
}
