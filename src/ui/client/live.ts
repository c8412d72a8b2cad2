import { useEffect, useRef } from 'react'
import type { ChangeEvent, Topic } from '../../kernel/events/contract.ts'
import { client } from './api.ts'
import { beginLeaving, isLeaving, stayAfterAll } from './leaving.ts'
import { refreshSession } from './session.ts'

type Listener = (event: ChangeEvent) => void

// One stream per tab, open while anything on the page listens and the tab can be seen.
const listeners = new Set<Listener>()
let stream: AbortController | null = null
/** Since someone on this page listens. */
let connections = 0
/** Since then, by this page's clock, no one has listened: what is on the page may be as old as this. It begins with the page itself. */
let deafSince = 0
/** Milliseconds more than that: the request for the stream may reach the server sooner than the page's others. */
const margin = 500

const firstWait = 1000
const maxWaitMs = 30_000
/** Milliseconds: a browser has six connections to a server over HTTP/1.1, so that six streams in tabs behind would leave none to work with. */
const unseenFor = 5000
let unseen: ReturnType<typeof setTimeout> | undefined

document.addEventListener('visibilitychange', () => {
  clearTimeout(unseen)
  if (document.hidden) unseen = setTimeout(close, unseenFor)
  else if (!stream) {
    // What was asked before may have changed since.
    connections++
    open()
  }
})

/** Anyone who signs out hears of nothing any more. */
export function leaveLive(leaving: boolean): void {
  if (leaving) {
    beginLeaving()
    close()
  } else {
    stayAfterAll()
    open()
  }
}

/** Does what ends this session. What it was refused for is thrown on, and the page goes on as before. */
export async function whileLeaving<Result>(work: () => Promise<Result>): Promise<Result> {
  leaveLive(true)
  try {
    return await work()
  } catch (error) {
    leaveLive(false)
    throw error
  }
}

function open() {
  if (stream || isLeaving() || document.hidden || listeners.size === 0) return
  stream = new AbortController()
  void run(stream.signal)
}

function close() {
  stream?.abort()
  stream = null
}

async function run(signal: AbortSignal) {
  let wait = firstWait
  while (!signal.aborted) {
    try {
      const replay = connections === 0 ? Math.round(performance.now() - deafSince) + margin : 0
      for await (const event of await client.events.subscribe({ replay }, { signal })) {
        wait = firstWait
        // The first greeting says nothing new, and what was missed before it follows; a later one means that changes may have been missed.
        if (event.topic === 'connected' && connections++ === 0) continue
        for (const listener of listeners) listener(event)
      }
    } catch {
      // Lost, or refused; asked again below.
    }
    if (signal.aborted) return
    // The server ends the stream with the session: anyone who was signed out elsewhere leaves this page too.
    await refreshSession()
    // Spread out, so that a server that comes back is not met by every tab at once.
    await pause(wait * (0.5 + Math.random()), signal)
    wait = Math.min(wait * 2, maxWaitMs)
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function listen(listener: Listener): () => void {
  listeners.add(listener)
  open()
  return () => {
    listeners.delete(listener)
    // A page change takes its listeners away and brings others at once; the stream lives through that.
    setTimeout(() => {
      if (listeners.size > 0) return
      close()
      connections = 0
      deafSince = performance.now()
    })
  }
}

interface LiveOptions {
  /** Changes within this time are handled once, at its end (spec 9: 1000 for the contact list). */
  debounceMs?: number
}

/**
 * Calls `handler` when something of these topics changed: invalidate the queries concerned. It gets the ids that changed; null when the stream
 * was away, so that anything may have changed.
 */
export function useLive(
  topics: readonly Topic[],
  handler: (ids: ReadonlySet<string> | null) => void,
  { debounceMs = 0 }: LiveOptions = {},
): void {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  const wanted = topics.join(' ')

  useEffect(() => {
    let ids: Set<string> | null = new Set()
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      if (isLeaving()) return
      const changed = ids
      ids = new Set()
      latest.current(changed)
    }
    const stop = listen((event) => {
      if (event.topic === 'connected') {
        ids = null
      } else if (wanted.split(' ').includes(event.topic)) {
        ids?.add(event.id)
      } else {
        return
      }
      timer ??= setTimeout(flush, debounceMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [wanted, debounceMs])
}
