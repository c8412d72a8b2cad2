import { implement } from '@orpc/server'
import type { Context } from '../context.ts'
import * as invitations from './invitations.ts'
import * as people from './people.ts'
import { peopleContract, type Person } from './people-contract.ts'
import { mayMail, notifyEnded } from './requests.ts'
import type { profiles } from './table.ts'

type Profile = typeof profiles.$inferSelect

const asPerson = (row: Profile): Person & Profile => ({ ...row, fullName: row.name })

const os = implement(peopleContract).$context<Context>()

export const peopleRouter = os.router({
  list: os.list.handler(async ({ context }) => (await people.listPeople(context.db)).map(asPerson)),

  accounts: os.accounts.handler(async ({ context }) => (await people.listAccounts(context.db)).map(asPerson)),

  update: os.update.handler(async ({ input, context, errors }) => {
    const result = await people.updateAccount(context, input)
    if (result === 'not-found') throw errors.NOT_FOUND()
    if (result === 'last-admin') throw errors.LAST_ADMIN()
    notifyEnded(context, [input.id])
    return asPerson(result)
  }),

  resetTwoFactor: os.resetTwoFactor.handler(async ({ input, context, errors }) => {
    const row = await people.resetTwoFactor(context, input.id)
    if (!row) throw errors.NOT_FOUND()
    notifyEnded(context, [input.id])
    return asPerson(row)
  }),

  invitations: os.invitations.handler(({ context }) => invitations.listInvitations(context.db)),

  invite: os.invite.handler(async ({ input, context, errors }) => {
    if (!(await mayMail(context, input.email))) throw errors.TOO_MANY_REQUESTS()
    const result = await invitations.invite(context, input)
    if (result === 'taken') throw errors.EMAIL_TAKEN()
    if (result === 'invited') throw errors.ALREADY_INVITED()
    return result
  }),

  resendInvitation: os.resendInvitation.handler(async ({ input, context, errors }) => {
    const email = await invitations.emailOfInvitation(context.db, input.id)
    if (email === null) throw errors.NOT_FOUND()
    if (!(await mayMail(context, email))) throw errors.TOO_MANY_REQUESTS()
    const sent = await invitations.resendInvitation(context, input.id)
    if (!sent) throw errors.NOT_FOUND()
    return sent
  }),

  withdrawInvitation: os.withdrawInvitation.handler(async ({ input, context, errors }) => {
    if (!(await invitations.withdrawInvitation(context, input.id))) throw errors.NOT_FOUND()
  }),
})
