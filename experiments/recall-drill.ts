/**
 * `npm run recall-drill`: an experiment. Fills a clinic with patients and implants of many lots, recalls all of them, and kills the server while it
 * makes the letters and sends the emails. It prints
 *
 * 1. how long the list of affected patients takes;
 * 2. how long all letters take, with the kills;
 * 3. whether each patient has one letter and one email, and got no email twice.
 *
 *   npm run recall-drill -- --implants 3000 --lots 40 --patients 100000 --kills 10
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { onDatabase } from './on-database.ts'
import { drill } from './recall-drill/drill.ts'

const { values } = parseArgs({
  options: {
    implants: { type: 'string', default: '3000' },
    lots: { type: 'string', default: '40' },
    patients: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '10' },
  },
})
const wanted = {
  implants: Number(values.implants),
  lots: Number(values.lots),
  patients: Number(values.patients),
  kills: Number(values.kills),
}

await onDatabase('recall', async (databaseUrl) => {
  const found = await drill({ ...wanted, databaseUrl, owner: new pg.Client({ connectionString: databaseUrl }) })
  return {
    figures: found,
    holds: [
      ['the list takes at most 1 s', found.listMs <= 1_000],
      ['the letters take at most 60 s', found.lettersMs <= 60_000],
      [
        'each patient has one letter and one email',
        found.letters === found.affected && found.emails === found.affected && found.twice === 0,
      ],
      ['no patient got an email twice', found.sentTwice === 0],
      ['each email was sent, or is listed as uncertain', found.sent + found.uncertain === found.affected],
    ],
  }
})
