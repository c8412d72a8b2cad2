import { type OpenAPI, OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import type { AnyContractProcedure } from '@orpc/contract'
import { contract } from './contract.ts'
import type { ApiRoute } from '../kernel/access/policy.ts'
import { ignoresKeys } from '../platform/idempotency/rules.ts'

/** Writes what does not change while the process runs when it is first asked for. A failure is not kept. */
function once<Result>(write: (appUrl: string) => Promise<Result>): (appUrl: string) => Promise<Result> {
  let written: Promise<Result> | null = null
  return (appUrl) => {
    written ??= write(appUrl).catch((error: unknown) => {
      written = null
      throw error
    })
    return written
  }
}

/** The OpenAPI document of the typed calls and the lead intake. */
const apiDocument = once(async (appUrl): Promise<OpenAPI.Document> => {
  const generated = await new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(contract, {
    info: {
      title: 'Refyne',
      version: '1',
      description: 'Calls need the session cookie that signing in sets, or an API key as Authorization: Bearer, unless they say otherwise.',
    },
    servers: [{ url: `${appUrl}/api` }],
  })
  offerKeys(generated)
  return { ...generated, paths: { ...generated.paths, '/leads/{webhookKey}': leadIntake } }
})

const keyParameter: OpenAPI.ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'For 24 hours the same key and body get the first answer again, marked Idempotency-Replayed: true. Another body: 422 IDEMPOTENCY_KEY_REUSED. While the first request is running: 409 IDEMPOTENCY_KEY_IN_USE with Retry-After.',
  schema: { type: 'string', maxLength: 200 },
}

/** Adds the header to each call that honours it. */
function offerKeys({ paths }: OpenAPI.Document): void {
  for (const [feature, procedures] of Object.entries(contract))
    for (const [key, procedure] of Object.entries(procedures as Record<string, AnyContractProcedure>)) {
      const { method = 'POST', path = '' } = procedure['~orpc'].route
      const operation = method === 'POST' && !ignoresKeys.has(`${feature}.${key}` as ApiRoute) ? paths?.[path]?.post : undefined
      if (operation) operation.parameters = [...(operation.parameters ?? []), keyParameter]
    }
}

const leadFields = Object.fromEntries(
  ['first_name', 'last_name', 'email', 'phone', 'procedure', 'source'].map((name) => [name, { type: 'string' as const }]),
)
const leadBody = { schema: { type: 'object' as const, properties: leadFields, required: ['first_name', 'last_name', 'email'] } }

const leadIntake: OpenAPI.PathItemObject = {
  post: {
    tags: ['Leads'],
    summary: 'Send a lead with the webhook key of its source; needs no session',
    parameters: [
      { name: 'webhookKey', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': leadBody, 'application/x-www-form-urlencoded': leadBody, 'multipart/form-data': leadBody },
    },
    responses: {
      202: { description: 'Stored; it is processed in a moment. A replay gets the same answer as the first request.' },
      303: { description: 'Stored; a browser form is redirected to the thank-you page of the source.' },
      400: { description: 'INVALID_BODY, INVALID_IDEMPOTENCY_KEY' },
      401: { description: 'INVALID_WEBHOOK_KEY' },
      413: { description: 'BODY_TOO_LARGE: more than 64 KiB' },
      415: { description: 'UNSUPPORTED_CONTENT_TYPE' },
      422: { description: 'IDEMPOTENCY_KEY_REUSED' },
      429: { description: 'TOO_MANY_REQUESTS' },
    },
  },
}

const escape = (value: string) => value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
const block = (title: string, value: unknown) =>
  value ? `<details><summary>${title}</summary><pre>${escape(JSON.stringify(value, null, 2))}</pre></details>` : ''

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}h2{margin-top:2.5rem}article{border-top:1px solid;padding:.75rem 0}
code{font-weight:600}pre{overflow:auto;font-size:13px}summary{cursor:pointer}:root{color-scheme:light dark}`

/** The document as JSON: a megabyte takes 14 ms. */
export const apiJson = once(async (appUrl) => JSON.stringify(await apiDocument(appUrl)))

/** The document as a page that needs no script and nothing from outside: three megabytes take 45 ms. */
export const apiReader = once(async (appUrl) => {
  const { paths, info } = await apiDocument(appUrl)
  const byTag = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(paths ?? {})) {
    for (const [method, operation] of Object.entries(methods as Record<string, OpenAPI.OperationObject>)) {
      const details =
        block('Parameters', operation.parameters) + block('Body', operation.requestBody) + block('Answers', operation.responses)
      const article = `<article><code>${method.toUpperCase()} /api${escape(path)}</code><div>${escape(operation.summary ?? '')}</div>${details}</article>`
      const tag = operation.tags?.[0] ?? 'Other'
      byTag.set(tag, [...(byTag.get(tag) ?? []), article])
    }
  }
  const sections = [...byTag].map(([tag, articles]) => `<h2>${escape(tag)}</h2>${articles.join('')}`)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${info.title} API</title><style>${style}</style>
<h1>${info.title} API</h1><p>${info.description} The same as data: <a href="/api/openapi.json">openapi.json</a></p>${sections.join('')}</html>`
})
