import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { copyTemplate } from '../../test/database.ts'
import { drill } from './drill.ts'

it(
  'runs the experiment in small: through kills of the server, each patient has one letter and one email, and none gets an email twice (issue 27)',
  { timeout: 180_000 },
  async () => {
    const database = await copyTemplate(inject('postgres'))
    try {
      const [implants, kills] = [120, 2]
      const owner = new pg.Client({ connectionString: database.url })
      const found = await drill({ implants, lots: 4, patients: 400, kills, databaseUrl: database.url, owner })
      expect(found).toMatchObject({ affected: implants, letters: implants, emails: implants, twice: 0, sentTwice: 0 })
      expect(found.sent + found.uncertain).toBe(implants)
    } finally {
      await database.drop()
    }
  },
)
