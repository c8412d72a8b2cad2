/**
 * Sends email through Postmark (spec 7, "Email sending") with the vendor's package. A refusal or an outage is a value that says whether a
 * retry can help; when and how often is the job's decision.
 */
import { Errors, ServerClient } from 'postmark'
import { z } from 'zod'
import { observeCall, type Outcome } from '../calls.ts'

export type PostmarkOptions = {
  /** The server token. Without one each mail is refused with the package's own sentence. */
  token: string | undefined
  /** Postmark's by default; may include a path. */
  baseUrl?: string
  /** For one attempt, including the response. 180 by default (spec 9). */
  timeoutSeconds?: number
}

export type OutgoingMail = {
  from: string
  /** One address, or several with commas between them. */
  to: string
  subject: string
  textBody?: string
  htmlBody?: string
  replyTo?: string
  /** 'outbound' by default (spec 9). */
  messageStream?: string
  attachments?: readonly { name: string; contentBase64: string; contentType: string; contentId?: string }[]
  headers?: readonly { name: string; value: string }[]
}

export type SendFailureKind =
  | 'invalid-key'
  | 'inactive-recipient'
  | 'invalid-request'
  | 'rate-limit'
  | 'server'
  | 'unavailable'
  | 'network'
  | 'unknown'

export type SendFailure = {
  ok: false
  /** A retry may succeed. After a 'network' failure the email may have been accepted already: a retry would then send it twice. */
  retryable: boolean
  /** No one knows whether Postmark took the email: what must arrive once at most is not sent again. */
  isUncertain: boolean
  kind: SendFailureKind
  /** The vendor's message, which may contain a recipient's address: for the administrator's screen, not for the log. */
  message: string
  /** With 'inactive-recipient': the addresses that bounced or complained. */
  recipients?: readonly string[]
}

export type SendResult = { ok: true; messageId: string } | SendFailure

export type Postmark = {
  /** Never throws. */
  send(mail: OutgoingMail): Promise<SendResult>
}

const missingToken = 'A valid API token must be provided.'

const acceptance = z.object({ MessageID: z.string().min(1), ErrorCode: z.literal(0) })

/** @throws when `baseUrl` is no http(s) address. */
export function createPostmark({ token, baseUrl = 'https://api.postmarkapp.com', timeoutSeconds = 180 }: PostmarkOptions): Postmark {
  const url = new URL(baseUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error(`Postmark's base URL must be http or https, not ${baseUrl}`)
  if (!token?.trim()) {
    return { send: async () => ({ ok: false, retryable: false, isUncertain: false, kind: 'invalid-key', message: missingToken }) }
  }
  const client = new ServerClient(token, {
    requestHost: url.host + url.pathname.replace(/\/+$/, ''),
    useHttps: url.protocol === 'https:',
    timeout: timeoutSeconds,
    fetch: fetchOrSayUnreachable,
  })
  return {
    send: (mail) => observeCall({ vendor: 'postmark', isEmail: true, outcomeOf }, () => send(client, mail)),
  }
}

const outcomes: Record<SendFailureKind, Outcome> = {
  'invalid-key': 'credentials',
  'inactive-recipient': 'refused',
  'invalid-request': 'refused',
  'rate-limit': 'limited',
  server: 'away',
  unavailable: 'away',
  network: 'away',
  unknown: 'unreadable',
}
const outcomeOf = (result: SendResult): Outcome => (result.ok ? 'ok' : outcomes[result.kind])

async function send(client: ServerClient, mail: OutgoingMail): Promise<SendResult> {
  try {
    const reply: unknown = await client.sendEmail(inPostmarksWords(mail))
    const accepted = acceptance.safeParse(reply)
    if (accepted.success) return { ok: true, messageId: accepted.data.MessageID }
    // A 2xx means that the email was most likely accepted: sending it again would deliver it twice.
    return {
      ok: false,
      retryable: false,
      isUncertain: true,
      kind: 'unknown',
      message: 'Postmark accepted the request, but its response could not be read.',
    }
  } catch (error) {
    return failureFrom(error)
  }
}

function inPostmarksWords(mail: OutgoingMail) {
  return {
    From: mail.from,
    To: mail.to,
    Subject: mail.subject,
    TextBody: mail.textBody,
    HtmlBody: mail.htmlBody,
    ReplyTo: mail.replyTo,
    MessageStream: mail.messageStream ?? 'outbound',
    Attachments: mail.attachments?.map((file) => ({
      Name: file.name,
      Content: file.contentBase64,
      ContentType: file.contentType,
      ContentID: file.contentId ?? null,
    })),
    Headers: mail.headers?.map(({ name, value }) => ({ Name: name, Value: value })),
  }
}

/** Errors of a connection that was never made, and the message in which the package, which keeps nothing else of an error, reports them. */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']
const unreachable = 'Postmark cannot be reached'
const withCause = z.object({ cause: z.object({ code: z.string() }) })

async function fetchOrSayUnreachable(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  try {
    return await fetch(input, init)
  } catch (error) {
    const code = withCause.safeParse(error).data?.cause.code
    throw code !== undefined && neverConnected.includes(code) ? new Error(unreachable) : error
  }
}

/** The package's classes follow the HTTP status (spec 8, "Provider error mapping"). */
function failureFrom(error: unknown): SendFailure {
  const message = error instanceof Error ? error.message : String(error)
  const failed = (kind: SendFailureKind, retryable: boolean, isUncertain = false): SendFailure => ({
    ok: false,
    retryable,
    isUncertain,
    kind,
    message,
  })

  if (error instanceof Errors.InvalidAPIKeyError) return failed('invalid-key', false)
  if (error instanceof Errors.InactiveRecipientsError) return { ...failed('inactive-recipient', false), recipients: error.recipients }
  if (error instanceof Errors.ApiInputError) return failed('invalid-request', false)
  if (error instanceof Errors.RateLimitExceededError) return failed('rate-limit', true)
  // Something failed in the middle of the work: the email may have been accepted.
  if (error instanceof Errors.InternalServerError) return failed('server', true, true)
  if (error instanceof Errors.ServiceUnavailablerError) return failed('unavailable', true)
  // Another status: a gateway's 502 or 504 passes, a 404 or 413 does not.
  if (error instanceof Errors.PostmarkError && error.statusCode > 0) {
    const isGateway = error.statusCode >= 500
    return failed('unknown', isGateway, isGateway)
  }
  // No status: no connection, no answer in time, or a connection that broke while the answer came (which the package does not wrap).
  return failed('network', true, message !== unreachable)
}
