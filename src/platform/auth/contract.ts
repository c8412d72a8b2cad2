import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isStorable, notStorable } from '../../shared/text.ts'
import { personName } from '../../shared/text-shapes.ts'
import { accountStatuses, roles } from '../../kernel/access/rules.ts'
import { life, session, sessionUser } from '../../kernel/access/session-contract.ts'
import { passkeyAssertion, passkeyOptions } from './passkey-contract.ts'
import { normalizeRecoveryCode, newPassword, passwordMessages } from './rules.ts'

/** Messages from spec 5. */
const authMessages = {
  email: 'Please enter a valid email address',
  emailRequired: 'Email is required',
} as const

export const email = z
  .string(authMessages.email)
  .max(254, authMessages.email)
  .refine(isStorable, authMessages.email)
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email(authMessages.email))

export const signInInput = z.strictObject({
  email,
  password: z.string(passwordMessages.required).min(1, passwordMessages.required).max(200),
})

export const signUpInput = z.strictObject({
  firstName: personName(80, 'First name'),
  lastName: personName(80, 'Last name'),
  email,
  password: newPassword,
})

/** A code as the authenticator shows it, optionally with a space in the middle. */
export const authenticatorCode = z
  .string()
  .max(20)
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Enter the 6 digits that your app shows'))
export const recoveryCode = z
  .string()
  .max(40)
  .refine(isStorable, notStorable)
  .transform(normalizeRecoveryCode)
  .pipe(z.string().min(1, 'Enter one of your recovery codes'))
const isOne = (given: object): boolean => Object.values(given).filter((value) => value !== undefined).length === 1
const secondStepInput = z
  .strictObject({ code: authenticatorCode.optional(), recoveryCode: recoveryCode.optional(), passkey: passkeyAssertion.optional() })
  .refine(isOne, 'Send a code, a recovery code or a passkey')
const proofInput = z
  .strictObject({
    password: z.string(passwordMessages.required).min(1, passwordMessages.required).max(200).optional(),
    code: authenticatorCode.optional(),
    passkey: passkeyAssertion.optional(),
  })
  .refine(isOne, 'Send a password, a code or a passkey')

const token = z.string().min(1).max(200).refine(isStorable, notStorable)
const tags = ['Getting in']
const tooMany = { TOO_MANY_REQUESTS: { status: 429, message: 'Too many attempts. Please wait a few minutes and try again.' } } as const
const noSso = { NOT_SET_UP: { status: 409, message: 'Single sign-on is not set up' } } as const
const providerAway = {
  PROVIDER_UNAVAILABLE: { status: 503, message: 'Your sign-in provider is not available right now. Please try again in a few minutes.' },
} as const
const ssoRequired = { SSO_REQUIRED: { status: 403, message: 'Single sign-on is required here. Please use it to sign in.' } } as const
const callbackText = (max: number) => z.string().min(1).max(max).refine(isStorable, notStorable)
const badLink = { LINK_INVALID: { status: 410, message: 'This link has expired or was used already. Please ask for a new one.' } } as const
const badCode = { INVALID_CODE: { status: 401, message: 'This code is incorrect' } } as const
const badPasskey = {
  INVALID_PASSKEY: { status: 401, message: 'This passkey was not accepted. It may have been removed here, or belong to another address.' },
} as const
const badPassword = { INVALID_CREDENTIALS: { status: 401, message: 'The password is incorrect' } } as const
const route = (method: 'GET' | 'POST', path: `/auth/${string}`, summary: string) => oc.route({ method, path, summary, tags })

export const authContract = {
  session: route('GET', '/auth/session', 'The signed-in user, or null').output(session),
  signIn: route('POST', '/auth/sign-in', 'Sign in with email and password')
    .input(signInInput)
    .errors({
      ...tooMany,
      ...ssoRequired,
      INVALID_CREDENTIALS: { status: 401, message: 'Invalid login credentials' },
      EMAIL_NOT_VERIFIED: { status: 403, message: 'Please verify your email address first. We have sent you a new link.' },
      ACCOUNT_DISABLED: { status: 403, message: 'This account is disabled. Please ask an administrator.' },
    })
    .output(z.union([sessionUser, z.strictObject({ secondStep: z.literal(true) })])),
  secondStep: route('POST', '/auth/second-step', 'Second step: an authenticator code or a recovery code')
    .input(secondStepInput)
    .errors({
      ...tooMany,
      ...badCode,
      ...badPasskey,
      SIGN_IN_AGAIN: { status: 410, message: 'This took too long, or too many codes were wrong. Please sign in again.' },
      ACCOUNT_DISABLED: { status: 403, message: 'This account is disabled. Please ask an administrator.' },
    })
    .output(sessionUser),
  askForPasskey: route('POST', '/auth/passkey/challenge', 'Options for the browser to use a passkey: to sign in, or to confirm')
    .errors(tooMany)
    .output(passkeyOptions),
  passkeySignIn: route('POST', '/auth/passkey', 'Sign in with a passkey, which counts as both factors')
    .input(z.strictObject({ passkey: passkeyAssertion }))
    .errors({
      ...tooMany,
      ...badPasskey,
      ...ssoRequired,
      ACCOUNT_DISABLED: { status: 403, message: 'This account is disabled. Please ask an administrator.' },
    })
    .output(sessionUser),
  beginSsoProof: route('POST', '/auth/sso/proof', 'Confirm at the provider who you are: the address of its sign-in page')
    .errors({ ...tooMany, ...noSso, ...providerAway })
    .output(z.object({ url: z.string() })),
  beginSso: route('POST', '/auth/sso', 'Start single sign-on: the address of the provider’s sign-in page')
    .errors({ ...tooMany, ...noSso, ...providerAway })
    .output(z.object({ url: z.string() })),
  finishSso: route('POST', '/auth/sso/callback', 'Finish single sign-on with what the provider sent to the callback page')
    .input(z.strictObject({ code: callbackText(4000), state: callbackText(200), iss: callbackText(500).optional() }))
    .errors({
      ...noSso,
      ...providerAway,
      SIGN_IN_AGAIN: { status: 410, message: 'This sign-in took too long or was already used. Please start again.' },
      SIGN_IN_REFUSED: { status: 401, message: 'The response of your sign-in provider was not valid. Please start again.' },
      PROVIDER_EMAIL_NOT_VERIFIED: {
        status: 403,
        message: 'Your sign-in provider does not confirm that this email address is yours. Please ask an administrator.',
      },
      NO_ACCOUNT: { status: 403, message: 'There is no account for your email address. Please ask an administrator to invite you.' },
      OTHER_IDENTITY: {
        status: 403,
        message:
          'The account with your email address belongs to another sign-in at your provider. Please ask an administrator to unlink it.',
      },
      NOT_YOU: { status: 403, message: 'Someone else signed in at the provider. Please confirm with your own account there.' },
      NO_ROLE: { status: 403, message: 'You are in no group that has access. Please ask an administrator.' },
      ACCOUNT_DISABLED: { status: 403, message: 'This account is disabled. Please ask an administrator.' },
    })
    .output(z.union([sessionUser, z.strictObject({ secondStep: z.literal(true) }), z.strictObject({ isProven: z.literal(true) })])),
  activity: route(
    'POST',
    '/auth/activity',
    'The person does something: what keeps a session from ending idle, and nothing else does',
  ).output(life),
  stepUp: route('POST', '/auth/step-up', 'Re-authenticate for protected actions')
    .input(proofInput)
    .errors({ ...tooMany, ...badCode, ...badPasskey, ...badPassword }),
  proof: route('GET', '/auth/proof', 'Succeeds only after recent re-authentication; does nothing else').input(
    z.strictObject({
      action: z.string().max(100).refine(isStorable, notStorable).optional().describe('What comes next; the browser names it when it asks'),
    }),
  ),
  signUp: route('POST', '/auth/sign-up', 'Create an account; it gives access to nothing until its address is verified')
    .input(signUpInput)
    .errors({ ...tooMany, ...ssoRequired }),
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
    .errors({
      ...tooMany,
      ...badLink,
      ...ssoRequired,
      INVALID_CREDENTIALS: { status: 401, message: 'The current password is incorrect' },
    })
    /** Spec 2: the user is signed in again, unless a two-factor code is required. A user who cannot sign in yet does so later. */
    .output(z.object({ next: z.enum(['home', 'second-step', 'sign-in']) })),
  verifyEmail: route('POST', '/auth/verify-email', 'Verify the address with the emailed token and the account’s password')
    .input(signInInput.pick({ password: true }).extend({ token: z.string().min(1).max(2000).refine(isStorable, notStorable) }))
    .errors({ ...tooMany, ...badLink, ...badPassword })
    .output(z.object({ status: z.enum(accountStatuses) })),
  resendVerification: route('POST', '/auth/verification', 'Send the verification link again')
    .input(z.strictObject({ email }))
    .errors(tooMany),
  setupState: route('GET', '/auth/setup', 'Whether the first administrator has yet to be created').output(z.object({ open: z.boolean() })),
  createFirstAdmin: route('POST', '/auth/setup', 'Create the first administrator with the link printed at start-up')
    .input(signUpInput.extend({ token }))
    .errors({ ...tooMany, ...badLink })
    .output(sessionUser),
  invitation: route('GET', '/auth/invitations/{token}', 'The invitation of a link')
    .input(z.strictObject({ token }))
    .errors({ ...tooMany, ...badLink })
    .output(z.object({ email: z.string(), role: z.enum(roles), invitedBy: z.string() })),
  acceptInvitation: route(
    'POST',
    '/auth/invitations/{token}/acceptance',
    'Accept an invitation: creates an active account with the offered role',
  )
    .input(z.strictObject({ token, firstName: signUpInput.shape.firstName, lastName: signUpInput.shape.lastName, password: newPassword }))
    .errors({ ...tooMany, ...badLink, ...ssoRequired })
    .output(sessionUser),
}
