import { createORPCClient } from '@orpc/client'
import type { AnyContractRouter, ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import { QueryCache, MutationCache } from '@tanstack/react-query'
import { routes } from 'virtual:api-routes'
import { whileStaying } from './leaving.ts'
import { LateQueryClient } from './query-client.ts'
import { refreshSession } from './session.ts'
import { readRefusal } from './read-refusal.ts'
import { statusOf } from './refusal.ts'
import { sendOnce } from './send-once.ts'
import { sendProving } from './step-up.ts'

/** Filled in by src/app, which alone knows every call: the client is typed by the contract without importing it. */
export interface Register {}

export type Client = JsonifiedClient<
  ContractRouterClient<Register extends { contract: infer Contract extends AnyContractRouter } ? Contract : never>
>

/** What a page is left by. */
const endsSession = new Set(['auth.signOut', 'auth.updatePassword'])

/** The typed API. Dates arrive as ISO strings. */
export const client: Client = createORPCClient(
  new OpenAPILink(routes, {
    url: `${location.origin}/api`,
    customErrorResponseBodyDecoder: readRefusal,
    async fetch(request, init, _options, path) {
      const call = path.join('.')
      if (!endsSession.has(call)) await whileStaying()
      return sendOnce(request, (keyed) => sendProving(call, keyed, (sent) => globalThis.fetch(sent, init)))
    },
  }),
)

/** Query and mutation options per call: `useQuery(orpc.contacts.list.queryOptions({ input }))`. */
export const orpc = createTanstackQueryUtils(client)

export { codeOf, messageOf, statusOf } from './refusal.ts'

// A session that ended elsewhere shows as 401 on whatever is asked next; asking for the session then leads to the sign-in page.
function onError(error: unknown) {
  if (statusOf(error) === 401) void refreshSession()
}

export const queryClient = new LateQueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Offline a question fails at once, and the page says so, instead of waiting in silence; it is asked again when the connection is back.
      networkMode: 'always',
      refetchOnReconnect: true,
      // A refusal stays one; only a lost connection or a server in trouble is worth another try.
      retry: (failures, error) => failures < 2 && navigator.onLine && (statusOf(error) === 0 || statusOf(error) >= 500),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
