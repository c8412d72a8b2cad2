import { describe, expect, it } from 'vitest'
import { readMigration } from './migration-statements.ts'
import { planUpgrade, type TableFacts } from './upgrade-plan.ts'

const people: TableFacts = { rows: 1_000_000, bytes: 1e9, indexes: [{ name: 'people_name', method: 'btree', isValid: true }] }
const plan = (sql: string, facts = people) =>
  planUpgrade(readMigration(sql.replaceAll(';', ';--> statement-breakpoint')).statements, new Map([['people', facts]]))
const unsafe = (sql: string, facts = people) => plan(sql, facts).map(({ isUnsafe }) => isUnsafe)

describe('the plan of an upgrade at a million rows', () => {
  it.each([
    ['ALTER TABLE people ADD COLUMN kind text', [false]],
    ['ALTER TABLE people ALTER COLUMN age TYPE bigint', [true]],
    ['CREATE INDEX people_age ON people (age)', [true]],
    ['DROP INDEX people_name', [false]],
    ['ALTER TABLE people VALIDATE CONSTRAINT aged', [false]],
    ['ALTER TABLE other ALTER COLUMN age TYPE bigint', [false]],
  ])('%s', (sql, expected) => expect(unsafe(sql)).toEqual(expected))

  it('counts a lock until the end of the transaction', () => {
    const planned = plan('ALTER TABLE people ADD COLUMN kind text;UPDATE people SET age = 1')
    expect(planned.map(({ isUnsafe }) => isUnsafe)).toEqual([true, false])
    expect(planned[0]!.heldSeconds).toBe(planned[1]!.seconds)
    expect(unsafe('UPDATE people SET age = 1;ALTER TABLE people ADD COLUMN kind text')).toEqual([false, false])
    expect(unsafe('DROP INDEX people_name;CREATE INDEX people_age ON people (age)')).toEqual([true, true])
  })

  it('takes no time for an index that was created before, complete or not', () => {
    const sql = 'CREATE INDEX IF NOT EXISTS people_name ON people (name)'
    expect(plan(sql)[0]).toMatchObject({ seconds: 0, isUnsafe: false, existing: { name: 'people_name' } })
    expect(plan(sql, { ...people, indexes: [] })[0]).toMatchObject({ isUnsafe: true, existing: null })
  })
})
