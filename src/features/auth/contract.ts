import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isStorable, notStorable, requiredText } from '../../shared/text.ts'
import { accountStatuses, roles } from '../access/rules.ts'
import { newPassword, passwordMessages } from './rules.ts'

/** Spec 5's messages. */
const authMessages = {
  email: 'Please enter a valid email address',
  emailRequired: 'Email is required',
  firstName: 'First name is required',
  lastName: 'Last name is required',
} as const

export const email = z
  .string()
  .max(254, authMessages.email)
  .refine(isStorable, authMessages.email)
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email(authMessages.email))

export const signInInput = z.strictObject({ email, password: z.string().min(1, passwordMessages.required).max(200) })

export const signUpInput = z.strictObject({
  firstName: requiredText(80, authMessages.firstName),
  lastName: requiredText(80, authMessages.lastName),
  email,
  password: newPassword,
})

export const sessionUser = z.object({
  id: z.uuid(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  fullName: z.string(),
  role: z.enum(roles),
  status: z.enum(accountStatuses),
})
export type SessionUser = z.output<typeof sessionUser>

/** What every screen needs before it draws: who is signed in, and the practice's own settings. */
export const session = z.object({
  user: sessionUser.nullable(),
  practice: z.object({
    name: z.string(),
    subtitle: z.string(),
    /** Whom patients call, and when; empty where it is not set. */
    phone: z.string(),
    hours: z.string(),
    timeZone: z.string(),
    brandHue: z.number().nullable(),
    demo: z.boolean(),
    /** Spec 7's anonymous bearer of the patient portal. It is public and proves nothing. */
    portalToken: z.string(),
  }),
})

const token = z.string().min(1).max(200).refine(isStorable, notStorable)
const tags = ['Getting in']
const tooMany = { TOO_MANY_REQUESTS: { status: 429, message: 'Too many attempts. Please wait a few minutes and try again.' } } as const
const badLink = { LINK_INVALID: { status: 410, message: 'This link has expired or was used already. Please ask for a new one.' } } as const
const route = (method: 'GET' | 'POST', path: `/auth/${string}`, summary: string) => oc.route({ method, path, summary, tags })

export const authContract = {
  session: route('GET', '/auth/session', 'Who is signed in; null when nobody is').output(session),
  signIn: route('POST', '/auth/sign-in', 'Sign in with e-mail and password')
    .input(signInInput)
    .errors({
      ...tooMany,
      INVALID_CREDENTIALS: { status: 401, message: 'Invalid login credentials' },
      EMAIL_NOT_VERIFIED: { status: 403, message: 'Please verify your email address first. We have sent you a new link.' },
      ACCOUNT_DISABLED: { status: 403, message: 'This account is disabled. Please ask an administrator.' },
    })
    .output(sessionUser),
  signUp: route('POST', '/auth/sign-up', 'Create an account; it gives access to nothing until its address is verified')
    .input(signUpInput)
    .errors(tooMany),
  signOut: route('POST', '/auth/sign-out', 'End every session of the account'),
  requestPasswordReset: route(
    'POST',
    '/auth/password-reset',
    'Send a link to reset the password; the answer is the same for unknown addresses',
  )
    .input(z.strictObject({ email }))
    .errors(tooMany),
  updatePassword: route(
    'POST',
    '/auth/password',
    'Set a new password: with the token of a reset link, or signed in with the current password',
  )
    .input(z.strictObject({ password: newPassword, token: token.optional(), currentPassword: z.string().min(1).max(200).optional() }))
    .errors({ ...tooMany, ...badLink, INVALID_CREDENTIALS: { status: 401, message: 'The current password is not right' } }),
  verifyEmail: route('POST', '/auth/verify-email', 'Prove the address with the token that was sent to it')
    .input(z.strictObject({ token: z.string().min(1).max(2000).refine(isStorable, notStorable) }))
    .errors(badLink)
    .output(z.object({ status: z.enum(accountStatuses) })),
  resendVerification: route('POST', '/auth/verification', 'Send the verification link again')
    .input(z.strictObject({ email }))
    .errors(tooMany),
  setupState: route('GET', '/auth/setup', 'Whether the first administrator is still to be made').output(z.object({ open: z.boolean() })),
  createFirstAdmin: route('POST', '/auth/setup', 'Make the first administrator through the link printed at start-up')
    .input(signUpInput.extend({ token }))
    .errors({ ...tooMany, ...badLink })
    .output(sessionUser),
}

/** A member of staff as others see them (spec 7: profiles). */
export const person = z.object({
  id: z.uuid(),
  firstName: z.string(),
  lastName: z.string(),
  fullName: z.string(),
  email: z.string(),
  role: z.enum(roles),
})
export type Person = z.output<typeof person>

const account = person.extend({ status: z.enum(accountStatuses), emailVerified: z.boolean(), createdAt: z.date() })

export const peopleContract = {
  list: oc.route({ method: 'GET', path: '/people', tags: ['People'], summary: 'Active staff by name' }).output(z.array(person)),
  accounts: oc
    .route({ method: 'GET', path: '/accounts', tags: ['People'], summary: 'Every account, those who wait for approval first' })
    .output(z.array(account)),
  update: oc
    .route({
      method: 'PATCH',
      path: '/accounts/{id}',
      tags: ['People'],
      summary: 'Approve, disable or change the role of an account; ends its sessions',
    })
    .input(
      z
        .strictObject({ id: z.uuid(), status: z.enum(accountStatuses).optional(), role: z.enum(roles).optional() })
        .refine(({ status, role }) => status !== undefined || role !== undefined, 'Say what to change'),
    )
    .errors({
      NOT_FOUND: { status: 404, message: 'This account does not exist' },
      LAST_ADMIN: { status: 409, message: 'The last administrator cannot be changed' },
    })
    .output(account),
}
