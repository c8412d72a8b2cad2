import { createSign, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** A person at the identity provider: its claims about them. */
export type Person = { sub: string } & Record<string, unknown>

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

export const [oidcClientId, oidcClientSecret] = ['refyne', 'the-client-secret-of-the-tests']

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keyId = 'test-key'

/** Signs claims with the provider's key, for ID tokens that it would never issue. */
export function signIdToken(claims: object, key = privateKey): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const text = `${encode({ alg: 'RS256', typ: 'JWT', kid: keyId })}.${encode(claims)}`
  return `${text}.${createSign('sha256').update(text).sign(key).toString('base64url')}`
}

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8')) as Record<string, unknown>

/**
 * A real OpenID Connect provider on 127.0.0.1. Its sign-in page asks no one: it signs in `person` at once. Without `port`, it takes a free one.
 */
export async function startIdentityProvider(redirectUri: string, port = 0) {
  const server = http.createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state = {
    issuer,
    person: null as Person | null,
    /** Whether it takes its codes for expired. */
    areCodesExpired: false,
    /** Replaces the claims of the ID token that is issued next, which is signed again. */
    spoil: null as null | ((claims: Record<string, unknown>) => string),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: oidcClientId,
        client_secret: oidcClientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', 'groups', 'roles', 'xms_edov', 'hd', 'amr'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name'],
    },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ ...state.person, sub: id }) }),
    async loadExistingGrant(context: { oidc: { session: { accountId: string }; client: { clientId: string } } }) {
      const grant = new provider.Grant({ accountId: context.oidc.session.accountId, clientId: context.oidc.client.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 3600, Grant: 3600 },
  })
  Object.defineProperty(provider.AuthorizationCode.prototype, 'isExpired', { get: () => state.areCodesExpired })
  provider.use(async (context, next) => {
    await next()
    const { body } = context
    if (!state.spoil || context.oidc?.route !== 'token' || typeof body !== 'object' || body === null || !('id_token' in body)) return
    body.id_token = state.spoil(claimsOf(String(body.id_token)))
    state.spoil = null
  })
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response)
    const result = state.person
      ? { login: { accountId: state.person.sub } }
      : { error: 'access_denied', error_description: 'The person went back' }
    void provider.interactionFinished(request, response, result)
  })
  return state
}
