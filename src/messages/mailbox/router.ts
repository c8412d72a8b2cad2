import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { staff } from '../../kernel/scope.ts'
import { mailboxContract } from './contract.ts'
import * as service from './service.ts'
import { isRefusal, type Refusal } from './use.ts'

const os = implement(mailboxContract).$context<Context>()

/** The errors of every call that asks the provider. */
type ProviderErrors = {
  NOT_CONNECTED: () => Error
  RECONNECT: () => Error
  AWAY: () => Error
  REFUSED: () => Error
  BUSY: (given: { data: { retryAfter: number | null } }) => Error
  NOT_FOUND?: () => Error
}

function errorOf(refusal: Refusal, errors: ProviderErrors): Error {
  switch (refusal.refused) {
    case 'none':
      return errors.NOT_CONNECTED()
    case 'reconnect':
      return errors.RECONNECT()
    case 'busy':
      return errors.BUSY({ data: { retryAfter: refusal.retryAfter } })
    case 'missing':
      return errors.NOT_FOUND?.() ?? errors.AWAY()
    case 'not-accepted':
      return errors.REFUSED()
    case 'away':
      return errors.AWAY()
  }
}

/** What the provider answered, or the refusal as an error of the call. */
function answered<Value>(value: Value | Refusal, errors: ProviderErrors): Value {
  if (isRefusal(value)) throw errorOf(value, errors)
  return value
}

export const mailboxRouter = os.router({
  connection: os.connection.handler(({ context }) => service.statusOf(context)),
  connect: os.connect.handler(async ({ input, context, errors }) => {
    const url = await service.connect(context, input.provider)
    if (!url) throw errors.NOT_SET_UP()
    return { url }
  }),
  finish: os.finish.handler(async ({ input, context, errors }) => {
    const ended = await service.finish(context, input)
    if (ended === 'off') throw errors.NOT_SET_UP()
    if (ended === 'state') throw errors.STATE()
    if (ended === 'refused') throw errors.CODE()
    if (ended === 'away') throw errors.AWAY()
    return service.statusOf(context)
  }),
  disconnect: os.disconnect.handler(async ({ context }) => {
    await service.disconnect(context)
    return service.statusOf(context)
  }),
  test: os.test.handler(async ({ context, errors }) => {
    if (!(await context.attempts.consume('connectionTest', `${staff(context).id} own mailbox`))) throw errors.TOO_MANY_REQUESTS()
    const outcome = await service.testOwnMailbox(context)
    if (!outcome) throw errors.NOT_CONNECTED()
    return outcome
  }),
  newMessages: os.newMessages.handler(async ({ input, context, errors }) => answered(await service.newMessages(context, input), errors)),
  folders: os.folders.handler(async ({ context, errors }) => answered(await service.folders(context), errors)),
  threads: os.threads.handler(async ({ input, context, errors }) => answered(await service.threads(context, input), errors)),
  thread: os.thread.handler(async ({ input, context, errors }) => answered(await service.thread(context, input.id), errors)),
  changeThread: os.changeThread.handler(async ({ input, context, errors }) => answered(await service.changeThread(context, input), errors)),
  link: os.link.handler(async ({ input, context, errors }) => {
    const linked = answered(await service.link(context, input.id, input.contactId), errors)
    if ('invalid' in linked) throw errors.INVALID_REFERENCE({ data: { fields: linked.invalid } })
    return linked
  }),
  unlink: os.unlink.handler(async ({ input, context, errors }) => {
    const unlinked = await service.unlink(context, input.id)
    if (!unlinked) throw errors.NOT_FOUND()
    return unlinked
  }),
  drafts: os.drafts.handler(({ context }) => service.listDrafts(context)),
  draft: os.draft.handler(async ({ input, context, errors }) => {
    const draft = await service.findDraft(context, input.id)
    if (!draft) throw errors.NOT_FOUND()
    return draft
  }),
  saveDraft: os.saveDraft.handler(async ({ input, context, errors }) => {
    const saved = await service.saveDraft(context, input)
    if (saved === 'none') throw errors.NOT_CONNECTED()
    if (saved === 'gone') throw errors.NOT_FOUND()
    if (saved === 'taken') throw errors.TAKEN()
    if (saved === 'sending') throw errors.SENDING()
    if ('conflict' in saved) throw errors.CONFLICT({ data: { draft: saved.conflict } })
    return saved
  }),
  deleteDraft: os.deleteDraft.handler(async ({ input, context, errors }) => {
    const deleted = await service.deleteDraft(context, input.id)
    if (!deleted) throw errors.NOT_FOUND()
    if (deleted === 'sending') throw errors.SENDING()
    return deleted
  }),
  removeFile: os.removeFile.handler(async ({ input, context, errors }) => {
    const draft = await service.removeFile(context, input.id, input.fileId)
    if (!draft) throw errors.NOT_FOUND()
    if (draft === 'sending') throw errors.SENDING()
    return draft
  }),
  sendDraft: os.sendDraft.handler(async ({ input, context, errors }) => {
    const sent = await service.sendDraft(context, input.id, input.version)
    if (!sent) throw errors.NOT_FOUND()
    if (sent === 'none') throw errors.NOT_CONNECTED()
    if (sent === 'reconnect') throw errors.RECONNECT()
    if (sent === 'no-recipient') throw errors.NO_RECIPIENT({ data: { fields: { to: 'Say who this goes to' } } })
    if (sent === 'too-large') throw errors.TOO_LARGE({ data: { fields: { files: 'The files are too large: 18 MB together at most' } } })
    if ('conflict' in sent) throw errors.CONFLICT({ data: { draft: sent.conflict } })
    return sent
  }),
})
