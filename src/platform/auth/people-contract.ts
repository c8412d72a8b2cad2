import { oc } from '@orpc/contract'
import { z } from 'zod'
import { accountStatuses, roles } from '../../kernel/access/rules.ts'
import { email } from './contract.ts'

/** A staff member as seen by colleagues (spec 7: profiles). */
export const person = z.object({
  id: z.uuid(),
  firstName: z.string(),
  lastName: z.string(),
  fullName: z.string(),
  email: z.string(),
  role: z.enum(roles),
})
export type Person = z.output<typeof person>

const account = person.extend({
  status: z.enum(accountStatuses),
  emailVerified: z.boolean(),
  twoFactorEnabled: z.boolean(),
  /** Whether the password works when single sign-on is enforced. */
  emergencyAccess: z.boolean(),
  passkeys: z.number().int(),
  /** Whether it belongs to someone at the sign-in provider. */
  isLinked: z.boolean(),
  createdAt: z.date(),
})

const invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  role: z.enum(roles),
  invitedBy: z.uuid(),
  sentAt: z.date(),
  expiresAt: z.date(),
})

export const invitationInput = z.strictObject({ email, role: z.enum(roles) })

const byId = z.strictObject({ id: z.uuid() })
const tags = ['People']
const noAccount = { NOT_FOUND: { status: 404, message: 'This account does not exist' } } as const
const lastEmergency = {
  LAST_EMERGENCY: { status: 409, message: 'Single sign-on is required, and this is the only account with emergency access' },
} as const
const noInvitation = { NOT_FOUND: { status: 404, message: 'This invitation no longer exists' } } as const
const tooMany = {
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many emails were sent to this address. Please wait a few minutes.' },
} as const

export const peopleContract = {
  list: oc.route({ method: 'GET', path: '/people', tags, summary: 'Active staff by name' }).output(z.array(person)),
  accounts: oc.route({ method: 'GET', path: '/accounts', tags, summary: 'All accounts, pending approvals first' }).output(z.array(account)),
  update: oc
    .route({
      method: 'PATCH',
      path: '/accounts/{id}',
      tags,
      summary: 'Approve, disable or change the role of an account; ends its sessions',
    })
    .input(
      z
        .strictObject({ id: z.uuid(), status: z.enum(accountStatuses).optional(), role: z.enum(roles).optional() })
        .refine(({ status, role }) => status !== undefined || role !== undefined, 'Specify what to change'),
    )
    .errors({ ...noAccount, ...lastEmergency, LAST_ADMIN: { status: 409, message: 'The last administrator cannot be changed' } })
    .output(account),
  resetTwoFactor: oc
    .route({
      method: 'POST',
      path: '/accounts/{id}/two-factor-reset',
      tags,
      summary: 'Remove the authenticator and passkeys of a user who lost them; ends their sessions',
    })
    .input(byId)
    .errors({ ...noAccount, ...lastEmergency })
    .output(account),
  setEmergencyAccess: oc
    .route({
      method: 'PUT',
      path: '/accounts/{id}/emergency-access',
      tags,
      summary: 'Whether the password of an administrator works when single sign-on is enforced',
    })
    .input(z.strictObject({ id: z.uuid(), isOn: z.boolean() }))
    .errors({
      ...noAccount,
      ...lastEmergency,
      NOT_ELIGIBLE: { status: 409, message: 'Emergency access is for active administrators with two-factor authentication' },
    })
    .output(account),
  unlinkSso: oc
    .route({
      method: 'POST',
      path: '/accounts/{id}/sso-unlink',
      tags,
      summary:
        'Forget who an account is at the sign-in provider; the next verified sign-in with its address links it again. Ends its sessions.',
    })
    .input(byId)
    .errors(noAccount)
    .output(account),
  invitations: oc.route({ method: 'GET', path: '/invitations', tags, summary: 'Pending invitations' }).output(z.array(invitation)),
  invite: oc
    .route({
      method: 'POST',
      path: '/invitations',
      tags,
      summary: 'Invite someone to a role by an emailed link that works once, for 7 days',
    })
    .input(invitationInput)
    .errors({
      ...tooMany,
      EMAIL_TAKEN: { status: 409, message: 'This address already has an account' },
      ALREADY_INVITED: { status: 409, message: 'This address already has an invitation' },
    })
    .output(invitation),
  resendInvitation: oc
    .route({ method: 'POST', path: '/invitations/{id}/resend', tags, summary: 'Send a new link; the previous one no longer works' })
    .input(byId)
    .errors({ ...noInvitation, ...tooMany })
    .output(invitation),
  withdrawInvitation: oc
    .route({ method: 'DELETE', path: '/invitations/{id}', tags, summary: 'Withdraw an invitation; its link no longer works' })
    .input(byId)
    .errors(noInvitation),
}
