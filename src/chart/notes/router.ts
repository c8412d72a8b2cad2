import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { notesContract } from './contract.ts'
import * as drafts from './drafts.ts'
import * as read from './read.ts'
import { addAddendum, cosignNote, signNote } from './sign.ts'
import * as templates from './templates.ts'

const os = implement(notesContract).$context<Context>()

export const notesRouter = os.router({
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => unwrap(await read.notesOf(context, input), errors)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await read.viewNote(context, input.id), errors)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await drafts.createNote(context, input), errors)),
  save: os.save.handler(async ({ input, context, errors }) => unwrap(await drafts.saveNote(context, input), errors)),
  takeOver: os.takeOver.handler(async ({ input, context, errors }) => unwrap(await drafts.takeOverNote(context, input), errors)),
  discard: os.discard.handler(async ({ input, context, errors }) => void unwrap(await drafts.discardNote(context, input), errors)),
  sign: os.sign.handler(async ({ input, context, errors }) => unwrap(await signNote(context, input), errors)),
  cosign: os.cosign.handler(async ({ input, context, errors }) => unwrap(await cosignNote(context, input), errors)),
  addAddendum: os.addAddendum.handler(async ({ input, context, errors }) => unwrap(await addAddendum(context, input), errors)),
  revisions: os.revisions.handler(async ({ input, context, errors }) => unwrap(await read.listRevisions(context, input.id), errors)),
  revision: os.revision.handler(async ({ input, context, errors }) => unwrap(await read.getRevision(context, input), errors)),
  templates: os.templates.handler(({ context }) => templates.listNoteTemplates(context.db)),
  addTemplate: os.addTemplate.handler(async ({ input, context, errors }) =>
    unwrap(await templates.addNoteTemplate(context, input), errors),
  ),
  changeTemplate: os.changeTemplate.handler(async ({ input, context, errors }) =>
    unwrap(await templates.changeNoteTemplate(context, input), errors),
  ),
})
