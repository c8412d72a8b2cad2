/** Authorization codes, refresh tokens and access tokens. Google's refresh tokens do not rotate. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A user's permission for an application. */
export type Grant = { email: string; clientId: string; scope: string; refreshToken: string }

export type CodeRequest = {
  email: string
  clientId: string
  redirectUri: string
  scope: string
  challenge: string | undefined
  /** Requested with access_type=offline. */
  offline: boolean
  /** Requested with prompt=consent: issues a refresh token every time, not only at the first consent. */
  forcesConsent: boolean
}

type Access = { email: string; clientId: string; scope: string; expiresAt: number }

const codeSeconds = 600

export class Grants {
  readonly #now: () => number
  readonly #accessSeconds: number
  readonly #file: string | undefined
  #grants: Grant[] = []
  readonly #codes = new Map<string, CodeRequest & { expiresAt: number }>()
  readonly #access = new Map<string, Access>()

  /** @param file stores the refresh tokens, so that they survive a restart. */
  constructor(now: () => number, accessSeconds: number, file: string | undefined) {
    this.#now = now
    this.#accessSeconds = accessSeconds
    this.#file = file
    // The content was written by #save().
    if (file && existsSync(file)) this.#grants = JSON.parse(readFileSync(file, 'utf8')) as Grant[]
  }

  list(): readonly Grant[] {
    return this.#grants
  }

  issueCode(request: CodeRequest): string {
    const code = `4/0A${randomBytes(36).toString('base64url')}`
    this.#codes.set(code, { ...request, expiresAt: this.#now() + codeSeconds * 1000 })
    return code
  }

  /** A code is used up by the first request, even an invalid one. @returns undefined if it is unknown, used or expired. */
  takeCode(code: string): CodeRequest | undefined {
    const request = this.#codes.get(code)
    this.#codes.delete(code)
    return request && request.expiresAt > this.#now() ? request : undefined
  }

  /** @returns the tokens for a code. As with Google, a refresh token requires offline access and a first or forced consent. */
  open({ email, clientId, scope, offline, forcesConsent }: CodeRequest) {
    const first = !this.#grants.some((grant) => grant.email === email && grant.clientId === clientId)
    if (!offline || !(first || forcesConsent)) return this.#accessFor({ email, clientId, scope })
    const grant = { email, clientId, scope, refreshToken: `1//0${randomBytes(48).toString('base64url')}` }
    this.#grants.push(grant)
    this.#save()
    return { ...this.#accessFor(grant), refresh_token: grant.refreshToken }
  }

  /** @returns undefined for invalid_grant. */
  refresh(token: string, clientId: string) {
    const grant = this.#grants.find(({ refreshToken }) => refreshToken === token)
    return grant?.clientId === clientId ? this.#accessFor(grant) : undefined
  }

  /** Revokes the whole permission by either kind of token. @returns false for an unknown token. */
  revoke(token: string): boolean {
    const email = this.#access.get(token)?.email ?? this.#grants.find(({ refreshToken }) => refreshToken === token)?.email
    if (email === undefined) return false
    this.revokeAll(email)
    return true
  }

  /** As when the user removes the application in their Google account. */
  revokeAll(email: string): void {
    this.#grants = this.#grants.filter((grant) => grant.email !== email)
    for (const [token, access] of this.#access) if (access.email === email) this.#access.delete(token)
    this.#save()
  }

  /** Expires access tokens; refresh tokens remain valid. */
  expireAccess(): void {
    this.#access.clear()
  }

  ofToken(token: string): Access | undefined {
    const access = this.#access.get(token)
    return access && access.expiresAt > this.#now() ? access : undefined
  }

  #accessFor({ email, clientId, scope }: Omit<Grant, 'refreshToken'>) {
    const access_token = `ya29.${randomBytes(90).toString('base64url')}`
    this.#access.set(access_token, { email, clientId, scope, expiresAt: this.#now() + this.#accessSeconds * 1000 })
    return { access_token, expires_in: this.#accessSeconds, scope, token_type: 'Bearer' }
  }

  #save(): void {
    if (!this.#file) return
    mkdirSync(path.dirname(path.resolve(this.#file)), { recursive: true })
    writeFileSync(this.#file, JSON.stringify(this.#grants))
  }
}

/** @param challenge from the consent page. @param verifier sent with the code. */
export function matchesChallenge(verifier: string, challenge: string): boolean {
  return verifier === challenge || createHash('sha256').update(verifier).digest('base64url') === challenge
}
