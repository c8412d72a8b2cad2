import { OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { scopeOf } from '../../kernel/access/key-rules.ts'
import { type Access, permissions, rawRoutes, type Route } from '../../kernel/access/policy.ts'
import { needsProof } from '../../kernel/access/proof-policy.ts'
import { roleNames, roles } from '../../kernel/access/rules.ts'
import { cookiePrefix } from '../../platform/auth/sessions/cookies.ts'
import { ignoresKeys } from '../../platform/idempotency/rules.ts'
import { contract } from '../contract.ts'
import { errorSchema, type Failure, failures, keyFailures, responsesFor, wrongFieldsSchema } from './failures.ts'
import { exampleOf, explainFields, explainParameter, tagNotes } from './explain.ts'
import { type FileRoute, fileRoutes } from './file-routes.ts'
import { shareParameters, shareShapes } from './shared-shapes.ts'
import { type ApiDocument, type Operation, operationsOf, type Parameter, type Response } from './types.ts'

/** Of the API, by the rules of docs/decisions/api-document.md. */
const version = '1.0.0'

const description = `Calls need a session (the cookie that signing in sets) or an API key (\`Authorization: Bearer refyne_…\`), unless they say otherwise.

**Versions.** \`info.version\` is \`major.minor.patch\`. New calls, optional inputs, fields of results, error codes and choices raise the minor version: ignore what you do not know. What would break a client is announced before: the old form stays, marked \`deprecated\`, for at least six months and one release, and raises the major version when it goes. Changes are in CHANGELOG.md under "API clients".

**Errors** have a stable \`code\`. **Lists** take \`limit\` with \`cursor\` or \`page\`. **Repeats**: send an \`Idempotency-Key\` with a POST, and it is carried out once.`

/** An error as the generator gives it: its code, its message, whether it has data, and their schema. */
type DefinedError = [code: string, message: string, hasData: boolean, data: unknown]

/** Writes what does not change while the process runs when it is first asked for. A failure is not kept. */
export function once<Result>(write: (appUrl: string) => Promise<Result>): (appUrl: string) => Promise<Result> {
  let written: Promise<Result> | null = null
  return (appUrl) => {
    written ??= write(appUrl).catch((error: unknown) => {
      written = null
      throw error
    })
    return written
  }
}

/** The OpenAPI document of the typed calls, the files and the lead intake. */
export const apiDocument = once(async (appUrl): Promise<ApiDocument> => {
  const generated = await new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(contract, {
    // Left here for completeCall.
    customErrorResponseBodySchema: (errors, status) =>
      ({ type: 'object', 'x-errors': errors.map((error) => [status, ...error]) }) as object,
  })
  const { paths } = withoutNoise(generated) as ApiDocument
  const responses: Record<string, Response> = {}
  for (const { method, operation } of operationsOf({ paths })) completeCall(method, operation, responses)
  for (const route of fileRoutes()) paths[route.path] = { ...paths[route.path], [route.method]: fileOperation(route, responses) }
  const names = [...new Set(operationsOf({ paths }).flatMap(({ operation }) => operation.tags))]
  const document = shareShapes({
    openapi: generated.openapi,
    info: { title: 'Refyne', version, description },
    servers: [{ url: `${appUrl}/api` }],
    tags: names.map((name) => ({ name, description: tagNotes[name] ?? '' })),
    paths,
    components: {
      securitySchemes: securitySchemes(appUrl),
      parameters: { IdempotencyKey: idempotencyKey },
      responses,
      schemas: { Error: errorSchema, WrongFields: wrongFieldsSchema },
    },
  })
  return shareParameters(document)
})

/** The document as JSON. */
export const apiJson = once(async (appUrl) => JSON.stringify(await apiDocument(appUrl)))

const securitySchemes = (appUrl: string): ApiDocument['components']['securitySchemes'] => ({
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: `${cookiePrefix({ APP_URL: appUrl })}.session_token`,
    description: 'Set by auth.signIn. A page of another origin cannot use it.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'refyne_…',
    description: 'A key that an administrator created under Settings. Its scopes limit it; each call names the one it needs.',
  },
})

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'For 24 hours the same key and body get the first answer again, marked Idempotency-Replayed: true. Another body: 422 IDEMPOTENCY_KEY_REUSED. While the first request is running: 409 IDEMPOTENCY_KEY_IN_USE with Retry-After.',
  schema: { type: 'string', maxLength: 200 },
  example: '0192f3c1-7a5e-7c3b-9d2e-4f1a6b8c0d21',
}

const accessOf = (route: Route): Access => ({ ...rawRoutes, ...permissions })[route]

/** Adds what the contract leaves to the place that every call passes (api.ts): who may make it, and how it may be refused. */
function completeCall(method: string, operation: Operation, responses: Record<string, Response>): void {
  const route = operation.operationId as Route
  const own = Object.values(operation.responses).flatMap((response) => declaredFailures(response as Response))
  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400)
  const json = operation.requestBody?.content['application/json']
  const hasInput = json !== undefined || (operation.parameters ?? []).length > 0
  if (json) {
    json.example = exampleOf(json.schema)
    json.schema = explainFields(json.schema)
  }
  operation.parameters = parametersOf(method, route, operation.parameters as Parameter[] | undefined)
  const body = json ? [failures.badRequest, failures.tooLarge, failures.contentType] : []
  const given = [...body, ...accessFailures(method, route), ...(hasInput ? [failures.invalidInput] : []), ...own]
  operation.responses = { ...Object.fromEntries(successes), ...responsesFor(withKeyFailures(method, route, given), responses) }
  describeAccess(method, operation, route)
}

function fileOperation(given: FileRoute, responses: Record<string, Response>): Operation {
  const { route, method, tag, summary, body } = given
  const operation: Operation = {
    operationId: given.operationId ?? route,
    summary,
    tags: [tag],
    parameters: parametersOf(method, accessOf(route) === 'public' ? null : route, given.parameters),
    ...(body ? { requestBody: body } : {}),
    responses: {
      ...given.responses,
      ...responsesFor(withKeyFailures(method, route, [...accessFailures(method, route), ...given.failures]), responses),
    },
  }
  describeAccess(method, operation, route)
  return operation
}

const honoursKeys = (method: string, route: Route | null) => method === 'post' && route !== null && !ignoresKeys.has(route)

function parametersOf(method: string, route: Route | null, given: Parameter[] = []): Operation['parameters'] {
  const explained = given.map(explainParameter)
  return honoursKeys(method, route) ? [...explained, { $ref: '#/components/parameters/IdempotencyKey' }] : explained
}

/** Refusals of callers, whatever they send. */
function accessFailures(method: string, route: Route): Failure[] {
  const isWrite = method !== 'get'
  if (accessOf(route) === 'public') {
    if (Object.hasOwn(rawRoutes, route)) return []
    // A wrong API key is refused before it matters that none is needed.
    return [failures.invalidKey, ...(isWrite ? [failures.foreignOrigin] : []), failures.tooMany]
  }
  return [
    failures.unauthorized,
    failures.invalidKey,
    failures.forbidden,
    ...(needsProof.has(route) ? [failures.proof] : []),
    ...(isWrite ? [failures.foreignOrigin] : []),
    failures.tooMany,
  ]
}

function withKeyFailures(method: string, route: Route, given: readonly Failure[]): Failure[] {
  const isPublicFile = Object.hasOwn(rawRoutes, route) && accessOf(route) === 'public'
  const ofKey = honoursKeys(method, route) && !isPublicFile ? keyFailures : []
  return [...given, ...ofKey, failures.unavailable, failures.diskFull, failures.broken].toSorted(
    (a, b) => (a.status === 'default' ? 999 : a.status) - (b.status === 'default' ? 999 : b.status),
  )
}

/** The errors that a contract lists, left in the response by `customErrorResponseBodySchema`. */
function declaredFailures(response: Response): Failure[] {
  const schema = response.content?.['application/json']?.schema as { 'x-errors'?: [status: number, ...DefinedError][] } | undefined
  return (schema?.['x-errors'] ?? []).map(([status, code, message, , data]) => ({
    status,
    code,
    message,
    ...(typeof data === 'object' && data !== null && Object.keys(data).length > 0 ? { data } : {}),
  }))
}

/** Says who may make a call: in `security`, for programs, and in words. */
function describeAccess(method: string, operation: Operation, route: Route): void {
  const access = accessOf(route)
  const scope = scopeOf(route, method.toUpperCase())
  operation.security = access === 'public' ? [] : [{ session: [] }, ...(scope ? [{ apiKey: [] }] : [])]
  if (access === 'public') return
  const who =
    access === 'signed-in'
      ? 'any account, also before its approval'
      : access.length === roles.length
        ? 'every role'
        : access.map((role) => roleNames[role]).join(', ')
  const words = `For ${who}. ${scope ? `Scope of API keys: \`${scope}\`.` : 'Not for API keys.'}`
  operation.description = operation.description ? `${operation.description}\n\n${words}` : words
}

/** What the generator adds to say nothing: the range of safe integers, its own marks, and settings of parameters that none of ours has. */
function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise)
  if (typeof value !== 'object' || value === null) return value
  const isNoise = ([key, inner]: [string, unknown]) =>
    key === 'x-native-type' ||
    ((key === 'allowEmptyValue' || key === 'allowReserved') && inner === true && 'in' in value) ||
    ((key === 'minimum' || key === 'maximum') && Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER)
  return Object.fromEntries(
    Object.entries(value)
      .filter((entry) => !isNoise(entry))
      .map(([key, inner]) => [key, withoutNoise(inner)]),
  )
}
