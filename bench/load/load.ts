/** The load generator, in a separate process so that neither the measured server nor the benchmark itself slows it down. */
import autocannon from 'autocannon'
import type { LoadAnswer, LoadOrder, LoadResult } from './protocol.ts'

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }),
  )
})

const minResponses = 3

const answer = (message: LoadAnswer) => process.send?.(message)

function run({ url, connections, seconds, headers, requests }: LoadOrder): Promise<LoadResult> {
  const latencies: LoadResult['latencies'] = []
  const orders = new Map<autocannon.Client, { sequence: number[]; answered: number }>()
  let refusal: string | null = null
  let last = 0

  return new Promise((resolve, reject) => {
    const start = performance.now()
    const instance = autocannon(
      {
        url,
        connections,
        duration: 24 * 3600, // ended below
        sampleInt: 50, // how soon the end is noticed; the rate is computed up to the last response
        timeout: 60,
        idReplacement: requests.some(({ body }) => body?.includes('[<id>]')),
        setupClient(client) {
          const sequence = shuffled(requests.length)
          orders.set(client, { sequence, answered: 0 })
          client.setRequests(
            sequence.map((at) => {
              const request = requests[at]!
              return { headers: { ...headers, ...(request.body ? { 'content-type': 'application/json' } : {}) }, ...request }
            }),
          )
        },
      },
      (error: unknown) => {
        if (error) return reject(error instanceof Error ? error : new Error('The load could not be started'))
        if (refusal) return reject(new Error(refusal))
        const result = { perSecond: latencies.length / ((last - start) / 1000), latencies }
        // The server may still be working on pending requests; wait so that they don't disturb the next measurement.
        setTimeout(
          () => resolve(result),
          latencies.reduce((longest, { ms }) => Math.max(longest, ms), 0),
        )
      },
    )
    instance.on('response', (client, status, _bytes, ms) => {
      const order = orders.get(client)!
      const request = order.sequence[order.answered++ % requests.length]!
      if (status < 200 || status > 299) {
        refusal ??= `${requests[request]!.method} ${requests[request]!.path} answered ${status}`
        instance.stop()
      }
      last = performance.now()
      latencies.push({ request, ms })
      // A slow case runs longer, until each connection has had a few responses: requests pending at the end do not count.
      if (last - start >= seconds * 1000 && latencies.length >= minResponses * connections) instance.stop()
    })
    instance.on('reqError', (error: unknown) => {
      refusal ??= String(error)
      instance.stop()
    })
  })
}

function shuffled(length: number): number[] {
  const numbers = Array.from({ length }, (_, at) => at)
  for (let at = length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1))
    ;[numbers[at], numbers[other]] = [numbers[other]!, numbers[at]!]
  }
  return numbers
}
