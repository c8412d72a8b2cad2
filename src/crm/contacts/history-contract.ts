import { oc } from '@orpc/contract'
import { z } from 'zod'
import { roles } from '../../kernel/access/rules.ts'
import { cursorPages, numberPlace } from '../../shared/page-lists.ts'

/** The audit actions that the history shows. */
export const historyActions = ['created', 'changed', 'restored', 'merged', 'unmerged'] as const

const entry = z.object({
  /** Newer entries have higher numbers. */
  id: z.number().int(),
  at: z.date(),
  /** The staff member, or null if it was not one. */
  by: z.uuid().nullable(),
  byRole: z.enum([...roles, 'system', 'visitor', 'patient', 'api_key']),
  /** The name of the API key, for an API client. */
  byKey: z.string().nullable(),
  action: z.enum(historyActions),
  /** Old and new values of the changed fields that the reader may see. */
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
      summary: 'The history of a contact from the audit log, newest first',
    })
    .input(z.strictObject({ id: z.uuid(), ...pages.input }))
    .errors({ NOT_FOUND: { status: 404, message: 'This contact does not exist' } })
    .output(pages.output(entry)),
}
