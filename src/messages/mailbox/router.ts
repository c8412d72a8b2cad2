import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { staff } from '../../kernel/scope.ts'
import { mailboxContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(mailboxContract).$context<Context>()

export const mailboxRouter = os.router({
  connection: os.connection.handler(({ context }) => service.statusOf(context)),
  connect: os.connect.handler(async ({ input, context, errors }) => unwrap(await service.connect(context, input.provider), errors)),
  finish: os.finish.handler(async ({ input, context, errors }) => unwrap(await service.finish(context, input), errors)),
  disconnect: os.disconnect.handler(({ context }) => service.disconnect(context)),
  test: os.test.handler(async ({ context, errors }) => {
    if (!(await context.attempts.consume('connectionTest', `${staff(context).id} own mailbox`))) throw errors.TOO_MANY_REQUESTS()
    return unwrap(await service.testOwnMailbox(context), errors)
  }),
  newMessages: os.newMessages.handler(async ({ input, context, errors }) => unwrap(await service.newMessages(context, input), errors)),
  folders: os.folders.handler(async ({ context, errors }) => unwrap(await service.folders(context), errors)),
  threads: os.threads.handler(async ({ input, context, errors }) => unwrap(await service.threads(context, input), errors)),
  thread: os.thread.handler(async ({ input, context, errors }) => unwrap(await service.thread(context, input.id), errors)),
  changeThread: os.changeThread.handler(async ({ input, context, errors }) => unwrap(await service.changeThread(context, input), errors)),
  link: os.link.handler(async ({ input, context, errors }) => unwrap(await service.link(context, input.id, input.contactId), errors)),
  unlink: os.unlink.handler(async ({ input, context, errors }) => unwrap(await service.unlink(context, input.id), errors)),
  drafts: os.drafts.handler(({ context }) => service.listDrafts(context)),
  draft: os.draft.handler(async ({ input, context, errors }) => unwrap(await service.findDraft(context, input.id), errors)),
  saveDraft: os.saveDraft.handler(async ({ input, context, errors }) => unwrap(await service.saveDraft(context, input), errors)),
  deleteDraft: os.deleteDraft.handler(async ({ input, context, errors }) => unwrap(await service.deleteDraft(context, input.id), errors)),
  removeFile: os.removeFile.handler(async ({ input, context, errors }) =>
    unwrap(await service.removeFile(context, input.id, input.fileId), errors),
  ),
  sendDraft: os.sendDraft.handler(async ({ input, context, errors }) =>
    unwrap(await service.sendDraft(context, input.id, input.version), errors),
  ),
})
