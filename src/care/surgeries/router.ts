import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { changeSurgery, setStatus } from './change.ts'
import { addItem, changeItem, removeItem } from './checklists/checklist.ts'
import { surgeriesContract } from './contract.ts'
import { createSurgery } from './create.ts'
import * as read from './read.ts'
import * as templates from './checklists/templates.ts'

const os = implement(surgeriesContract).$context<Context>()

export const surgeriesRouter = os.router({
  list: os.list.handler(({ input, context }) => read.listSurgeries(context, input)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => unwrap(await read.surgeriesOf(context, input.contactId), errors)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await read.viewSurgery(context, input.id), errors)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await createSurgery(context, input), errors)),
  change: os.change.handler(async ({ input, context, errors }) => unwrap(await changeSurgery(context, input), errors)),
  setStatus: os.setStatus.handler(async ({ input, context, errors }) => unwrap(await setStatus(context, input), errors)),
  addItem: os.addItem.handler(async ({ input, context, errors }) => unwrap(await addItem(context, input), errors)),
  changeItem: os.changeItem.handler(async ({ input, context, errors }) => unwrap(await changeItem(context, input), errors)),
  removeItem: os.removeItem.handler(async ({ input, context, errors }) => unwrap(await removeItem(context, input), errors)),
  templates: os.templates.handler(({ context }) => templates.listTemplates(context.db)),
  addTemplate: os.addTemplate.handler(async ({ input, context, errors }) => unwrap(await templates.addTemplate(context, input), errors)),
  changeTemplate: os.changeTemplate.handler(async ({ input, context, errors }) =>
    unwrap(await templates.changeTemplate(context, input), errors),
  ),
  deleteTemplate: os.deleteTemplate.handler(
    async ({ input, context, errors }) => void unwrap(await templates.deleteTemplate(context, input.id), errors),
  ),
})
