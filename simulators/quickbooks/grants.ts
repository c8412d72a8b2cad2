/** Authorization codes, access tokens and refresh tokens, as issued by Intuit. Refresh tokens rotate. */
import { randomBytes } from 'node:crypto'

/** One connection of an application to the company. Times are milliseconds since 1970. */
export type Grant = {
  id: string
  clientId: string
  refreshToken: string
  refreshUntil: number
  /** The previous refresh token, and when it expires. */
  previous?: { token: string; until: number } | undefined
  access: { token: string; until: number }[]
  revoked: boolean
}

/** The fields of RFC 6749, with Intuit's lifetimes in seconds. */
export type Tokens = {
  token_type: 'bearer'
  access_token: string
  expires_in: number
  refresh_token: string
  x_refresh_token_expires_in: number
}

const codeSeconds = 600
const refreshSeconds = 8_726_400

export type GrantOptions = {
  now: () => number
  accessTokenSeconds: number
  refreshGraceSeconds: number
  /** Stores a new or changed grant. */
  save: (grant: Grant) => void
}

export class Grants {
  readonly #options: GrantOptions
  readonly #grants = new Map<string, Grant>()
  readonly #codes = new Map<string, { clientId: string; redirectUri: string; until: number }>()

  constructor(options: GrantOptions) {
    this.#options = options
  }

  /** Restores a grant that `save` stored before a restart. */
  restore(grant: Grant): void {
    this.#grants.set(grant.id, grant)
  }

  /** @returns a code that this client can use once, within ten minutes, with this redirect URI. */
  issueCode(clientId: string, redirectUri: string): string {
    const code = `AB11${random(23)}`
    this.#codes.set(code, { clientId, redirectUri, until: this.#options.now() + codeSeconds * 1000 })
    return code
  }

  /** A code is used up by the first request, even an invalid one. @returns undefined for invalid_grant. */
  exchangeCode(code: string, clientId: string, redirectUri: string): Tokens | undefined {
    const given = this.#codes.get(code)
    this.#codes.delete(code)
    if (!given || given.until <= this.#options.now() || given.clientId !== clientId || given.redirectUri !== redirectUri) return undefined
    return this.open(clientId)
  }

  open(clientId: string): Tokens {
    const grant: Grant = { id: crypto.randomUUID(), clientId, refreshToken: '', refreshUntil: 0, access: [], revoked: false }
    this.#rotate(grant)
    return this.#tokens(grant)
  }

  /**
   * The current refresh token returns a new pair and becomes the previous one. Within the grace period the previous one returns a new
   * access token and the current refresh token again, for a client that lost the response.
   *
   * @returns undefined for invalid_grant.
   */
  refresh(token: string, clientId: string): Tokens | undefined {
    const now = this.#options.now()
    const grant = this.#find((one) => one.refreshToken === token || one.previous?.token === token)
    if (!grant || grant.clientId !== clientId) return undefined
    if (grant.refreshToken !== token) return grant.previous && grant.previous.until > now ? this.#tokens(grant) : undefined
    if (grant.refreshUntil <= now) return undefined
    grant.previous = { token, until: now + this.#options.refreshGraceSeconds * 1000 }
    this.#rotate(grant)
    return this.#tokens(grant)
  }

  /** Revokes the whole connection by either kind of token. @returns false for an unknown token. */
  revoke(token: string): boolean {
    const grant = this.#find((one) => one.refreshToken === token || one.access.some((access) => access.token === token))
    if (!grant) return false
    grant.revoked = true
    this.#options.save(grant)
    return true
  }

  /** As when the company's administrator disconnects the application inside QuickBooks. */
  revokeAll(): void {
    for (const grant of this.#grants.values()) if (!grant.revoked) this.revoke(grant.refreshToken)
  }

  isValid(accessToken: string): boolean {
    const now = this.#options.now()
    return this.#find((grant) => grant.access.some(({ token, until }) => token === accessToken && until > now)) !== undefined
  }

  #find(matches: (grant: Grant) => boolean): Grant | undefined {
    return [...this.#grants.values()].find((grant) => !grant.revoked && matches(grant))
  }

  #rotate(grant: Grant): void {
    grant.refreshToken = `RT1-${random(40)}`
    grant.refreshUntil = this.#options.now() + refreshSeconds * 1000
    this.#grants.set(grant.id, grant)
  }

  #tokens(grant: Grant): Tokens {
    const now = this.#options.now()
    const { accessTokenSeconds } = this.#options
    const token = `eyJlbmMi${random(400)}`
    grant.access = [...grant.access.filter(({ until }) => until > now), { token, until: now + accessTokenSeconds * 1000 }]
    this.#options.save(grant)
    return {
      token_type: 'bearer',
      access_token: token,
      expires_in: accessTokenSeconds,
      refresh_token: grant.refreshToken,
      x_refresh_token_expires_in: Math.floor((grant.refreshUntil - now) / 1000),
    }
  }
}

function random(length: number): string {
  return randomBytes(length).toString('base64url').slice(0, length)
}
