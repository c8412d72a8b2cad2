import { implement } from '@orpc/server'
import type { Context } from '../context.ts'
import { mayReceive } from '../../kernel/events/events.ts'
import { staff } from '../../kernel/scope.ts'
import { remainingLifetime } from '../auth/service.ts'
import { type ChangeEvent, eventsContract } from '../../kernel/events/contract.ts'

const os = implement(eventsContract).$context<Context>()

/** Seconds before a refused page retries its stream. */
const retryAfter = '60'

export const eventsRouter = os.router({
  /** Counted before the stream starts, so that one too many is refused with a status. */
  subscribe: os.subscribe.handler(({ context, input, signal, errors }) => {
    const { sessionId } = staff(context)
    const release = context.events.reserveStream(sessionId)
    if (!release) {
      context.responseHeaders.set('retry-after', retryAfter)
      throw errors.TOO_MANY_REQUESTS()
    }
    // A stream whose reader leaves before its first event never runs.
    signal?.addEventListener('abort', release, { once: true })
    return changesFor(context, input.replay, signal, release)
  }),
})

/** Ends with the session; otherwise an open stream would bypass signing out. */
async function* changesFor(
  context: Context,
  replay: number,
  signal: AbortSignal | undefined,
  onEnd: () => void,
): AsyncGenerator<ChangeEvent, void> {
  const actor = staff(context)
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  /** Checks again at the session's current expiry, which moves while the session is in use. */
  const watch = async () => {
    clearTimeout(timer)
    const life = await remainingLifetime(context.db, context.env, actor.sessionId)
    if (!life) over.abort()
    else if (!over.signal.aborted) timer = setTimeout(() => void watch().catch(() => over.abort()), life.idleSeconds * 1000)
    return life
  }
  try {
    const until = signal ? AbortSignal.any([signal, over.signal]) : over.signal
    for await (const event of context.events.subscribe(until, replay)) {
      if (event.topic === 'session' && (event.id === actor.id || event.id === actor.sessionId)) return
      // At the start, and whenever something may have been missed, such as the end of this session.
      if (event.topic === 'connected' && !(await watch())) return
      if (event.topic !== 'session' && mayReceive(event, actor)) yield { topic: event.topic, id: event.id }
    }
  } finally {
    over.abort()
    clearTimeout(timer)
    onEnd()
  }
}
