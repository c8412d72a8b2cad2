import { StandardOpenAPICodec, StandardOpenAPIMatcher } from '@orpc/openapi/standard'
import {
  StandardBracketNotationSerializer,
  StandardOpenAPIJsonSerializer,
  type StandardOpenAPISerializeOptions,
  StandardOpenAPISerializer,
} from '@orpc/openapi-client/standard'
import type { AnyRouter, Context as HandlerContext, InferRouterInitialContext } from '@orpc/server'
import { StandardHandler, type StandardHandlerOptions } from '@orpc/server/standard'
import { toFetchResponse } from '@orpc/standard-server-fetch'
import { whileAnswering } from '../kernel/give-way.ts'
import { toJson } from '../kernel/http/json.ts'

/** The result of a call: its JSON, or a stream of events as a response. `text` is null without a result. */
export type CallResult = { status: number; text: string | null } | Response

type Call<Context extends HandlerContext> = {
  request: Request
  /** The body, as sent; null without one. */
  body: Uint8Array | null
  prefix: `/${string}`
  context: Context
}

/**
 * Runs calls as the library's OpenAPI handler does, without its adapter, which builds a request, a response and two sets of headers for each
 * call and copies each result before it is written as JSON (decision "request-cost").
 */
export function createCallHandler<Router extends AnyRouter>(
  router: Router,
  options: StandardHandlerOptions<InferRouterInitialContext<Router>>,
): (call: Call<InferRouterInitialContext<Router>>) => Promise<CallResult | null> {
  const handler = new StandardHandler(router, new StandardOpenAPIMatcher(), new StandardOpenAPICodec(new ResultSerializer()), options)

  return async ({ request, body, prefix, context }) => {
    const call = {
      method: request.method,
      url: new URL(request.url),
      headers: {},
      signal: request.signal,
      body: async () => (body ? readJson(body) : undefined),
    }
    const { matched, response } = await whileAnswering(() => handler.handle(call, { prefix, context }))
    if (!matched) return null
    if (isStream(response.body)) return toFetchResponse(response)
    return { status: response.status, text: response.body === undefined ? null : toJson(response.body) }
  }
}

const decoder = new TextDecoder()

/** Undefined for an empty body. */
function readJson(body: Uint8Array): unknown {
  const text = decoder.decode(body)
  return text === '' ? undefined : JSON.parse(text)
}

const isStream = (body: unknown): boolean => typeof body === 'object' && body !== null && Symbol.asyncIterator in body

/** Leaves results as they are: `toJson` writes dates as the library would, and no output has another type that it changes. */
class ResultSerializer extends StandardOpenAPISerializer {
  constructor() {
    super(new StandardOpenAPIJsonSerializer(), new StandardBracketNotationSerializer())
  }

  override serialize(data: unknown, options: StandardOpenAPISerializeOptions = {}): unknown {
    return isStream(data) ? super.serialize(data, options) : data
  }
}
