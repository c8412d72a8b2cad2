/**
 * Sends text messages through Twilio with the vendor's package. A refusal or an outage is a value that says whether a retry can help, and
 * whether the text may have left: Twilio has no idempotency key, so a text whose response was lost is never sent again.
 */
import type { Twilio } from 'twilio'
import { z } from 'zod'
import { observeCall, type Outcome } from '../calls.ts'

export type TwilioOptions = {
  accountSid: string
  authToken: string
  /** Twilio's by default. */
  baseUrl?: string | undefined
  /** For one attempt, including the response. 30 by default. */
  timeoutSeconds?: number
}

export type OutgoingText = {
  /** E.164. */
  to: string
  body: string
  /** The practice's number (E.164), or a messaging service that chooses one. */
  sender: { number: string } | { messagingService: string }
  /** Where Twilio reports what becomes of the text. */
  statusCallback: string
}

export type TextFailureKind =
  | 'credentials'
  | 'stopped'
  | 'invalid-number'
  | 'refused'
  | 'rate-limit'
  | 'unavailable'
  | 'unreachable'
  | 'unknown'

export type TextFailure = {
  ok: false
  kind: TextFailureKind
  /** Twilio has not taken the text, and may take it later. */
  retryable: boolean
  /** No one knows whether Twilio took it: it must not be sent again. */
  isUncertain: boolean
  /** Twilio's message, which may contain a number: for the screen, not for the log. */
  message: string
  code: number | null
}

export type TextResult = { ok: true; sid: string; segments: number | null } | TextFailure
export type BalanceResult = { ok: true; balance: string; currency: string } | TextFailure
/** `bytes`: to be read once. */
export type MediaResult = { ok: true; bytes: AsyncIterable<Uint8Array> } | { ok: false; retryable: boolean }

export type TwilioClient = {
  /** Never throws. */
  send(text: OutgoingText): Promise<TextResult>
  /** What is left on the account. Never throws. */
  balance(): Promise<BalanceResult>
  /** The bytes of a received picture. Never throws before they are read. @param url of this account's media, as Twilio posted it. */
  media(url: string): Promise<MediaResult>
  /** Whether Twilio signed a post to one of our hooks. @param url as it is set up at Twilio, whatever a proxy made of it. */
  isSigned(post: { url: string; signature: string | null; params: Record<string, string> }): Promise<boolean>
}

const vendorUrl = 'https://api.twilio.com'
const accepted = z.object({ sid: z.string().regex(/^[A-Z]{2}[0-9a-f]{32}$/), numSegments: z.string().nullish() })
const balanceReply = z.object({ balance: z.string().regex(/^-?\d+(\.\d+)?$/), currency: z.string().regex(/^[A-Z]{3}$/) })
/** The package's RestException, or an error of its HTTP client, which has the system's code. */
const thrown = z.object({
  status: z.number().optional(),
  code: z.union([z.number(), z.string()]).nullish(),
  message: z.string().default(''),
})

/** The package is loaded with the first call: it takes 34 MB of memory, which a practice without texts does not need. */
const loadPackage = async () => (await import('twilio')).default

/** @throws when `baseUrl` is no http(s) address. */
export function createTwilio({ accountSid, authToken, baseUrl = vendorUrl, timeoutSeconds = 30 }: TwilioOptions): TwilioClient {
  const base = new URL(baseUrl)
  if (base.protocol !== 'https:' && base.protocol !== 'http:') throw new Error(`Twilio's base URL must be http or https, not ${baseUrl}`)
  const atBase = (uri: string) => baseUrl.replace(/\/+$/, '') + new URL(uri).pathname + new URL(uri).search
  let made: Promise<Twilio> | undefined
  const client = () =>
    (made ??= loadPackage().then((twilio) => {
      /** The package has no setting for another address. */
      class AtBase extends twilio.RequestClient {
        override request<Data>(options: Parameters<InstanceType<typeof twilio.RequestClient>['request']>[0]) {
          return super.request<Data>({ ...options, uri: atBase(options.uri) } as never)
        }
      }
      return twilio(accountSid, authToken, { httpClient: new AtBase({ timeout: timeoutSeconds * 1_000 }) })
    }))

  async function send({ to, body, sender, statusCallback }: OutgoingText): Promise<TextResult> {
    const from = 'number' in sender ? { from: sender.number } : { messagingServiceSid: sender.messagingService }
    try {
      const reply = accepted.safeParse(await (await client()).messages.create({ to, body, statusCallback, ...from }))
      if (!reply.success) return uncertain('Twilio accepted the request, but its response could not be read.')
      return { ok: true, sid: reply.data.sid, segments: Number(reply.data.numSegments) || null }
    } catch (error) {
      return failureFrom(error)
    }
  }

  async function balance(): Promise<BalanceResult> {
    try {
      const reply = balanceReply.safeParse(await (await client()).balance.fetch())
      return reply.success ? { ok: true, ...reply.data } : uncertain('Twilio’s response could not be read.')
    } catch (error) {
      return failureFrom(error)
    }
  }

  async function media(url: string): Promise<MediaResult> {
    // Nothing but our own account's media: a forged address must not make the server call another machine.
    const path = new RegExp(`^${vendorUrl}(/2010-04-01/Accounts/${accountSid}/Messages/\\w+/Media/\\w+)$`).exec(url)?.[1]
    if (!path) return { ok: false, retryable: false }
    const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
    try {
      const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
      const response = await fetch(baseUrl.replace(/\/+$/, '') + path, { headers: { authorization }, signal })
      if (response.ok && response.body) return { ok: true, bytes: response.body }
      await response.body?.cancel()
      return { ok: false, retryable: response.status === 429 || response.status >= 500 }
    } catch {
      return { ok: false, retryable: true }
    }
  }

  return {
    send: (text) => observeCall({ vendor: 'twilio', outcomeOf }, () => send(text)),
    balance: () => observeCall({ vendor: 'twilio', outcomeOf }, balance),
    media: (url) => observeCall({ vendor: 'twilio', outcomeOf: (result) => (result.ok ? 'ok' : 'away') }, () => media(url)),
    async isSigned({ url, signature, params }) {
      if (signature === null || signature.length > 200) return false
      return (await loadPackage()).validateRequest(authToken, signature, url, params)
    },
  }
}

const outcomes: Record<TextFailureKind, Outcome> = {
  credentials: 'credentials',
  stopped: 'refused',
  'invalid-number': 'refused',
  refused: 'refused',
  'rate-limit': 'limited',
  unavailable: 'away',
  unreachable: 'away',
  unknown: 'away',
}
const outcomeOf = (result: { ok: true } | TextFailure): Outcome => (result.ok ? 'ok' : outcomes[result.kind])

const uncertain = (message: string): TextFailure => ({
  ok: false,
  kind: 'unknown',
  retryable: false,
  isUncertain: true,
  message,
  code: null,
})

/** Numbers that cannot get a text: not a number, a landline, a country that the account does not serve. */
const invalidNumbers = [21211, 21214, 21217, 21408, 21612, 21614]
/** Errors of a connection that was never made. */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH']

function failureFrom(error: unknown): TextFailure {
  const parsed = thrown.safeParse(error)
  const { status = 0, code = null, message } = parsed.success ? parsed.data : { message: String(error) }
  const number = typeof code === 'number' ? code : null
  const failed = (kind: TextFailureKind, retryable = false): TextFailure => ({
    ok: false,
    kind,
    retryable,
    isUncertain: false,
    message,
    code: number,
  })
  if (typeof code === 'string' && neverConnected.includes(code)) return failed('unreachable', true)
  if (status === 401 || status === 403) return failed('credentials')
  if (status === 429) return failed('rate-limit', true)
  if (status === 503) return failed('unavailable', true)
  if (number === 21610) return failed('stopped')
  if (number !== null && invalidNumbers.includes(number)) return failed('invalid-number')
  if (status >= 400 && status < 500) return failed('refused')
  // No response, or an error in the middle of the work: Twilio may have taken the text.
  return uncertain(message)
}
