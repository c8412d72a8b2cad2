import { implement } from '@orpc/server'
import type { Context } from '../../server/context.ts'
import { mayHear } from '../../server/events.ts'
import { staff } from '../../server/scope.ts'
import { lifeOf } from '../auth/service.ts'
import { eventsContract } from './contract.ts'

const os = implement(eventsContract).$context<Context>()

export const eventsRouter = os.router({
  /** Ends with the session: a stream that lives on would be a way around signing out. */
  subscribe: os.subscribe.handler(async function* ({ context, input, signal }) {
    const actor = staff(context)
    const over = new AbortController()
    let timer: NodeJS.Timeout | undefined
    /** Looks again when the session would end, as it is now: one that is in use goes on. */
    const watch = async () => {
      clearTimeout(timer)
      const life = await lifeOf(context.db, context.env, actor.sessionId)
      if (!life) over.abort()
      else if (!over.signal.aborted) timer = setTimeout(() => void watch().catch(() => over.abort()), life.idleSeconds * 1000)
      return life
    }
    try {
      const until = signal ? AbortSignal.any([signal, over.signal]) : over.signal
      for await (const event of context.events.subscribe(until, input.replay)) {
        if (event.topic === 'session' && (event.id === actor.id || event.id === actor.sessionId)) return
        // At the beginning, and whenever something may have been missed, such as the end of this session.
        if (event.topic === 'connected' && !(await watch())) return
        if (event.topic !== 'session' && mayHear(event, actor)) yield { topic: event.topic, id: event.id }
      }
    } finally {
      over.abort()
      clearTimeout(timer)
    }
  }),
})
