import { implement } from '@orpc/server'
import type { Context } from '../../server/context.ts'
import { staff } from '../../server/scope.ts'
import { eventsContract } from './contract.ts'

const os = implement(eventsContract).$context<Context>()

export const eventsRouter = os.router({
  /** Ends with the session: a stream that lives on would be a way around signing out. */
  subscribe: os.subscribe.handler(async function* ({ context, signal }) {
    const actor = staff(context)
    for await (const event of context.events.subscribe(signal ?? new AbortController().signal)) {
      if (event.topic !== 'session') yield { topic: event.topic, id: event.id }
      else if (event.id === actor.id) return
    }
  }),
})
