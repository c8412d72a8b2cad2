/** OpenID Connect: a person signs in at the practice's identity provider, which says who they are. */
import * as oidc from 'openid-client'
import { z } from 'zod'
import { observeCall, type Outcome } from '../calls.ts'

export type OidcOptions = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The redirect URI, registered with the provider word for word. */
  redirectUri: string
  timeoutSeconds: number
}

/** What the provider's verified ID token says about a person. */
export type Identity = {
  issuer: string
  /** The provider's permanent id of the person. */
  subject: string
  email: string | null
  isEmailVerified: boolean
  /** Google's Workspace domain; null for a personal account, and at other providers. */
  hostedDomain: string | null
  givenName: string
  familyName: string
  name: string
  groups: string[]
  /** Whether the provider itself asked for a second factor. */
  hasSecondFactor: boolean
  /** When the person signed in there; null if the provider does not say. */
  signedInAt: Date | null
}

/** `refused`: the response is invalid, expired or used. `away`: the provider can't be reached or refuses this client. */
export type OidcFailure = { ok: false; kind: 'refused' | 'away'; message: string }
export type OidcResult<Value> = { ok: true; value: Value } | OidcFailure

export type OidcClient = ReturnType<typeof createOidc>

/** A proof that the person has just signed in may be this old, in seconds. */
const freshSeconds = 120
/** How long ago someone may have signed in at the provider, in seconds: 30 days. */
const maxSignInAge = 30 * 86_400
/** Endpoints and keys are read again after this time. */
const rememberMs = 60 * 60_000

const texts = z.array(z.string()).catch([])
const flag = z.union([z.boolean(), z.literal('true'), z.literal('false'), z.literal(1), z.literal(0), z.literal('1'), z.literal('0')])
const optionalText = z.string().max(300).catch('')

const claimsShape = z.object({
  iss: z.string().max(500),
  sub: z.string().min(1).max(255),
  email: z
    .string()
    .max(254)
    .transform((email) => email.trim().toLowerCase())
    .pipe(z.email())
    .nullable()
    .catch(null),
  email_verified: flag.optional().catch(undefined),
  /** Entra's statement that the owner of the email's domain was verified. */
  xms_edov: flag.optional().catch(undefined),
  hd: z.string().toLowerCase().nullable().catch(null),
  given_name: optionalText,
  family_name: optionalText,
  name: optionalText,
  groups: texts,
  roles: texts,
  amr: texts,
  auth_time: z.number().int().positive().nullable().catch(null),
})

const isTrue = (value: z.output<typeof flag> | undefined): boolean => value === true || value === 'true' || value === 1 || value === '1'

function identityOf(claims: object): Identity {
  const read = claimsShape.parse(claims)
  return {
    issuer: read.iss,
    subject: read.sub,
    email: read.email,
    // Entra ID sends no email_verified. Its `email` can be edited freely, so only its own statement about the domain replaces that claim.
    isEmailVerified: isTrue(read.email_verified === undefined ? read.xms_edov : read.email_verified),
    hostedDomain: read.hd,
    givenName: read.given_name,
    familyName: read.family_name,
    name: read.name,
    groups: [...read.groups, ...read.roles],
    hasSecondFactor: read.amr.includes('mfa'),
    signedInAt: read.auth_time === null ? null : new Date(read.auth_time * 1000),
  }
}

/** Secrets go in the body unless the provider accepts them in the header only, which is the standard's default. */
const authenticate =
  (secret: string): oidc.ClientAuth =>
  (server, ...rest) => {
    const accepts = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const method = accepts.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost
    return method(secret)(server, ...rest)
  }

export function createOidc({ issuer, clientId, clientSecret, redirectUri, timeoutSeconds }: OidcOptions) {
  let known: { at: number; server: Promise<oidc.Configuration> } | null = null

  /** The provider's endpoints. A failure is not remembered. */
  function discover(): Promise<oidc.Configuration> {
    if (known && Date.now() - known.at < rememberMs) return known.server
    const server = observed(() =>
      oidc.discovery(new URL(issuer), clientId, { [oidc.clockTolerance]: 30 }, authenticate(clientSecret), {
        timeout: timeoutSeconds,
        // Signatures are checked even though the token comes straight from the provider. http is for a provider on this machine.
        execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [])],
      }),
    )
    const asked = { at: Date.now(), server }
    known = asked
    server.catch(() => {
      if (known === asked) known = null
    })
    return server
  }

  return {
    /** The provider's sign-in page. `again`: it must ask even someone who is signed in there. */
    async authorizeUrl(asked: { state: string; nonce: string; challenge: string; again: boolean }): Promise<OidcResult<string>> {
      try {
        const url = oidc.buildAuthorizationUrl(await discover(), {
          redirect_uri: redirectUri,
          scope: 'openid profile email',
          state: asked.state,
          nonce: asked.nonce,
          code_challenge: asked.challenge,
          code_challenge_method: 'S256',
          // Any limit makes the provider state when the person signed in (OpenID Connect Core, 2).
          ...(asked.again ? { prompt: 'login', max_age: '0' } : { max_age: String(maxSignInAge) }),
        })
        return { ok: true, value: url.href }
      } catch (error) {
        return failureOf(error)
      }
    },

    /** Exchanges the callback's parameters for who signed in. Checks signature, issuer, audience, expiry, nonce and state. */
    async exchange(
      callback: { code: string; state: string; iss?: string | undefined },
      checks: { nonce: string; verifier: string; again: boolean },
    ): Promise<OidcResult<Identity>> {
      const url = new URL(redirectUri)
      for (const [name, value] of Object.entries(callback)) if (value !== undefined) url.searchParams.set(name, value)
      try {
        const server = await discover()
        const tokens = await observed(() =>
          oidc.authorizationCodeGrant(server, url, {
            expectedState: callback.state,
            expectedNonce: checks.nonce,
            pkceCodeVerifier: checks.verifier,
            ...(checks.again && { maxAge: freshSeconds }),
          }),
        )
        const claims = tokens.claims()!
        // Providers may leave the email to the user info endpoint.
        const more = claims.email === undefined && server.serverMetadata().userinfo_endpoint !== undefined
        const info = more ? await observed(() => oidc.fetchUserInfo(server, tokens.access_token, claims.sub)) : {}
        return { ok: true, value: identityOf({ ...info, ...claims }) }
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

/** Errors that say the provider refused this one sign-in; everything else may be temporary or a wrong setting. */
const refusals = new Set(['invalid_grant', 'access_denied', 'login_required', 'interaction_required', 'consent_required'])
const invalid = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
])

/** Errors that say the provider does not accept this client. */
const wrongClient = new Set(['invalid_client', 'unauthorized_client'])

const observed = <Result>(work: () => Promise<Result>): Promise<Result> =>
  observeCall({ vendor: 'oidc', outcomeOf: () => 'ok', outcomeOfError: (error) => outcomeOf(failureOf(error)) }, work)

const outcomeOf = ({ kind, message }: OidcFailure): Outcome =>
  kind === 'refused' ? 'refused' : wrongClient.has(message) ? 'credentials' : 'away'

/** The message names the error's code only: descriptions may contain what someone typed. */
function failureOf(error: unknown): OidcFailure {
  // A client that authenticates in the header is refused in the header.
  if (error instanceof oidc.WWWAuthenticateChallengeError && error.cause.some(({ scheme }) => scheme === 'basic'))
    return { ok: false, kind: 'away', message: 'invalid_client' }
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return { ok: false, kind: refusals.has(error.error) ? 'refused' : 'away', message: error.error }
  const code = error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : 'unknown'
  return { ok: false, kind: error instanceof z.ZodError || invalid.has(code) ? 'refused' : 'away', message: code }
}
