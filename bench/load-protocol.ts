/** What is asked of a server again and again. A body is JSON; `[<id>]` in it is another text each time. */
export type LoadRequest = { method: 'GET' | 'POST'; path: string; body?: string }

/** An order to the load process, which sends it to one server for a while. */
export type LoadOrder = {
  url: string
  connections: number
  seconds: number
  headers: Record<string, string>
  /** Each connection goes round them, in an order of its own. */
  requests: LoadRequest[]
}

export type LoadResult = {
  perSecond: number
  /** Of each answer in milliseconds, by the number of its request. */
  latencies: { request: number; ms: number }[]
}

export type LoadAnswer = { result: LoadResult } | { error: string }
