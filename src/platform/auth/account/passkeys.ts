import { and, asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Env } from '../../../kernel/env.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { type Scope, staff } from '../../../kernel/scope.ts'
import { hashToken, newToken } from '../../../kernel/tokens.ts'
import type { PasskeyLine } from '../account-contract.ts'
import type { PasskeyAssertion, PasskeyRegistration } from '../passkey-contract.ts'
import { beginAttempt, endAttempt } from '../oauth-attempts.ts'
import { recordPasskey } from '../people/people.ts'
import { address } from '../requests.ts'
import { attemptCookie, cookieOf } from '../sessions/cookies.ts'
import { passkeys, profiles } from '../table.ts'
import { notifyPerson } from './account-emails.ts'

/**
 * Passkeys (WebAuthn). The challenge is the `state` of an attempt: it works once, within ten minutes. User verification is required, so a
 * passkey counts as two factors: the device, and its fingerprint, face or PIN.
 */

const registering = 'add a passkey'
const signing = 'use a passkey'
const maxPasskeys = 20
const cookieSeconds = 10 * 60

/** Loaded on use: few requests need it, and it would cost each process 26 MB. */
const webauthn = () => import('@simplewebauthn/server')

/** A passkey belongs to the host of APP_URL, and works only there. */
const relyingParty = ({ APP_URL }: Env) => ({ id: new URL(APP_URL).hostname, origin: new URL(APP_URL).origin })
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

export async function myPasskeys(scope: Scope): Promise<PasskeyLine[]> {
  const rows = await scope.db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, staff(scope).id))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
  return rows.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt }))
}

/** What the browser needs to create a passkey for the actor. */
export async function beginPasskey(scope: Scope) {
  const me = staff(scope)
  const known = await scope.db.select().from(passkeys).where(eq(passkeys.userId, me.id))
  if (known.length >= maxPasskeys) return refuse('TOO_MANY_PASSKEYS')
  const { generateRegistrationOptions } = await webauthn()
  const state = await beginAttempt(scope, registering)
  return generateRegistrationOptions({
    rpName: scope.env.PRACTICE_NAME,
    rpID: relyingParty(scope.env).id,
    userID: new Uint8Array(Buffer.from(me.id)),
    userName: me.email,
    userDisplayName: me.name,
    challenge: bytesOf(state),
    supportedAlgorithmIDs: [-8, -7, -257],
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Stores the passkey that the browser created. */
export async function addPasskey(scope: Scope, { name, response }: { name: string; response: PasskeyRegistration }) {
  const me = staff(scope)
  const challenge = challengeOf(response.response)
  if (challenge === null || !(await endAttempt(scope, registering, challenge))) return refuse('INVALID_PASSKEY')
  const { verifyRegistrationResponse } = await webauthn()
  const { id: rpId, origin } = relyingParty(scope.env)
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch(() => null)
  if (!checked?.verified) return refuse('INVALID_PASSKEY')
  const { credential } = checked.registrationInfo
  return scope.db.transaction(async (tx) => {
    await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, me.id)).for('no key update')
    if ((await tx.$count(passkeys, eq(passkeys.userId, me.id))) >= maxPasskeys) return refuse('TOO_MANY_PASSKEYS')
    const [row] = await tx
      .insert(passkeys)
      .values({
        userId: me.id,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: credential.transports ?? [],
        name,
        createdAt: scope.now(),
      })
      .onConflictDoNothing()
      .returning()
    if (!row) return refuse('INVALID_PASSKEY')
    await recordPasskey(tx, scope, me.id, { name, change: 'Added' })
    await notifyPerson(tx, scope, me, { what: 'passkey-added' })
    return { id: row.id, name: row.name, createdAt: row.createdAt, lastUsedAt: null }
  })
}

/** Null if it is not the actor's. */
export async function removePasskey(scope: Scope, id: string) {
  const me = staff(scope)
  return scope.db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, me.id)))
      .returning()
    if (!gone) return null
    await recordPasskey(tx, scope, me.id, { name: gone.name, change: 'Removed' })
    await notifyPerson(tx, scope, me, { what: 'passkey-removed' })
    return true
  })
}

/** What the browser needs to use any passkey of this host; the person chooses which. */
export async function askForPasskey(context: Context) {
  if (!(await context.attempts.consume('directSignIn', address(context)))) return refuse('TOO_MANY_REQUESTS')
  const { generateAuthenticationOptions } = await webauthn()
  const cookie = newToken()
  const state = await beginAttempt(context, signing, hashToken(cookie))
  context.responseHeaders.append('set-cookie', attemptCookie(context.env, cookie, cookieSeconds))
  return generateAuthenticationOptions({ rpID: relyingParty(context.env).id, challenge: bytesOf(state), userVerification: 'required' })
}

/** The account that used its passkey in this browser, just now; null if it is not one of ours, or not valid. */
export async function ownerOfPasskey(context: Context, response: PasskeyAssertion): Promise<string | null> {
  const cookie = cookieOf(context.env, context.requestHeaders, 'attempt')?.value
  const [known] = await context.db.select().from(passkeys).where(eq(passkeys.credentialId, response.id))
  const challenge = challengeOf(response.response)
  if (!cookie || !known || challenge === null || !(await endAttempt(context, signing, challenge, hashToken(cookie)))) return null
  const { verifyAuthenticationResponse } = await webauthn()
  const { id: rpId, origin } = relyingParty(context.env)
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id: known.credentialId, publicKey: bytesOf(known.publicKey), counter: known.counter },
    requireUserVerification: true,
  }).catch(() => null)
  if (!checked?.verified) return null
  const used = { counter: checked.authenticationInfo.newCounter, lastUsedAt: context.now() }
  const [row] = await context.db.update(passkeys).set(used).where(eq(passkeys.id, known.id)).returning()
  return row?.userId ?? null
}

/** The challenge that a browser answered; null if it sent something else. */
function challengeOf({ clientDataJSON }: { clientDataJSON: string }): string | null {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))).challenge
  } catch {
    return null
  }
}
const clientData = z.object({ challenge: z.string() })
