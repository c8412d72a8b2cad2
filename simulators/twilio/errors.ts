/** Refusals in Twilio's format, with the codes of its error dictionary. */
import type { Reply } from '../http.ts'

/** The message and HTTP status of each error code that the simulator knows. */
const errors = {
  20003: [401, 'Authenticate'],
  20404: [404, 'The requested resource was not found'],
  20429: [429, 'Too Many Requests'],
  20500: [500, 'An internal server error has occurred'],
  20503: [503, 'Service unavailable'],
  21211: [400, "The 'To' number is not a valid phone number."],
  21602: [400, 'Message body is required.'],
  21603: [400, "A 'From' phone number is required."],
  21604: [400, "A 'To' phone number is required."],
  21606: [400, "The 'From' phone number is not a valid, SMS-capable phone number of this account."],
  21610: [400, 'Attempt to send to unsubscribed recipient'],
  21614: [400, "'To' number is not a valid mobile number"],
  21617: [400, 'The concatenated message body exceeds the 1600 character limit'],
} as const
export type ErrorCode = keyof typeof errors

export function refusal(code: ErrorCode, headers?: Record<string, string>): Reply {
  const [status, message] = errors[code]
  const body = { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }
  return { status, body, ...(headers && { headers }) }
}

/** Twilio's reply for an injected status. @param retryAfter seconds. */
export function statusReply(status: number, retryAfter: number): Reply {
  if (status === 401 || status === 403) return refusal(20003)
  if (status === 404) return refusal(20404)
  if (status === 429) return refusal(20429, { 'retry-after': String(retryAfter) })
  if (status === 503) return refusal(20503, { 'retry-after': String(retryAfter) })
  return { status, body: { code: 20500, message: 'An error has occurred', more_info: 'https://www.twilio.com/docs/errors/20500', status } }
}

/** Why a message failed after it was accepted, by `ErrorCode` of the status callback. */
export const deliveryErrors: Record<number, string> = {
  30003: 'Unreachable destination handset',
  30004: 'Message blocked',
  30005: 'Unknown destination handset',
  30006: 'Landline or unreachable carrier',
  30007: 'Message filtered',
  30008: 'Unknown error',
}
