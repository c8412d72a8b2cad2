import { oc } from '@orpc/contract'
import { z } from 'zod'
import { roles } from '../../kernel/access/rules.ts'

export const accessContract = {
  roles: oc.route({ method: 'GET', path: '/roles', tags: ['People'], summary: 'What each role sees and does' }).output(
    z.array(
      z.object({
        /** A part of the product, such as 'Contacts'. */
        part: z.string(),
        actions: z.array(
          z.object({
            /** In words. */
            action: z.string(),
            /** Whether it only looks. */
            isReading: z.boolean(),
            roles: z.array(z.enum(roles)),
          }),
        ),
      }),
    ),
  ),
}
