/** QuickBooks' errors in their original formats: the service's `Fault`, and the gateway's `fault` in lower case. */

import type { Reply } from '../http.ts'

/** Thrown where QuickBooks refuses a call; the server sends its reply. */
export class Refusal extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super(JSON.stringify(reply.body))
    this.reply = reply
  }
}

const messages = {
  2010: 'Request has invalid or unsupported property',
  2020: 'Required param missing, need to supply the required value for the API',
  2050: 'String length is either shorter or longer than supported by specification',
  2210: 'Invalid Email Address format',
  2500: 'Invalid Reference Id',
  4000: 'Error parsing query',
  4001: 'Invalid query',
  500: 'Unsupported Operation',
  5010: 'Stale Object Error',
  6000: 'A business validation error has occurred while processing your request',
  6070: 'Amount calculation incorrect in the request',
  610: 'Object Not Found',
  6140: 'Duplicate Document Number Error',
  6240: 'Duplicate Name Exists Error',
} as const

const inactive =
  "Something you're trying to use has been made inactive. Check the fields with accounts, customers, items, vendors or employees."

/** @param element the invalid field, if QuickBooks names it. */
export function validationFault(code: keyof typeof messages, detail: string, element = ''): Refusal {
  const Error = [{ Message: messages[code], Detail: detail, code: String(code), element }]
  return new Refusal({ status: 400, body: { Fault: { Error, type: 'ValidationFault' } } })
}

export const businessFault = (detail: string) => validationFault(6000, `Business Validation Error: ${detail}`)
export const missing = (field: string) => validationFault(2020, `Required parameter ${field} is missing in the request`, field)
export const notFound = () => validationFault(610, `Object Not Found : ${inactive}`)
/** @param list QuickBooks' name of the list: Names, Item, Accounts, Klasses. */
export const unknownReference = (list: string, id: string) =>
  validationFault(2500, `Invalid Reference Id : ${list} element id ${id} not found`)
export const inactiveReference = () => validationFault(2500, `Invalid Reference Id : ${inactive}`)

/** For a missing, unknown, expired or revoked token. */
export function unauthorized(now: number, detail = 'Token expired'): Refusal {
  return gatewayFault(401, { message: 'message=AuthenticationFailed; errorCode=003200; statusCode=401', code: '3200', detail }, now)
}

/** For a valid token of another company. */
export function forbidden(now: number): Refusal {
  const message = 'message=ApplicationAuthorizationFailed; errorCode=003100; statusCode=403'
  return gatewayFault(403, { message, code: '3100', detail: '' }, now)
}

/** QuickBooks' reply for an injected status. @param retryAfter seconds, with 429. */
export function statusReply(status: number, now: number, retryAfter = 1): Reply {
  if (status === 401) return unauthorized(now).reply
  if (status === 403) return forbidden(now).reply
  if (status === 429) {
    const Message = 'message=ThrottleExceeded; errorCode=003001; statusCode=429'
    const Error = [{ Message, Detail: 'The request limit was reached.  Try again later', code: '3001' }]
    return { status, body: { Fault: { Error, type: 'SERVICE' } }, headers: { 'retry-after': String(retryAfter) } }
  }
  const [Message, Detail, code] =
    status === 503
      ? ['The service is temporarily unavailable', 'Service Unavailable: Try again later', '3002']
      : ['An application error has occurred while processing your request', 'System Failure Error: Something went wrong', '10000']
  return { status, body: { Fault: { Error: [{ Message, Detail, code, element: '' }], type: 'SystemFault' } } }
}

function gatewayFault(status: number, error: { message: string; detail: string; code: string }, now: number): Refusal {
  const body = {
    warnings: null,
    intuitObject: null,
    fault: { error: [{ ...error, element: null }], type: status === 401 ? 'AUTHENTICATION' : 'AUTHORIZATION' },
    report: null,
    queryResponse: null,
    batchItemResponse: [],
    attachableResponse: [],
    syncErrorResponse: null,
    requestId: null,
    time: now,
    status: null,
    cdcresponse: [],
  }
  return new Refusal({ status, body })
}
