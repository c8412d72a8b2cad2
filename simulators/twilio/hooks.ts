/** Posts to the application's hooks as Twilio does: form-encoded, with an X-Twilio-Signature (docs, "Webhooks security"). */
import { createHmac } from 'node:crypto'

/** A post to a hook, with its response; null with the reason in `body` when there was none. */
export type HookCall = { url: string; params: Record<string, string>; status: number | null; body: string }

const timeoutMs = 15_000
const maxCallsKept = 1_000

/** The signature of a post: HMAC-SHA1 over the URL and the sorted parameters, under the account's token. */
export function signatureOf(authToken: string, url: string, params: Record<string, string>): string {
  const text = Object.keys(params)
    .toSorted()
    .reduce((sum, name) => sum + name + params[name]!, url)
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64')
}

export class Hooks {
  /** Newest first. */
  readonly calls: HookCall[] = []
  /** Where posts go instead, as through the practice's proxy: the signature keeps the original URL. */
  via: string | undefined
  readonly #authToken: string
  readonly #stopping = new AbortController()

  constructor(authToken: string) {
    this.#authToken = authToken
  }

  async post(url: string, params: Record<string, string>): Promise<HookCall> {
    const call: HookCall = { url, params, ...(await this.#send(url, params)) }
    this.calls.unshift(call)
    this.calls.length = Math.min(this.calls.length, maxCallsKept)
    return call
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #send(url: string, params: Record<string, string>): Promise<Pick<HookCall, 'status' | 'body'>> {
    const given = new URL(url)
    const target = this.via ? new URL(given.pathname + given.search, this.via) : given
    try {
      const response = await fetch(target, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
          'user-agent': 'TwilioProxy/1.1',
          'x-twilio-signature': signatureOf(this.#authToken, url, params),
        },
        body: new URLSearchParams(params),
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#stopping.signal]),
      })
      return { status: response.status, body: (await response.text()).slice(0, 10_000) }
    } catch (error) {
      const { cause } = error as Error
      return { status: null, body: cause instanceof Error ? String(cause) : String(error) }
    }
  }
}
