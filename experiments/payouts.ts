/**
 * `npm run payouts`: an experiment. Pays random payments, refunds, disputes and fees out at the Stripe simulator, some of them wrong in a known way, and kills the
 * server while it reads them. Two thirds of the events are lost. It prints
 *
 * 1. how many payouts were read, and how long that took, with the kills;
 * 2. how many of the planted differences were named, by kind, and how many payouts were blamed wrongly;
 * 3. whether QuickBooks has each payout that adds up once, to the cent.
 *
 *   npm run payouts -- --payouts 10000 --rounds 20 --kills 20
 */
import { parseArgs } from 'node:util'
import { onDatabase } from './on-database.ts'
import { drill } from './payouts/drill.ts'

const { values } = parseArgs({
  options: {
    payouts: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '20' },
    kills: { type: 'string', default: '20' },
  },
})
const wanted = { payouts: Number(values.payouts), rounds: Number(values.rounds), kills: Number(values.kills) }

await onDatabase('payouts', async (databaseUrl) => {
  const found = await drill({ ...wanted, databaseUrl, onRound: (round) => console.log(`round ${round} of ${wanted.rounds}`) })
  return {
    figures: found,
    holds: [
      ['each payout was read', found.read === wanted.payouts],
      ['each planted difference was named', found.unnamed.length === 0],
      ['no payout was blamed wrongly', found.blamed.length === 0],
      ['QuickBooks has each payout that adds up, once', found.deposits === found.matched && found.postedTwice === 0],
      ['and to the cent', found.depositCents === found.matchedCents],
      ['no transaction is kept twice or lost', found.transactions === found.transactionsAtStripe],
    ],
  }
})
