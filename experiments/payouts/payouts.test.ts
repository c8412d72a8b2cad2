import { expect, inject, it } from 'vitest'
import { copyTemplate } from '../../test/database.ts'
import { drill } from './drill.ts'

it(
  'runs the experiment in small: through a kill of the server, each planted difference is named, and QuickBooks has the rest once (issue 29)',
  { timeout: 180_000 },
  async () => {
    const database = await copyTemplate(inject('postgres'))
    try {
      const found = await drill({ payouts: 60, rounds: 2, kills: 1, databaseUrl: database.url })
      expect(found).toMatchObject({
        read: 60,
        unnamed: [],
        blamed: [],
        postedTwice: 0,
        deposits: found.matched,
        depositCents: found.matchedCents,
      })
      expect(found.named).toEqual(found.planted)
      expect(found.transactions).toBe(found.transactionsAtStripe)
    } finally {
      await database.drop()
    }
  },
)
