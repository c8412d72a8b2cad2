/** Authorization codes, grants and access tokens. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Times are in seconds since 1970, as in Nylas. */
export type Grant = {
  id: string
  email: string
  provider: string
  valid: boolean
  createdAt: number
  updatedAt: number
}

type Code = {
  email: string
  provider: string
  clientId: string
  redirectUri: string
  challenge: string | undefined
  offline: boolean
  expiresAt: number
}

const codeSeconds = 600

export class Grants {
  readonly #now: () => number
  readonly #file: string | undefined
  readonly #grants = new Map<string, Grant>()
  readonly #codes = new Map<string, Code>()
  readonly #tokens = new Map<string, string>()

  /** @param file stores the grants, so that they survive a restart. */
  constructor(now: () => number, file: string | undefined) {
    this.#now = now
    this.#file = file
    // The content was written by #save().
    const stored = file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Grant[]) : []
    for (const grant of stored) this.#grants.set(grant.id, grant)
  }

  /** @returns a code that can be used once, within ten minutes. */
  issueCode(code: Omit<Code, 'expiresAt'>): string {
    const text = randomBytes(32).toString('base64url')
    this.#codes.set(text, { ...code, expiresAt: this.#now() + codeSeconds * 1000 })
    return text
  }

  /** A code is used up by the first request, even an invalid one. @returns undefined for an invalid request. */
  exchange(
    text: string,
    { clientId, redirectUri, verifier }: { clientId: string; redirectUri: string; verifier: string | undefined },
  ): { grant: Grant; offline: boolean } | undefined {
    const code = this.#codes.get(text)
    this.#codes.delete(text)
    if (!code || code.expiresAt <= this.#now() || code.clientId !== clientId || code.redirectUri !== redirectUri) return undefined
    if (code.challenge !== undefined && !matchesChallenge(verifier ?? '', code.challenge)) return undefined
    return { grant: this.open(code.email, code.provider), offline: code.offline }
  }

  /** One grant per address: signing in again revalidates it. */
  open(email: string, provider: string): Grant {
    const seconds = Math.floor(this.#now() / 1000)
    const known = this.list().find((grant) => grant.email === email)
    const grant: Grant = known
      ? Object.assign(known, { provider, valid: true, updatedAt: seconds })
      : { id: crypto.randomUUID(), email, provider, valid: true, createdAt: seconds, updatedAt: seconds }
    this.#grants.set(grant.id, grant)
    this.#save()
    return grant
  }

  /** As when the user changes their password. */
  expire(grant: Grant): void {
    grant.valid = false
    this.#save()
  }

  delete(grant: Grant): void {
    this.#grants.delete(grant.id)
    this.#save()
  }

  /** @param idOrEmail Nylas accepts either. */
  find(idOrEmail: string): Grant | undefined {
    return this.#grants.get(idOrEmail) ?? this.list().find(({ email }) => email === idOrEmail)
  }

  list(): Grant[] {
    return [...this.#grants.values()]
  }

  /** @returns an access or refresh token for this grant only. */
  issueToken(grant: Grant): string {
    const token = randomBytes(48).toString('base64url')
    this.#tokens.set(token, grant.id)
    return token
  }

  ofToken(token: string): Grant | undefined {
    return this.#grants.get(this.#tokens.get(token) ?? '')
  }

  #save(): void {
    if (!this.#file) return
    mkdirSync(path.dirname(path.resolve(this.#file)), { recursive: true })
    writeFileSync(this.#file, JSON.stringify(this.list()))
  }
}

/** Accepts a plain challenge, or base64 of the hexadecimal digest (Nylas) or of the digest's bytes (RFC 7636), without padding. */
function matchesChallenge(verifier: string, challenge: string): boolean {
  const digest = createHash('sha256').update(verifier).digest()
  const own = Buffer.from(digest.toString('hex')).toString('base64').replace(/=+$/, '')
  return [verifier, own, digest.toString('base64url')].includes(challenge)
}
