import { oc } from '@orpc/contract'
import { z } from 'zod'
import { roles } from '../../kernel/access/rules.ts'
import { cursorPages, numberPlace } from '../../shared/page-lists.ts'

/** What becomes of a patient's record as a whole, and the changes of its fields. */
export const historyActions = ['created', 'changed', 'restored', 'merged', 'unmerged'] as const

const entry = z.object({
  /** Its place: newer ones have higher numbers. */
  id: z.number().int(),
  at: z.date(),
  /** Null: no one of the staff. */
  by: z.uuid().nullable(),
  byRole: z.enum([...roles, 'system', 'visitor', 'patient', 'api_key']),
  /** Of a program: the name of its API key. */
  byKey: z.string().nullable(),
  action: z.enum(historyActions),
  /** Of a change, as far as the reader may see the fields: as they were and as they became. */
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
})
export type HistoryEntry = z.output<typeof entry>

const pages = cursorPages(numberPlace, { limit: 50, max: 100 })

export const historyContract = {
  history: oc
    .route({
      method: 'GET',
      path: '/contacts/{id}/history',
      tags: ['Contacts'],
      summary: 'Who changed what of a contact, from the audit log, newest first',
    })
    .input(z.strictObject({ id: z.uuid(), ...pages.input }))
    .errors({ NOT_FOUND: { status: 404, message: 'This contact does not exist' } })
    .output(pages.output(entry)),
}
