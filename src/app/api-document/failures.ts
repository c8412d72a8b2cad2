import { foreignOrigin } from '../../kernel/http/requests.ts'
import { keyRefusals } from '../../platform/idempotency/rules.ts'
import type { Reference, Response, Responses, Schema } from './types.ts'

/** A refusal as the document describes it. `data`: the schema of what the error carries. */
export type Failure = { status: number | 'default'; code: string; message: string; data?: Schema }

/** The shape of every error. */
export const errorSchema: Schema = {
  type: 'object',
  description: 'Any response from 400 on. Decide by `code`: it is stable, and `message` is text for people that may change.',
  properties: {
    code: { type: 'string', description: 'A stable name of what went wrong', examples: ['NOT_FOUND'] },
    message: { type: 'string', description: 'The same for people', examples: ['This patient does not exist'] },
    error: { type: 'string', description: 'The message again, in calls below /functions and /qbo' },
    data: { description: 'What the code says in addition: the wrong fields, or the current record' },
    status: { type: 'integer', description: 'The status of the response' },
    defined: { type: 'boolean', description: 'Whether this document lists the code for the call' },
  },
  required: ['code', 'message'],
}

const wrongFields: Schema = { $ref: '#/components/schemas/WrongFields' }
export const wrongFieldsSchema: Schema = {
  type: 'object',
  properties: {
    fields: {
      type: 'object',
      description: 'A message for each wrong field, by its path',
      additionalProperties: { type: 'string' },
      examples: [{ 'lines.0.quantity': 'Quantity is required' }],
    },
  },
  required: ['fields'],
}

/** What any call may be refused with, whatever its feature. */
export const failures = {
  unauthorized: { status: 401, code: 'UNAUTHORIZED', message: 'Please sign in' },
  invalidKey: { status: 401, code: 'INVALID_API_KEY', message: 'This API key is unknown, has expired, or was revoked' },
  forbidden: { status: 403, code: 'FORBIDDEN', message: 'Your role or this API key may not do this' },
  proof: { status: 403, code: 'STEP_UP_REQUIRED', message: 'Sign-in has to be confirmed again. Never asked of API keys' },
  foreignOrigin: { status: 403, ...foreignOrigin },
  badRequest: { status: 400, code: 'BAD_REQUEST', message: 'The body is not valid JSON in UTF-8, or the address is not valid' },
  tooLarge: { status: 413, code: 'BODY_TOO_LARGE', message: 'A request can have at most 256 KiB' },
  contentType: { status: 415, code: 'UNSUPPORTED_CONTENT_TYPE', message: 'Send application/json in UTF-8' },
  invalidInput: { status: 422, code: 'INVALID_INPUT', message: 'Please check the marked fields', data: wrongFields },
  tooMany: { status: 429, code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Retry-After says when to try again' },
  unavailable: { status: 'default', code: 'SERVICE_UNAVAILABLE', message: 'The database can’t be reached (503). Nothing was changed' },
  diskFull: { status: 'default', code: 'DISK_FULL', message: 'A disk of the server is full (503). Nothing was saved' },
  broken: { status: 'default', code: 'INTERNAL_SERVER_ERROR', message: 'Something went wrong (500). The message has an id to quote' },
} as const satisfies Record<string, Failure>

/** What a call with an `Idempotency-Key` may be refused with. */
export const keyFailures: Failure[] = Object.entries(keyRefusals).map(([code, refusal]) => ({ code, ...refusal }))

const common = new Set<string>([...Object.values(failures), ...keyFailures].map(({ code, message }) => code + message))

const isCommon = ({ code, message }: Failure) => common.has(code + message)

const pascal = (code: string) => code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Responses by status. Those that many calls share go to `components`, named after their codes. */
export function responsesFor(given: readonly Failure[], components: Record<string, Response>): Responses {
  const byStatus = new Map<string, Failure[]>()
  for (const failure of given) {
    const same = byStatus.get(String(failure.status)) ?? []
    if (!same.some(({ code }) => code === failure.code)) byStatus.set(String(failure.status), [...same, failure])
  }
  const entries = [...byStatus].map(([status, listed]): [string, Response | Reference] => {
    if (!listed.every(isCommon)) return [status, responseOf(listed)]
    const name = status === 'default' ? 'ServerError' : listed.map(({ code }) => pascal(code)).join('Or')
    components[name] ??= responseOf(listed)
    return [status, { $ref: `#/components/responses/${name}` }]
  })
  return Object.fromEntries(entries)
}

function responseOf(listed: readonly Failure[]): Response {
  // What is common is explained where it stands alone.
  const isMixed = !listed.every(isCommon)
  const details = listed.flatMap(({ data }) => (data ? [data] : []))
  const own: Schema = {
    type: 'object',
    properties: {
      code: { enum: listed.map(({ code }) => code) },
      ...(details.length > 0 ? { data: details.length === 1 ? details[0]! : { anyOf: details } } : {}),
    },
  }
  return {
    description: `${listed.map((failure) => (isMixed && isCommon(failure) ? failure.code : `${failure.code}: ${failure.message.replace(/\.$/, '')}`)).join('. ')}.`,
    content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Error' }, own] } } },
  }
}
