import { oc } from '@orpc/contract'
import { z } from 'zod'
import { countedParts } from '../../kernel/patient-tables/rules.ts'

const count = z.number().int()

const outline = z.object({
  /** Those that there is something of. */
  parts: z.array(z.object({ part: z.enum(countedParts), count })),
  /** Documents, how many bytes they have, and how many of them cannot be handed out because of the virus scanner. */
  files: z.object({ count, bytes: count, withheld: count }),
  /** Receipts, quotes and the statement, each as a PDF. */
  papers: count,
})
export type RecordOutline = z.output<typeof outline>

/** The file itself comes from GET /api/contacts/{id}/whole-record.zip; see answer.ts. */
export const wholeRecordsContract = {
  outline: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/whole-record',
      tags: ['Contacts'],
      summary: 'What the file with everything that is kept of a contact would hold',
    })
    .input(z.strictObject({ contactId: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(outline),
}
