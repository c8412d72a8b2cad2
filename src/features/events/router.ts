import { implement } from '@orpc/server'
import type { Context } from '../../server/context.ts'
import { mayHear } from '../../server/events.ts'
import { staff } from '../../server/scope.ts'
import { eventsContract } from './contract.ts'

const os = implement(eventsContract).$context<Context>()

export const eventsRouter = os.router({
  /** Ends with the session: a stream that lives on would be a way around signing out. */
  subscribe: os.subscribe.handler(async function* ({ context, input, signal }) {
    const actor = staff(context)
    const expiry = new AbortController()
    let timer: NodeJS.Timeout | undefined
    try {
      const until = signal ? AbortSignal.any([signal, expiry.signal]) : expiry.signal
      for await (const event of context.events.subscribe(until, input.replay)) {
        if (event.topic === 'session' && event.id === actor.id) return
        if (event.topic === 'connected') {
          // At the beginning, and whenever something may have been missed, such as the end of this session.
          const found = await context.auth.api.getSession({ headers: context.requestHeaders })
          if (!found) return
          timer ??= setTimeout(() => expiry.abort(), found.session.expiresAt.getTime() - Date.now())
        }
        if (event.topic !== 'session' && mayHear(event, actor)) yield { topic: event.topic, id: event.id }
      }
    } finally {
      clearTimeout(timer)
    }
  }),
})
