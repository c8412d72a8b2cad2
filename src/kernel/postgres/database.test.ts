import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { alias, bigint, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createEmpty } from '../../../test/database.ts'
import { type Database, type Db, openDatabase, prepared } from './database.ts'

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

  it('are planned for their values each time if those are the limits of a range, or a list', async () => {
    const before = await preparedTexts()
    const ids = Array.from({ length: 101 }, (_, i) => i)
    for (let time = 0; time < 6; time++) {
      await db.execute(sql`select from pg_class where oid > ${1}::oid`)
      await db.execute(sql`select from pg_class where oid in (${1}, ${2})`)
      await db.execute(
        sql`select ${sql.join(
          ids.map((id) => sql`${id}::integer`),
          sql` + `,
        )}`,
      )
    }
    expect(await preparedTexts()).toEqual(before)
  })

  it('are prepared although they are sorted or joined if they read what belongs to one patient', async () => {
    const before = await preparedTexts()
    const rows = sql.raw('select n from (values (1, 2), (1, 1), (2, 3)) as "owned" ("contact_id", n) where "owned"."contact_id" =')
    for (let time = 0; time < 6; time++) {
      expect((await db.execute<{ n: number }>(sql`${rows} ${1}::integer order by n`)).rows).toEqual([{ n: 1 }, { n: 2 }])
      expect((await db.execute<{ n: number }>(sql`${rows} ${2}::integer order by n`)).rows).toEqual([{ n: 3 }])
    }
    expect((await preparedTexts()).length).toBe(before.length + 1)
  })

  it('are no longer prepared on a connection after a column has changed its type', async () => {
    await db.execute(sql`create table changed (id integer, amount integer)`)
    const read = () => db.transaction((tx) => tx.execute(sql`select amount from changed where id = ${1}`))
    for (let time = 0; time < 6; time++) await read()
    await db.execute(sql`alter table changed alter column amount type bigint`)
    await expect(read()).rejects.toMatchObject({ cause: { code: '0A000' } })
    expect((await read()).rows).toEqual([])
  })

  it('still fail, and work again, when their values are wrong', async () => {
    const inverse = (value: number) => db.execute<{ inverse: number }>(sql`select 12 / ${value}::integer as inverse`)
    for (const value of [1, 2, 3, 4]) await inverse(value)
    for (let time = 0; time < 2; time++) await expect(inverse(0)).rejects.toMatchObject({ cause: { code: '22012' } })
    expect((await inverse(3)).rows).toEqual([{ inverse: 4 }])
  })
})

describe('statements that are built once', () => {
  const places = pgTable('places', {
    id: uuid('id').primaryKey(),
    count: bigint('count', { mode: 'number' }),
    at: timestamp('at', { withTimezone: true, mode: 'date' }),
    names: text('names').array(),
    facts: jsonb('facts'),
    parent: uuid('parent'),
  })
  const parents = alias(places, 'parents')
  const { id, at } = places
  const [first, second] = [randomUUID(), randomUUID()]

  it('return the same objects as other statements: flat, nested, computed and joined', async () => {
    const database = await createEmpty(inject('postgres'))
    const db = openDatabase(database.url, 1, () => {})
    await db.execute(sql`create table places (id uuid, count bigint, at timestamptz, names text[], facts jsonb, parent uuid)`)
    await db.insert(places).values([
      { id: first, count: 2 ** 40, at: new Date('2026-03-02T15:00:00.123Z'), names: ['Zoë', 'a,b'], facts: { deep: [1, null] } },
      { id: second, parent: first },
    ])
    const statements = [
      (on: Db) => on.select().from(places).orderBy(id),
      (on: Db) =>
        on
          .select({ place: places, at, later: sql`${at} + interval '1 day'`, seen: sql<Date>`${at}`.mapWith(at).as('seen') })
          .from(places)
          .orderBy(id),
      (on: Db) => on.select({ place: places, parent: parents }).from(places).leftJoin(parents, eq(parents.id, places.parent)).orderBy(id),
      (on: Db) =>
        on
          .select({ none: { count: places.count } })
          .from(places)
          .orderBy(id),
      // In the row without a parent, an object of both tables stays.
      (on: Db) =>
        on
          .select({ both: { parent: parents.id, own: places.id }, parent: { id: parents.id, isOld: sql<boolean>`${parents.at} < now()` } })
          .from(places)
          .leftJoin(parents, eq(parents.id, places.parent))
          .orderBy(id),
      (on: Db) =>
        on
          .select({ own: places.count, parent: { at: parents.at } })
          .from(places)
          .innerJoin(parents, eq(parents.id, places.parent)),
    ]
    for (const [i, build] of statements.entries()) {
      const expected = await build(db)
      expect(expected.length).toBeGreaterThan(0)
      expect(await prepared((on) => build(on).prepare(`statement ${i}`))(db).execute()).toEqual(expected)
    }
    await db.$client.end()
    await database.drop()
  })
})
