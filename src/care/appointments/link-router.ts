import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { appointmentLinksContract } from './link-contract.ts'
import { askByLink, confirmByLink, viewLink } from './links.ts'

const os = implement(appointmentLinksContract).$context<Context>()

export const appointmentLinksRouter = os.router({
  view: os.view.handler(async ({ input, context, errors }) => {
    const result = await viewLink(context, context.attempts, input.token)
    if (result === 'too-many') throw errors.TOO_MANY_REQUESTS()
    if (!result) throw errors.NOT_FOUND()
    return result
  }),
  confirm: os.confirm.handler(async ({ input, context, errors }) => {
    const result = await confirmByLink(context, context.attempts, input.token)
    if (result === 'too-many') throw errors.TOO_MANY_REQUESTS()
    if (result === 'not-possible') throw errors.NOT_POSSIBLE()
    if (!result) throw errors.NOT_FOUND()
    return result
  }),
  askForAnother: os.askForAnother.handler(async ({ input: { token, ...wish }, context, errors }) => {
    const result = await askByLink(context, context.attempts, token, wish)
    if (result === 'too-many') throw errors.TOO_MANY_REQUESTS()
    if (result === 'not-possible') throw errors.NOT_POSSIBLE()
    if (!result) throw errors.NOT_FOUND()
    return result
  }),
})
