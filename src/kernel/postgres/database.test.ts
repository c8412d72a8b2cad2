import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createEmpty } from '../../../test/database.ts'
import { type Database, openDatabase } from './database.ts'

describe('frequent statements', () => {
  let db: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await createEmpty(inject('postgres'))
    drop = database.drop
    db = openDatabase(database.url, 1, () => {})
  })
  afterAll(async () => {
    await db.$client.end()
    await drop()
  })
  const preparedTexts = async () =>
    (await db.execute<{ statement: string }>(sql`select statement from pg_prepared_statements order by prepare_time`)).rows.map(
      ({ statement }) => statement,
    )

  it('are prepared from the fifth use on, and return the same rows', async () => {
    const double = (value: number) => db.execute<{ doubled: number }>(sql`select 2 * ${value}::integer as doubled`)
    for (const value of [1, 2, 3, 4]) expect((await double(value)).rows).toEqual([{ doubled: 2 * value }])
    expect(await preparedTexts()).toEqual([])
    for (const value of [5, 6]) expect((await double(value)).rows).toEqual([{ doubled: 2 * value }])
    expect(await preparedTexts()).toEqual(['select 2 * $1::integer as doubled'])
  })

  it('still fail, and work again, when their values are wrong', async () => {
    const inverse = (value: number) => db.execute<{ inverse: number }>(sql`select 12 / ${value}::integer as inverse`)
    for (const value of [1, 2, 3, 4]) await inverse(value)
    for (let time = 0; time < 2; time++) await expect(inverse(0)).rejects.toMatchObject({ cause: { code: '22012' } })
    expect((await inverse(3)).rows).toEqual([{ inverse: 4 }])
  })
})
