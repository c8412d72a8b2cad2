import { implement } from '@orpc/server'
import { refuse, unwrap } from '../kernel/refusal.ts'
import type { Context } from '../platform/context.ts'
import { portalContract } from './contract.ts'
import { requestCode, verifyCode } from './codes.ts'
import * as consents from './consents.ts'
import { listOwn } from './documents.ts'
import { confirmOwn, getHome, instructionsOfOwn, requestOwn } from './home.ts'
import { messagesShown } from './messages-contract.ts'
import { getOwn, saveOwn, submitOwn } from './forms.ts'
import { listOwnMessages, writeOwnMessage } from '../messages/inbox/service.ts'
import { itemScope, ownScope } from './own-scope.ts'
import { getPhotos } from './photos.ts'
import { acceptOwnQuote, declineOwnQuote, listOwnQuotes } from './quotes.ts'
import { getAccount } from './receipts.ts'
import { endSession, patientScope } from './sessions.ts'
import { endOnTablet } from './tablet/service.ts'

const os = implement(portalContract).$context<Context>()

export const portalRouter = os.router({
  requestAccess: os.requestAccess.handler(async ({ input, context, errors }) => {
    unwrap(await requestCode(context, context.attempts, input), errors)
    return { success: true as const }
  }),
  verifyAccess: os.verifyAccess.handler(async ({ input, context, errors }) => {
    const { token } = unwrap(await verifyCode(context, context.attempts, input.email, input.otp), errors)
    const own = unwrap((await patientScope(context, { token })) ?? refuse('INVALID_CODE'), errors)
    return {
      sessionToken: token,
      contact: { id: own.patient, first_name: own.firstName },
      language: own.language,
      documents: await listOwn(own),
    }
  }),
  fetchDocuments: os.fetchDocuments.handler(async ({ input, context, errors }) => {
    const own = unwrap(await ownScope(context, input), errors)
    return { documents: await listOwn(own) }
  }),
  fetchQuotes: os.fetchQuotes.handler(async ({ input, context, errors }) => {
    const own = unwrap(await ownScope(context, input, 'quote'), errors)
    return { quotes: await listOwnQuotes(own) }
  }),
  acceptQuote: os.acceptQuote.handler(async ({ input, context, errors }) => {
    const own = unwrap(await ownScope(context, input, 'quote'), errors)
    unwrap(await acceptOwnQuote(own, input), errors)
    return { quotes: await listOwnQuotes(own) }
  }),
  declineQuote: os.declineQuote.handler(async ({ input, context, errors }) => {
    const own = unwrap(await ownScope(context, input, 'quote'), errors)
    unwrap(await declineOwnQuote(own, input), errors)
    return { quotes: await listOwnQuotes(own) }
  }),
  fetchForm: os.fetchForm.handler(async ({ input, context, errors }) => {
    const own = unwrap(await itemScope(context, input, { kind: 'form', id: input.id }), errors)
    return unwrap(await getOwn(own, input.id), errors)
  }),
  saveForm: os.saveForm.handler(async ({ input, context, errors }) => {
    const own = unwrap(await itemScope(context, input, { kind: 'form', id: input.id }), errors)
    return unwrap(await saveOwn(own, input), errors)
  }),
  submitForm: os.submitForm.handler(async ({ input, context, errors }) => {
    const own = unwrap(await itemScope(context, input, { kind: 'form', id: input.id }), errors)
    return unwrap(await submitOwn(own, input), errors)
  }),
  fetchHome: os.fetchHome.handler(async ({ input, context, errors }) => getHome(unwrap(await ownScope(context, input, 'contact'), errors))),
  fetchInstructions: os.fetchInstructions.handler(async ({ input, context, errors }) => {
    const own = unwrap(await ownScope(context, input, 'surgery'), errors)
    return unwrap(await instructionsOfOwn(own, input.id), errors)
  }),
  confirmAppointment: os.confirmAppointment.handler(async ({ input, context, errors }) => {
    const own = unwrap(await ownScope(context, input, 'appointment'), errors)
    unwrap(await confirmOwn(own, input), errors)
    return getHome(own)
  }),
  requestAppointment: os.requestAppointment.handler(async ({ input: { id, startsAt, ...input }, context, errors }) => {
    const own = unwrap(await ownScope(context, input, 'appointment'), errors)
    const { key, weekdays, dayParts, words } = input
    unwrap(await requestOwn(own, { id, startsAt, request: { key, weekdays, dayParts, words } }), errors)
    return getHome(own)
  }),
  fetchReceipts: os.fetchReceipts.handler(async ({ input, context, errors }) =>
    getAccount(unwrap(await ownScope(context, input, 'sales receipt'), errors)),
  ),
  fetchPhotos: os.fetchPhotos.handler(async ({ input, context, errors }) =>
    getPhotos(unwrap(await ownScope(context, input, 'photo'), errors)),
  ),
  fetchMessages: os.fetchMessages.handler(async ({ input, context, errors }) =>
    listOwnMessages(unwrap(await ownScope(context, input, 'conversation'), errors), input),
  ),
  writeMessage: os.writeMessage.handler(async ({ input, context, errors }) => {
    const own = unwrap(await ownScope(context, input, 'conversation'), errors)
    unwrap(await writeOwnMessage(own, input), errors)
    return listOwnMessages(own, { limit: messagesShown })
  }),
  signOut: os.signOut.handler(async ({ input, context }) => {
    await endSession(context, input.sessionToken)
    await endOnTablet(context, input.sessionToken)
  }),
  fetchConsents: os.fetchConsents.handler(async ({ input, context, errors }) => {
    const own = unwrap(await ownScope(context, input, 'consent form'), errors)
    return { consents: await consents.listOwn(own) }
  }),
  fetchConsent: os.fetchConsent.handler(async ({ input, context, errors }) => {
    const own = unwrap(await itemScope(context, input, { kind: 'consent form', id: input.id }), errors)
    return unwrap(await consents.getOwn(own, input.id), errors)
  }),
  signConsent: os.signConsent.handler(async ({ input, context, errors }) => {
    const own = unwrap(await itemScope(context, input, { kind: 'consent form', id: input.id }), errors)
    return unwrap(await consents.signOwn(own, input), errors)
  }),
  askAboutConsent: os.askAboutConsent.handler(async ({ input, context, errors }) => {
    const own = unwrap(await itemScope(context, input, { kind: 'consent form', id: input.id }), errors)
    return unwrap(await consents.askOwn(own, input), errors)
  }),
  declineConsent: os.declineConsent.handler(async ({ input, context, errors }) => {
    const own = unwrap(await itemScope(context, input, { kind: 'consent form', id: input.id }), errors)
    return unwrap(await consents.declineOwn(own, input), errors)
  }),
  withdrawConsent: os.withdrawConsent.handler(async ({ input, context, errors }) => {
    const own = unwrap(await ownScope(context, input, 'consent form'), errors)
    return unwrap(await consents.withdrawOwn(own, input), errors)
  }),
})
