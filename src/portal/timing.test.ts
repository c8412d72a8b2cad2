import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { insertContacts } from '../../test/factories.ts'
import { portalOf } from '../../test/portal.ts'
import { useServer } from '../../test/server.ts'

/** `CODE_REQUESTS=500` prints steadier timings; the responses are compared whatever their number. */
const requests = Number(process.env.CODE_REQUESTS ?? 100)
const server = useServer({ TRUST_PROXY: 'true' })
const { call } = portalOf(server)

it('answers a request for a code the same for known and unknown addresses, and prints the timings', async () => {
  const known = Array.from({ length: requests }, () => `${randomUUID()}@mail.example`)
  await insertContacts(
    server,
    known.map((email) => ({ email })),
  )
  const ask = async (kind: 'known' | 'unknown', email: string) => {
    const startedAt = performance.now()
    const answer = await call('request-document-access', { email })
    return { kind, durationMs: performance.now() - startedAt, answer }
  }
  await ask('unknown', `${randomUUID()}@mail.example`)
  const results: Awaited<ReturnType<typeof ask>>[] = []
  // The job of a known address runs during the next request, so the order alternates and neither kind always comes second.
  for (const [at, email] of known.entries()) {
    const other = `${randomUUID()}@mail.example`
    const pair = [['known', email] as const, ['unknown', other] as const]
    for (const [kind, address] of at % 2 === 0 ? pair : pair.toReversed()) results.push(await ask(kind, address))
  }

  expect(new Set(results.map(({ answer }) => JSON.stringify(answer)))).toEqual(new Set(['{"status":200,"body":{"success":true}}']))
  const times = (kind: string) => results.flatMap((one) => (one.kind === kind ? [one.durationMs] : [])).toSorted((a, b) => a - b)
  const median = (kind: string) => times(kind)[requests / 2]!
  const [ofKnown, ofUnknown] = [median('known'), median('unknown')]
  expect(times('known')).toHaveLength(requests)
  process.stdout.write(
    `Asking for a code, median of ${requests} each: known ${ofKnown.toFixed(2)} ms, unknown ${ofUnknown.toFixed(2)} ms, ` +
      `difference ${(ofKnown - ofUnknown).toFixed(2)} ms\n`,
  )
})
