import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../context.ts'
import * as invitations from './people/invitations.ts'
import { setEmergencyAccess } from './people/emergency.ts'
import * as people from './people/people.ts'
import { peopleContract, type Person } from './people-contract.ts'
import { limitMails, notifyEnded } from './requests.ts'
import type { profiles } from './table.ts'

type Profile = typeof profiles.$inferSelect

const asPerson = <Row extends Profile>(row: Row): Person & Row => ({ ...row, fullName: row.name })
const account = async ({ db }: Context, id: string) => asPerson(await people.accountById(db, id))

const os = implement(peopleContract).$context<Context>()

export const peopleRouter = os.router({
  list: os.list.handler(async ({ context }) => (await people.listPeople(context.db)).map(asPerson)),

  accounts: os.accounts.handler(async ({ context }) => (await people.listAccounts(context.db)).map(asPerson)),

  update: os.update.handler(async ({ input, context, errors }) => {
    unwrap(await people.updateAccount(context, input), errors)
    notifyEnded(context, [input.id])
    return account(context, input.id)
  }),

  resetTwoFactor: os.resetTwoFactor.handler(async ({ input, context, errors }) => {
    unwrap(await people.resetTwoFactor(context, input.id), errors)
    notifyEnded(context, [input.id])
    return account(context, input.id)
  }),
  setEmergencyAccess: os.setEmergencyAccess.handler(async ({ input, context, errors }) => {
    unwrap(await setEmergencyAccess(context, input), errors)
    return account(context, input.id)
  }),
  unlinkSso: os.unlinkSso.handler(async ({ input, context, errors }) => {
    unwrap(await people.unlinkSso(context, input.id), errors)
    notifyEnded(context, [input.id])
    return account(context, input.id)
  }),

  invitations: os.invitations.handler(({ context }) => invitations.listInvitations(context.db)),

  invite: os.invite.handler(async ({ input, context, errors }) => {
    unwrap(await limitMails(context, input.email), errors)
    return unwrap(await invitations.invite(context, input), errors)
  }),

  resendInvitation: os.resendInvitation.handler(async ({ input, context, errors }) => {
    const email = unwrap(await invitations.emailOfInvitation(context.db, input.id), errors)
    unwrap(await limitMails(context, email), errors)
    return unwrap(await invitations.resendInvitation(context, input.id), errors)
  }),

  withdrawInvitation: os.withdrawInvitation.handler(
    async ({ input, context, errors }) => void unwrap(await invitations.withdrawInvitation(context, input.id), errors),
  ),
})
