import { createORPCClient } from '@orpc/client'
import type { AnyContractRouter, ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import { QueryCache, MutationCache } from '@tanstack/react-query'
import { calls } from './calls.ts'
import { whileStaying } from './leaving.ts'
import { LateQueryClient } from './query-client.ts'
import { refreshSession } from './session.ts'
import { readRefusal } from './read-refusal.ts'
import { statusOf } from './refusal.ts'
import { idempotentSend } from './idempotent-send.ts'
import { sendProving } from './step-up.ts'

/** Set by src/app, which knows all calls: the client is typed by the contract without importing it. */
export interface Register {}

export type Client = JsonifiedClient<
  ContractRouterClient<Register extends { contract: infer Contract extends AnyContractRouter } ? Contract : never>
>

/** Called when leaving the page. */
const endsSession = new Set(['auth.signOut', 'auth.updatePassword'])

/** The typed API. Dates arrive as ISO strings. */
export const client: Client = createORPCClient(
  new OpenAPILink(calls, {
    url: `${location.origin}/api`,
    customErrorResponseBodyDecoder: readRefusal,
    async fetch(request, init, _options, path) {
      const call = path.join('.')
      if (!endsSession.has(call)) await whileStaying()
      return idempotentSend(request, (keyed) => sendProving(call, keyed, (sent) => globalThis.fetch(sent, init)))
    },
  }),
)

/** Query and mutation options per call: `useQuery(orpc.contacts.list.queryOptions({ input }))`. */
export const orpc = createTanstackQueryUtils(client)

export { codeOf, messageOf, statusOf } from './refusal.ts'

// A session that ended elsewhere causes a 401 on the next request; reloading the session then opens the sign-in page.
function onError(error: unknown) {
  if (statusOf(error) === 401) void refreshSession()
}

export const queryClient = new LateQueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Offline, a query fails at once with a message instead of waiting silently; it is retried once the connection is back.
      networkMode: 'always',
      refetchOnReconnect: true,
      // A refusal is final; only a lost connection or a server error is worth a retry.
      retry: (failures, error) => failures < 2 && navigator.onLine && (statusOf(error) === 0 || statusOf(error) >= 500),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
