import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { copyTemplate } from '../../test/database.ts'
import { drill } from './drill.ts'

it(
  'runs the experiment in small: through kills, a change of the clocks and holidays, each step is done once and when an independent model says (issue 28)',
  { timeout: 180_000 },
  async () => {
    const database = await copyTemplate(inject('postgres'))
    try {
      const owner = new pg.Client({ connectionString: database.url })
      const found = await drill({ patients: 60, days: 40, tickHours: 6, kills: 2, seed: 28, databaseUrl: database.url, owner })
      expect(found).toMatchObject({ kills: 2, different: 0, examples: [], twice: 0, sentTwice: 0, atNight: 0 })
      expect(found.steps).toBeGreaterThan(100)
    } finally {
      await database.drop()
    }
  },
)
