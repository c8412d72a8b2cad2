/** Who signed in: codes, grants and access tokens. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Times are in seconds since 1970, as Nylas has them. */
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
  until: number
}

const codeSeconds = 600

export class Grants {
  readonly #now: () => number
  readonly #file: string | undefined
  readonly #grants = new Map<string, Grant>()
  readonly #codes = new Map<string, Code>()
  readonly #tokens = new Map<string, string>()

  /** @param file keeps the grants, so that they outlive a restart. */
  constructor(now: () => number, file: string | undefined) {
    this.#now = now
    this.#file = file
    // Our own file: what is in it was written by #save().
    const stored = file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Grant[]) : []
    for (const grant of stored) this.#grants.set(grant.id, grant)
  }

  /** @returns a code for one use within ten minutes. */
  giveCode(code: Omit<Code, 'until'>): string {
    const text = randomBytes(32).toString('base64url')
    this.#codes.set(text, { ...code, until: this.#now() + codeSeconds * 1000 })
    return text
  }

  /** A code is spent on first use, even if the rest of the request is wrong. @returns undefined when it does not hold. */
  exchange(
    text: string,
    { clientId, redirectUri, verifier }: { clientId: string; redirectUri: string; verifier: string | undefined },
  ): { grant: Grant; offline: boolean } | undefined {
    const code = this.#codes.get(text)
    this.#codes.delete(text)
    if (!code || code.until <= this.#now() || code.clientId !== clientId || code.redirectUri !== redirectUri) return undefined
    if (code.challenge !== undefined && !proves(verifier ?? '', code.challenge)) return undefined
    return { grant: this.open(code.email, code.provider), offline: code.offline }
  }

  /** One grant per address: who signs in again has the same one, valid again. */
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

  /** As when the person changes their password. */
  expire(grant: Grant): void {
    grant.valid = false
    this.#save()
  }

  delete(grant: Grant): void {
    this.#grants.delete(grant.id)
    this.#save()
  }

  /** @param idOrEmail Nylas takes both. */
  find(idOrEmail: string): Grant | undefined {
    return this.#grants.get(idOrEmail) ?? this.list().find(({ email }) => email === idOrEmail)
  }

  list(): Grant[] {
    return [...this.#grants.values()]
  }

  /** @returns an access token, or a refresh token, for this grant alone. */
  giveToken(grant: Grant): string {
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

/** Plain, or base64 over the hexadecimal digest (Nylas' own way) or over its bytes (RFC 7636), without padding. */
function proves(verifier: string, challenge: string): boolean {
  const digest = createHash('sha256').update(verifier).digest()
  const own = Buffer.from(digest.toString('hex')).toString('base64').replace(/=+$/, '')
  return [verifier, own, digest.toString('base64url')].includes(challenge)
}
