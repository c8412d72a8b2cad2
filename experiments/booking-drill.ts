/**
 * `npm run booking-drill`: an experiment. Patients fight for a few times that need a deposit: they hold, pay and confirm as the page does, with declined
 * cards, closed pages, lapsed times and cancelled visits. The server is killed, Stripe's answers are lost and its events come doubled, late and
 * shuffled. Then it prints what PostgreSQL, Stripe and QuickBooks say, and whether it is the same.
 *
 *   npm run booking-drill -- --patients 200 --slots 20 --kills 20 --lost 0.3 --seed 29
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { drill } from './booking-drill/drill.ts'
import { reconcile } from './booking-drill/reconcile.ts'
import { onDatabase } from './on-database.ts'

const { values } = parseArgs({
  options: {
    patients: { type: 'string', default: '200' },
    slots: { type: 'string', default: '20' },
    kills: { type: 'string', default: '20' },
    /** The share of Stripe's answers that are lost. */
    lost: { type: 'string', default: '0.3' },
    seed: { type: 'string', default: '29' },
  },
})

await onDatabase('booking', async (databaseUrl) => {
  const wanted = {
    patients: Number(values.patients),
    slots: Number(values.slots),
    kills: Number(values.kills),
    lostShare: Number(values.lost),
    seed: Number(values.seed),
  }
  const { figures, found } = await drill({ ...wanted, databaseUrl, owner: new pg.Client({ connectionString: databaseUrl }) }, reconcile)
  return {
    figures,
    holds: [
      ...found.map(
        ({ what, isHeld, figures: counted, differences }) =>
          [[`${what}: ${counted}`, ...differences].join('\n          '), isHeld] as const,
      ),
      ['each visit that a page showed as booked exists', figures.missing === 0] as const,
    ],
  }
})
