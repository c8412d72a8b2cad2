import { implement } from '@orpc/server'
import { countedAs } from '../kernel/requests.ts'
import type { Context } from '../platform/context.ts'
import { portalContract } from './contract.ts'
import { requestCode, verifyCode } from './codes.ts'
import { listOwn } from './documents.ts'
import { ownScope } from './own.ts'
import { acceptOwnQuote, declineOwnQuote, listOwnQuotes } from './quotes.ts'
import { endSession, patientScope } from './sessions.ts'

const os = implement(portalContract).$context<Context>()

export const portalRouter = os.router({
  requestAccess: os.requestAccess.handler(async ({ input, context, errors }) => {
    if (!(await requestCode(context, context.attempts, input.email))) throw errors.TOO_MANY_REQUESTS()
    return { success: true as const }
  }),
  verifyAccess: os.verifyAccess.handler(async ({ input, context, errors }) => {
    if (!(await context.attempts.consume('portalVerifyAddress', countedAs(context.origin.address)))) throw errors.TOO_MANY_REQUESTS()
    const session = await verifyCode(context, input.email, input.otp)
    const own = session && (await patientScope(context, { token: session.token }))
    if (!own) throw errors.INVALID_CODE()
    return {
      sessionToken: session.token,
      contact: { id: own.patient, first_name: own.firstName },
      documents: await listOwn(own),
    }
  }),
  fetchDocuments: os.fetchDocuments.handler(async ({ input, context, errors }) => {
    const own = await ownScope(context, input)
    if (own === 'over') throw errors.SESSION_OVER()
    if (own === 'foreign') throw errors.NOT_FOUND()
    return { documents: await listOwn(own) }
  }),
  fetchQuotes: os.fetchQuotes.handler(async ({ input, context, errors }) => {
    const own = await ownScope(context, input, 'quote')
    if (own === 'over') throw errors.SESSION_OVER()
    if (own === 'foreign') throw errors.NOT_FOUND()
    return { quotes: await listOwnQuotes(own) }
  }),
  acceptQuote: os.acceptQuote.handler(async ({ input, context, errors }) => {
    const own = await ownScope(context, input, 'quote')
    if (own === 'over') throw errors.SESSION_OVER()
    const refused = own === 'foreign' ? 'NOT_FOUND' : await acceptOwnQuote(own, input)
    if (own === 'foreign' || refused) throw errors[refused!]()
    return { quotes: await listOwnQuotes(own) }
  }),
  declineQuote: os.declineQuote.handler(async ({ input, context, errors }) => {
    const own = await ownScope(context, input, 'quote')
    if (own === 'over') throw errors.SESSION_OVER()
    const refused = own === 'foreign' ? 'NOT_FOUND' : await declineOwnQuote(own, input)
    if (own === 'foreign' || refused) throw errors[refused!]()
    return { quotes: await listOwnQuotes(own) }
  }),
  signOut: os.signOut.handler(({ input, context }) => endSession(context, input.sessionToken)),
})
