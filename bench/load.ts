/** The process that asks: not the one that is measured, nor the one that waits for the figures, so that neither takes its time. */
import autocannon from 'autocannon'
import type { LoadAnswer, LoadOrder, LoadResult } from './load-protocol.ts'

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }),
  )
})

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
        // The end is noticed at a sample; the rate is counted up to the last answer, not up to there.
        duration: seconds,
        sampleInt: 50,
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
        if (error) return reject(new Error(String(error)))
        if (refusal) return reject(new Error(refusal))
        if (latencies.length === 0) return reject(new Error(`Nothing was answered within ${seconds} s`))
        resolve({ perSecond: latencies.length / ((last - start) / 1000), latencies })
      },
    )
    instance.on('response', (client, status, _bytes, ms) => {
      const order = orders.get(client)!
      const request = order.sequence[order.answered++ % requests.length]!
      if (status < 200 || status > 299) refusal ??= `${requests[request]!.method} ${requests[request]!.path} answered ${status}`
      last = performance.now()
      latencies.push({ request, ms })
    })
    instance.on('reqError', (error: unknown) => {
      refusal ??= String(error)
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
