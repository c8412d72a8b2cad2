import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createEmpty } from '../../../test/database.ts'
import { type MigrationLock, type MigrationRule, type MigrationWork, readMigration } from './migration-statements.ts'

type Sample = [statement: string, lock: MigrationLock | null, work: MigrationWork, rule: MigrationRule | null]
const samples: Sample[] = [
  ['ALTER TABLE "people" ADD COLUMN "pronouns" text;', 'access exclusive', 'instant', null],
  ["ALTER TABLE people ADD COLUMN kind text DEFAULT 'a (b), c' NOT NULL", 'access exclusive', 'instant', null],
  ['ALTER TABLE people ADD COLUMN at timestamptz DEFAULT now() NOT NULL', 'access exclusive', 'instant', null],
  ['ALTER TABLE "public"."people" ADD COLUMN "kind" text NOT NULL', 'access exclusive', 'instant', 'required-column'],
  ['ALTER TABLE people ADD COLUMN kind text, ADD COLUMN other text NOT NULL', 'access exclusive', 'instant', 'required-column'],
  ['ALTER TABLE people ADD COLUMN key uuid DEFAULT gen_random_uuid() NOT NULL', 'access exclusive', 'rewrite', 'rewrite'],
  ['ALTER TABLE people ADD COLUMN number bigserial', 'access exclusive', 'rewrite', 'rewrite'],
  ['ALTER TABLE people ADD COLUMN upper text GENERATED ALWAYS AS (upper(name)) STORED', 'access exclusive', 'rewrite', 'rewrite'],
  ['ALTER TABLE people ADD COLUMN upper text GENERATED ALWAYS AS (upper(name)) VIRTUAL NOT NULL', 'access exclusive', 'instant', null],
  ['ALTER TABLE people ALTER COLUMN age SET DATA TYPE bigint', 'access exclusive', 'rewrite', 'rewrite'],
  ['ALTER TABLE people ALTER age TYPE numeric(6, 2) USING age::numeric', 'access exclusive', 'rewrite', 'rewrite'],
  ['ALTER TABLE people ALTER COLUMN name SET DEFAULT 7', 'access exclusive', 'instant', null],
  ['ALTER TABLE people ALTER COLUMN name DROP NOT NULL', 'access exclusive', 'instant', null],
  ['ALTER TABLE people ALTER COLUMN age SET NOT NULL', 'access exclusive', 'scan', 'scan'],
  ['ALTER TABLE people DROP COLUMN age', 'access exclusive', 'instant', 'removal'],
  ['ALTER TABLE people RENAME COLUMN age TO years', 'access exclusive', 'instant', 'removal'],
  ['ALTER TABLE people RENAME TO persons', 'access exclusive', 'instant', 'removal'],
  ['ALTER TABLE people ADD CONSTRAINT adult CHECK (age > 17)', 'access exclusive', 'scan', 'scan'],
  ['ALTER TABLE people ADD CONSTRAINT adult CHECK (age > 17) NOT VALID', 'access exclusive', 'instant', null],
  ['ALTER TABLE people VALIDATE CONSTRAINT aged', 'share update exclusive', 'scan', null],
  ['ALTER TABLE people DROP CONSTRAINT aged', 'access exclusive', 'instant', null],
  ['ALTER TABLE people ADD CONSTRAINT of FOREIGN KEY (town) REFERENCES towns(id)', 'share row exclusive', 'scan', 'scan'],
  ['ALTER TABLE people ADD CONSTRAINT of FOREIGN KEY (town) REFERENCES towns(id) NOT VALID', 'share row exclusive', 'instant', null],
  ['ALTER TABLE people ADD CONSTRAINT once UNIQUE (name)', 'access exclusive', 'btree', 'scan'],
  ['CREATE INDEX "people_name" ON "people" USING btree ("name")', 'share', 'btree', 'index'],
  ['CREATE INDEX IF NOT EXISTS people_name ON people (name)', 'share', 'btree', null],
  ['CREATE UNIQUE INDEX IF NOT EXISTS people_list ON people USING gist (period)', 'share', 'gin', null],
  ['CREATE TRIGGER stamped AFTER UPDATE OF name ON people FOR EACH ROW EXECUTE FUNCTION pass()', 'share row exclusive', 'instant', null],
  ['ALTER TRIGGER first ON people RENAME TO second', 'access exclusive', 'instant', null],
  ["UPDATE people SET name = 'x -- no comment'", 'row exclusive', 'rows', 'backfill'],
  ['DELETE FROM "people" WHERE age < 0', 'row exclusive', 'rows', 'backfill'],
  ['DROP TABLE people', 'access exclusive', 'instant', 'removal'],
  ['ALTER FUNCTION pass() RENAME TO other', null, 'instant', 'removal'],
  ['DROP FUNCTION unused()', null, 'instant', 'removal'],
  ['CREATE TABLE notes (id uuid PRIMARY KEY, person text NOT NULL)', null, 'instant', null],
  ['CREATE FUNCTION added() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN UPDATE people SET age = 1; END $$', null, 'instant', null],
]
const read = (sql: string) => readMigration(sql).statements[0]

describe('what a statement of a migration does', () => {
  it.each(samples)('%s', (sql, lock, work, rule) => expect(read(sql)).toMatchObject({ lock, work, rule }))

  describe('in PostgreSQL itself', () => {
    let client: pg.Client
    let drop: () => Promise<void>
    beforeAll(async () => {
      const database = await createEmpty(inject('postgres'))
      drop = database.drop
      client = new pg.Client({ connectionString: database.url })
      await client.connect()
      await client.query(`
        create table towns (id integer primary key);
        create table people (name text not null, age integer, town integer, period tstzrange,
          constraint aged check (age > 0) not valid);
        create function pass() returns trigger language plpgsql as 'begin return new; end';
        create function unused() returns integer language sql return 1;
        create trigger first after insert on people for each row execute function pass();
        insert into people select 'Ana ' || n, 20 + n % 50 from generate_series(1, 1000) as n`)
    })
    afterAll(async () => {
      await client.end()
      await drop()
    })
    const fileOf = async (oid: number) => (await client.query('select pg_relation_filenode($1::oid) as file', [oid])).rows[0] as unknown

    // A column that is required and has no default cannot be added to a table with rows.
    it.each(samples.filter(([sql, , , rule]) => rule !== 'required-column' && !/gist/.test(sql)))('%s', async (sql, lock, work) => {
      const oid = (await client.query<{ oid: number }>("select 'people'::regclass::oid::int as oid")).rows[0]!.oid
      const before = await fileOf(oid)
      await client.query('begin')
      try {
        await client.query(sql)
        const { rows } = await client.query<{ mode: string }>(
          "select mode from pg_locks where pid = pg_backend_pid() and locktype = 'relation' and relation = $1",
          [oid],
        )
        const strength = ['RowExclusiveLock', 'ShareUpdateExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock', 'AccessExclusiveLock']
        const strongest = strength.findLast((mode) => rows.some((row) => row.mode === mode)) ?? null
        expect(
          strongest
            ?.replace('Lock', '')
            .replaceAll(/(?!^)(?=[A-Z])/g, ' ')
            .toLowerCase() ?? null,
        ).toBe(lock)
        if (!/^drop table/i.test(sql)) expect(JSON.stringify(await fileOf(oid)) !== JSON.stringify(before)).toBe(work === 'rewrite')
      } finally {
        await client.query('rollback')
      }
    })
  })
})

describe('the rules of migrations', () => {
  const problemsOf = (sql: string) => readMigration(sql).problems

  it('names the rule that a statement breaks', () => {
    expect(problemsOf('ALTER TABLE people DROP COLUMN age;')).toEqual([
      expect.stringMatching(/^removal: ALTER TABLE people DROP COLUMN age/),
    ])
  })
  it('accepts an exception that gives a reason, of that rule only', () => {
    const reason = 'no release since 0.3.0 reads it'
    expect(problemsOf(`-- exception: removal: ${reason}\nALTER TABLE people DROP COLUMN age;`)).toEqual([])
    expect(problemsOf('-- exception: removal: unused\nALTER TABLE people DROP COLUMN age;')).toEqual([
      expect.stringMatching(/gives no reason/),
    ])
    expect(problemsOf(`-- exception: index: ${reason}\nALTER TABLE people DROP COLUMN age;`)).toEqual([
      expect.stringMatching(/^removal/),
      expect.stringMatching(/does not need it/),
    ])
  })
  it('leaves tables alone that the same migration creates', () => {
    const sql =
      'CREATE TABLE "notes" ("id" uuid);--> statement-breakpoint\nCREATE INDEX "n" ON "notes" ("id");--> statement-breakpoint\nUPDATE notes SET id = null'
    expect(problemsOf(sql)).toEqual([])
  })
  it('refuses an index under the name of one that it drops, which cannot be created before', () => {
    const sql = 'DROP INDEX "people_name";--> statement-breakpoint\nCREATE INDEX IF NOT EXISTS "people_name" ON "people" ("name")'
    expect(problemsOf(sql)).toEqual([expect.stringMatching(/^index/)])
  })
  it('offers an index that can be created before the upgrade', () => {
    expect(read('CREATE UNIQUE INDEX IF NOT EXISTS "a" ON "people" ("name");')?.ahead).toBe(
      'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "a" ON "people" ("name")',
    )
  })
  it('finds what the city filter does to the table of patients', () => {
    const file = path.join(import.meta.dirname, '../../../drizzle/0005_city_filter.sql')
    expect(readMigration(readFileSync(file, 'utf8')).statements.map(({ table, index, lock }) => [table, index, lock])).toEqual([
      [null, 'contacts_filter', 'access exclusive'],
      [null, 'contacts_board', 'access exclusive'],
      ['contacts', 'contacts_filter', 'share'],
      ['contacts', 'contacts_board', 'share'],
    ])
  })
})
