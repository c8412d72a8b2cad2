import { expect, it } from 'vitest'
import { describeStatement } from './describe-statement.ts'

it.each<[string, string, string | null]>([
  ['select "id", "name" from "tags" where "id" = $1', 'select', 'tags'],
  ['insert into "contacts" ("id") values ($1)', 'insert', 'contacts'],
  ['update only "contacts" set "city" = $1', 'update', 'contacts'],
  ['delete from sessions where id = $1', 'delete', 'sessions'],
  ['with found as (select 1 from contacts) select * from found', 'with', 'contacts'],
  ['select graphile_worker.add_job($1)', 'select', null],
  ['select * from graphile_worker.jobs', 'select', 'graphile_worker.jobs'],
  ["select 1 from unnest($1::uuid[]) join tasks on true where name = 'Ana Desjardins'", 'select', 'tasks'],
  ['begin read only', 'begin', null],
  ['Ana Desjardins', 'other', null],
])('describes %s', (text, operation, table) => {
  expect(describeStatement(text)).toEqual({ operation, table })
})
