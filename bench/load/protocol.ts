/** A request to repeat. The body is JSON; `[<id>]` in it is replaced by a new value each time. */
export type LoadRequest = { method: 'GET' | 'POST'; path: string; body?: string }

/** A command to the load process: send these requests to one server for a number of seconds. */
export type LoadOrder = {
  url: string
  connections: number
  seconds: number
  headers: Record<string, string>
  /** Each connection cycles through them in its own random order. */
  requests: LoadRequest[]
}

export type LoadResult = {
  perSecond: number
  /** The latency of each response in milliseconds, with the index of its request. */
  latencies: { request: number; ms: number }[]
}

export type LoadAnswer = { result: LoadResult } | { error: string }
