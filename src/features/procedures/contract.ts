import { oc } from '@orpc/contract'
import { z } from 'zod'
import { requiredText } from '../../shared/text.ts'

export const procedure = z.object({ id: z.uuid(), name: z.string() })
export type Procedure = z.output<typeof procedure>

const tags = ['Procedures']

export const proceduresContract = {
  list: oc.route({ method: 'GET', path: '/procedures', tags, summary: 'Procedures by name' }).output(z.array(procedure)),
  create: oc
    .route({ method: 'POST', path: '/procedures', tags, summary: 'Add a procedure' })
    .input(z.strictObject({ name: requiredText(100, 'Name is required') }))
    .errors({ NAME_TAKEN: { status: 409, message: 'A procedure with this name exists already' } })
    .output(procedure),
  delete: oc
    .route({ method: 'DELETE', path: '/procedures/{id}', tags, summary: 'Delete a procedure; patients keep its name as text' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This procedure does not exist' } }),
}
