import { expect, test } from 'vitest'
import { readRecording, recordedAt, send, TokenNames } from './recorded.ts'
import { startQuickBooksSimulator } from './server.ts'

/** `npm run sdk-proof` runs the package itself, and compares its calls with these. */
test.each(Object.entries(readRecording()))('responds to node-quickbooks as recorded: %s', async (_, exchanges) => {
  const simulator = await startQuickBooksSimulator({ clientId: 'id', clientSecret: 'secret', now: () => recordedAt })
  try {
    const tokens = new TokenNames()
    tokens.learn(simulator.connect())
    for (const exchange of exchanges) expect(await send(simulator.url, exchange, tokens)).toEqual(exchange.answer)
    expect(exchanges.length).toBeGreaterThan(0)
  } finally {
    await simulator.stop()
  }
})
