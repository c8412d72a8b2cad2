/** Who allowed what: codes, refresh tokens and access tokens. Google's refresh tokens do not rotate. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** One person's permission for one application. */
export type Grant = { email: string; clientId: string; scope: string; refreshToken: string }

export type CodeRequest = {
  email: string
  clientId: string
  redirectUri: string
  scope: string
  challenge: string | undefined
  /** Asked for with access_type=offline. */
  offline: boolean
  /** Asked for with prompt=consent: a refresh token comes again, not the first time alone. */
  asksAgain: boolean
}

type Access = { email: string; clientId: string; scope: string; until: number }

const codeSeconds = 600

export class Grants {
  readonly #now: () => number
  readonly #accessSeconds: number
  readonly #file: string | undefined
  #grants: Grant[] = []
  readonly #codes = new Map<string, CodeRequest & { until: number }>()
  readonly #access = new Map<string, Access>()

  /** @param file keeps the refresh tokens, so that they outlive a restart. */
  constructor(now: () => number, accessSeconds: number, file: string | undefined) {
    this.#now = now
    this.#accessSeconds = accessSeconds
    this.#file = file
    // Our own file: what is in it was written by #save().
    if (file && existsSync(file)) this.#grants = JSON.parse(readFileSync(file, 'utf8')) as Grant[]
  }

  list(): readonly Grant[] {
    return this.#grants
  }

  giveCode(request: CodeRequest): string {
    const code = `4/0A${randomBytes(36).toString('base64url')}`
    this.#codes.set(code, { ...request, until: this.#now() + codeSeconds * 1000 })
    return code
  }

  /** A code is spent on first use, even if the rest of the request is wrong. @returns undefined if it is unknown, spent or expired. */
  takeCode(code: string): CodeRequest | undefined {
    const request = this.#codes.get(code)
    this.#codes.delete(code)
    return request && request.until > this.#now() ? request : undefined
  }

  /** @returns the tokens for a code, with a refresh token as Google gives it: for offline access, at the first consent or when asked again. */
  open({ email, clientId, scope, offline, asksAgain }: CodeRequest) {
    const first = !this.#grants.some((grant) => grant.email === email && grant.clientId === clientId)
    if (!offline || !(first || asksAgain)) return this.#accessFor({ email, clientId, scope })
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

  /** Either kind of token ends the whole permission. @returns false when it is none of ours. */
  revoke(token: string): boolean {
    const email = this.#access.get(token)?.email ?? this.#grants.find(({ refreshToken }) => refreshToken === token)?.email
    if (email === undefined) return false
    this.revokeAll(email)
    return true
  }

  /** As when the person removes the application in their Google account. */
  revokeAll(email: string): void {
    this.#grants = this.#grants.filter((grant) => grant.email !== email)
    for (const [token, access] of this.#access) if (access.email === email) this.#access.delete(token)
    this.#save()
  }

  /** Refresh tokens go on. */
  expireAccess(): void {
    this.#access.clear()
  }

  ofToken(token: string): Access | undefined {
    const access = this.#access.get(token)
    return access && access.until > this.#now() ? access : undefined
  }

  #accessFor({ email, clientId, scope }: Omit<Grant, 'refreshToken'>) {
    const access_token = `ya29.${randomBytes(90).toString('base64url')}`
    this.#access.set(access_token, { email, clientId, scope, until: this.#now() + this.#accessSeconds * 1000 })
    return { access_token, expires_in: this.#accessSeconds, scope, token_type: 'Bearer' }
  }

  #save(): void {
    if (!this.#file) return
    mkdirSync(path.dirname(path.resolve(this.#file)), { recursive: true })
    writeFileSync(this.#file, JSON.stringify(this.#grants))
  }
}

/** @param challenge as given to the page. @param verifier as given with the code. */
export function proves(verifier: string, challenge: string): boolean {
  return verifier === challenge || createHash('sha256').update(verifier).digest('base64url') === challenge
}
