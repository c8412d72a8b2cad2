/**
 * `npm run sequence-drill`: an experiment. Patients go through five sequences over days of a simulated clock, with a change of the clocks and
 * holidays, replies, bookings, stops and cancellations, while the server is killed and Twilio's reports come doubled and in the opposite order. It prints
 * whether each step was done once and when an independent model says, and whether a text left twice or at night.
 *
 *   npm run sequence-drill -- --patients 10000 --days 60 --kills 50 --tick 1 --seed 28
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { onDatabase } from './on-database.ts'
import { drill } from './sequence-drill/drill.ts'

const { values } = parseArgs({
  options: {
    patients: { type: 'string', default: '10000' },
    days: { type: 'string', default: '60' },
    kills: { type: 'string', default: '50' },
    /** Hours between two looks at what is due. */
    tick: { type: 'string', default: '1' },
    seed: { type: 'string', default: '28' },
  },
})
await onDatabase('sequences', async (databaseUrl) => {
  const found = await drill({
    patients: Number(values.patients),
    days: Number(values.days),
    kills: Number(values.kills),
    tickHours: Number(values.tick),
    seed: Number(values.seed),
    databaseUrl,
    owner: new pg.Client({ connectionString: databaseUrl }),
  })
  return {
    figures: found,
    holds: [
      ['each patient got what the model says, when it says', found.different === 0],
      ['no step was carried out twice', found.twice === 0],
      ['no text was sent twice', found.sentTwice === 0],
      ['no text was sent at night', found.atNight === 0],
    ],
  }
})
