import { oc } from '@orpc/contract'
import { z } from 'zod'
import { countedParts } from '../../kernel/patient-tables/rules.ts'

const count = z.number().int()

const outline = z.object({
  /** Parts with at least one row. */
  parts: z.array(z.object({ part: z.enum(countedParts), count })),
  /** Documents: how many, their total size in bytes, and how many are withheld because the virus scanner has not cleared them. */
  files: z.object({ count, bytes: count, withheld: count }),
  /** Receipts, quotes and the statement, each as a PDF. */
  pdfs: count,
})
export type RecordOutline = z.output<typeof outline>

/** The file itself comes from GET /api/contacts/{id}/whole-record.zip; see response.ts. */
export const wholeRecordsContract = {
  outline: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/whole-record',
      tags: ['Contacts'],
      summary: 'Preview what the patient record export contains',
    })
    .input(z.strictObject({ contactId: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(outline),
}
