import { oc } from '@orpc/contract'
import { z } from 'zod'
import { authenticatorCode, signUpInput } from './contract.ts'
import { sessionUser } from '../../kernel/access/session-contract.ts'
import { requiredLine } from '../../shared/text-shapes.ts'
import { passkeyOptions, passkeyRegistration } from './passkey-contract.ts'
import { passwordMessages } from './rules.ts'

/** First and last name. */
export const profileInput = z.strictObject({ firstName: signUpInput.shape.firstName, lastName: signUpInput.shape.lastName })

const sessionLine = z.object({
  id: z.uuid(),
  /** Browser and system: 'Chrome on Windows'. */
  device: z.string(),
  address: z.string().nullable(),
  createdAt: z.date(),
  seenAt: z.date(),
  isCurrent: z.boolean(),
})
export type SessionLine = z.output<typeof sessionLine>

const passkeyLine = z.object({ id: z.uuid(), name: z.string(), createdAt: z.date(), lastUsedAt: z.date().nullable() })
export type PasskeyLine = z.output<typeof passkeyLine>
export const passkeyInput = z.strictObject({ name: requiredLine(60, 'Name the passkey, such as the device it is on') })

const tags = ['Own account']
const withPassword = z.strictObject({ password: z.string().min(1, passwordMessages.required).max(200) })
const refusals = {
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many attempts. Please wait a few minutes and try again.' },
  INVALID_CREDENTIALS: { status: 401, message: 'The password is incorrect' },
} as const
const tooManyPasskeys = { TOO_MANY_PASSKEYS: { status: 409, message: 'You have 20 passkeys. Remove one first.' } } as const
const notOn = { NOT_ON: { status: 409, message: 'Two-factor authentication is not on' } } as const
const alreadyOn = { ALREADY_ON: { status: 409, message: 'Two-factor authentication is already on' } } as const
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const accountContract = {
  updateProfile: oc
    .route({ method: 'PATCH', path: '/account/profile', tags, summary: 'Change your own name' })
    .input(profileInput)
    .output(sessionUser),
  sessions: oc
    .route({ method: 'GET', path: '/account/sessions', tags, summary: 'Your active sessions, most recently used first' })
    .output(z.array(sessionLine)),
  endSession: oc
    .route({ method: 'DELETE', path: '/account/sessions/{id}', tags, summary: 'End one of your other sessions' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This session has already ended' } }),
  endOtherSessions: oc.route({ method: 'DELETE', path: '/account/sessions', tags, summary: 'End all your other sessions' }),
  twoFactor: oc.route({ method: 'GET', path: '/account/two-factor', tags, summary: 'Whether sign-in requires a code' }).output(
    z.object({
      isOn: z.boolean(),
      recoveryCodesLeft: z.number().int(),
      /** What a sensitive action can be confirmed with, besides a code. */
      hasPassword: z.boolean(),
      hasPasskey: z.boolean(),
      isLinked: z.boolean(),
    }),
  ),
  passkeys: oc
    .route({ method: 'GET', path: '/account/passkeys', tags, summary: 'Your passkeys, oldest first' })
    .output(z.array(passkeyLine)),
  beginPasskey: oc
    .route({ method: 'POST', path: '/account/passkeys/challenge', tags, summary: 'Options for the browser to create a passkey' })
    .errors(tooManyPasskeys)
    .output(passkeyOptions),
  addPasskey: oc
    .route({ method: 'POST', path: '/account/passkeys', tags, summary: 'Store the passkey that the browser created' })
    .input(passkeyInput.extend({ response: passkeyRegistration }))
    .errors({ ...tooManyPasskeys, INVALID_PASSKEY: { status: 409, message: 'This passkey was not added. Please start again.' } })
    .output(passkeyLine),
  removePasskey: oc
    .route({ method: 'DELETE', path: '/account/passkeys/{id}', tags, summary: 'Remove one of your passkeys' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This passkey was removed already' } }),
  beginTwoFactor: oc
    .route({
      method: 'POST',
      path: '/account/two-factor',
      tags,
      summary: 'A new secret for an authenticator; nothing changes until it is confirmed',
    })
    .input(withPassword)
    .errors({ ...refusals, ...alreadyOn })
    .output(z.object({ uri: z.string(), secret: z.string() })),
  confirmTwoFactor: oc
    .route({
      method: 'POST',
      path: '/account/two-factor/confirmation',
      tags,
      summary: 'The first code of the authenticator: from now on one is asked for. Every other session ends.',
    })
    .input(z.strictObject({ code: authenticatorCode }))
    .errors({
      ...alreadyOn,
      ...notOn,
      TOO_MANY_REQUESTS: refusals.TOO_MANY_REQUESTS,
      INVALID_CODE: { status: 401, message: 'This code is incorrect' },
    })
    .output(recoveryCodes),
  renewRecoveryCodes: oc
    .route({
      method: 'POST',
      path: '/account/two-factor/recovery-codes',
      tags,
      summary: 'Create ten new recovery codes; the previous ones no longer work',
    })
    .input(withPassword)
    .errors({ ...refusals, ...notOn })
    .output(recoveryCodes),
  turnOffTwoFactor: oc
    .route({ method: 'POST', path: '/account/two-factor/removal', tags, summary: 'Turn off two-factor authentication' })
    .input(withPassword)
    .errors({
      ...refusals,
      ...notOn,
      LAST_EMERGENCY: { status: 409, message: 'You are the only one with emergency access, which requires two-factor authentication' },
    }),
}
