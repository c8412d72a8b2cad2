import { useEffect, useRef } from 'react'
import type { ChangeEvent, Topic } from '../../kernel/events/contract.ts'
import { client } from './api.ts'
import { beginLeaving, isLeaving, cancelLeaving } from './leaving.ts'
import { refreshSession } from './session.ts'

type Listener = (event: ChangeEvent) => void

// One stream per tab, open while anything on the page listens and the tab is visible.
const listeners = new Set<Listener>()
let stream: AbortController | null = null
/** Start of the current listening period. */
let connections = 0
/** Last time this page listened, by its own clock: data on the page may be as old as this. Initially the page load. */
let deafSince = 0
/** Milliseconds that are replayed in addition, for the time that the stream's request is under way. */
const margin = 1000

const firstWait = 1000
const maxWaitMs = 30_000
/** Milliseconds: a browser has six HTTP/1.1 connections per server, so streams of six background tabs would leave none. */
const unseenFor = 5000
let unseen: ReturnType<typeof setTimeout> | undefined

document.addEventListener('visibilitychange', () => {
  clearTimeout(unseen)
  if (document.hidden) unseen = setTimeout(close, unseenFor)
  else if (!stream) {
    // Earlier data may have changed since.
    connections++
    open()
  }
})

/** No events after signing out. */
export function leaveLive(leaving: boolean): void {
  if (leaving) {
    beginLeaving()
    close()
  } else {
    cancelLeaving()
    open()
  }
}

/** Runs the call that ends this session. If it is refused, rethrows and the page continues as before. */
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
      const asked = performance.now()
      const replay = connections === 0 ? Math.round(asked - deafSince) + margin : 0
      for await (const event of await client.events.subscribe({ replay }, { signal })) {
        wait = firstWait
        // Changes may have been missed, unless this is the first greeting after load and came within what is replayed.
        if (event.topic === 'connected' && connections++ === 0 && performance.now() - asked < margin) continue
        for (const listener of listeners) listener(event)
      }
    } catch {
      // Lost or refused; retried below.
    }
    if (signal.aborted) return
    // The server ends the stream with the session, so a session ended elsewhere also leaves this page.
    await refreshSession()
    // Jitter, so that tabs do not all reconnect to a restarted server at once.
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
    // A page change removes its listeners and adds others immediately; the stream survives that.
    setTimeout(() => {
      if (listeners.size > 0) return
      close()
      connections = 0
      deafSince = performance.now()
    })
  }
}

interface LiveOptions {
  /** Changes within this time are batched and handled at its end (spec 9: 1000 for the contact list). */
  debounceMs?: number
}

/**
 * Calls `handler` when these topics change, to invalidate queries. It receives the changed ids; null after a lost stream, when anything
 * may have changed.
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
