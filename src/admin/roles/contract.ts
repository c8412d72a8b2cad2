import { oc } from '@orpc/contract'
import { z } from 'zod'
import { roles } from '../../kernel/access/rules.ts'

export const accessContract = {
  roles: oc.route({ method: 'GET', path: '/roles', tags: ['People'], summary: 'List what each role can view and do' }).output(
    z.array(
      z.object({
        /** A part of the product, such as 'Contacts'. */
        part: z.string(),
        actions: z.array(
          z.object({
            /** A readable description. */
            action: z.string(),
            /** Whether the action only reads data. */
            isReading: z.boolean(),
            roles: z.array(z.enum(roles)),
          }),
        ),
      }),
    ),
  ),
}
