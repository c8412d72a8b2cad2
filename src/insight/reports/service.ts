import { asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pLimit from 'p-limit'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { cursorPage } from '../../shared/page-lists.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { permissions } from '../../kernel/access/policy.ts'
import type { Role } from '../../kernel/access/rules.ts'
import { profiles } from '../../platform/auth/table.ts'
import { seesClinicalNotes } from '../../crm/contacts/policy.ts'
import { sourceGroups } from '../../crm/lead-sources/rules.ts'
import { locations } from '../../platform/practice/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { seesAllTasks } from '../../crm/tasks/policy.ts'
import { reportSql } from './sql/all.ts'
import { type Ask, rangeOf } from './request-contract.ts'
import type { RecordPlace, ReportAnswer, ReportRecord } from './contract.ts'
import { type AnyReportSql, readFacts, readRecords, type RecordRow } from './sql/facts.ts'
import { readNames } from './names.ts'
import { withFilters } from './resolve-filters.ts'
import type { ReportName } from './name-rules.ts'
import { mayReadReport } from './policy.ts'
import { definitionOf } from './report-rules.ts'
import { comparedPeriods } from './rules.ts'
import { keyInFacts, rowsOf } from './sql/rows.ts'
import { type Asked, askedOf, readSourceGroups } from './sql/sql.ts'

/** Concurrent reports per process: each takes two connections, and others need some too. */
const turn = pLimit(2)

/** Filter values are free text. */
const maxSources = 500
const readers: readonly Role[] = permissions['reports.saved']

type Reader = Pick<Scope, 'db' | 'recentDb' | 'now' | 'env' | 'actor'>

/** Both periods of a request, as input of the report SQL. */
async function askedBoth(scope: Reader, asked: Ask): Promise<{ now: Asked; before: Asked }> {
  const { db, now, env, actor } = scope
  const at = now()
  const groups = await readSourceGroups(db)
  const { report, period, user, source, procedure, location } = await withFilters(db, asked, groups)
  const name = period ?? definitionOf(report).defaultPeriod ?? 'last-30-days'
  const periods = comparedPeriods(name, dayAt(at, env.PRACTICE_TIME_ZONE), rangeOf(asked))
  const rest = {
    now: at,
    filters: { user, source, procedure, location },
    groups,
    ownTasksOf: seesAllTasks(actor) ? null : staff(scope).id,
  }
  return {
    now: askedOf(periods.now, env.PRACTICE_TIME_ZONE, rest),
    before: askedOf(periods.before, env.PRACTICE_TIME_ZONE, rest),
  }
}

/** Breakdowns visible to the user. */
const breakdownsFor = (actor: Scope['actor'], report: ReportName): string[] =>
  Object.entries(definitionOf(report).breakdowns)
    .filter(([, { isClinical }]) => !isClinical || seesClinicalNotes(actor))
    .map(([key]) => key)

/** A report; null for those who may not read it. */
export const viewReport = async (scope: Scope, asked: Ask) => (mayReadReport(staff(scope), asked.report) ? runReport(scope, asked) : null)

/** A report for a period and the previous one. All numbers of a period come from one snapshot. */
export async function runReport(scope: Reader, asked: Ask): Promise<ReportAnswer> {
  return turn(async () => {
    const both = await askedBoth(scope, asked)
    const report: AnyReportSql = reportSql[asked.report]
    const [now, before, names] = await Promise.all([
      reading(scope, (db) => readFacts(db, report, both.now)),
      reading(scope, (db) => readFacts(db, report, both.before)),
      readNames(scope.db),
    ])
    names.freeText = new Map([...(before.freeText ?? []), ...(now.freeText ?? [])])
    const { figures, measures } = definitionOf(asked.report)
    return {
      at: both.now.now,
      report: asked.report,
      now: both.now.range,
      part: now.part ?? 1,
      before: both.before.range,
      figures: Object.fromEntries(
        figures.map((key) => [
          key,
          { now: now.figures[key] ?? null, before: measures[key]!.isOfNow ? null : (before.figures[key] ?? null) },
        ]),
      ),
      breakdowns: breakdownsFor(scope.actor, asked.report).map((key) => {
        const definition = definitionOf(asked.report)
        const [groups, earlier] = [now.groups[key]!, before.groups[key]!]
        return { key, ...rowsOf(definition, definition.breakdowns[key]!, report.breakdowns[key]!, both, names, groups, earlier) }
      }),
    }
  })
}

/** Memory for sorting and hashing in a report, and its time limit. */
const workMemory = '64MB'
const statementTimeout = '60s'

/** A read-only transaction with the memory a report needs. */
async function reading<Result>({ recentDb }: Pick<Scope, 'recentDb'>, work: (db: Db) => Promise<Result>): Promise<Result> {
  const client = await recentDb.$client.connect()
  try {
    await client.query(
      `begin isolation level repeatable read read only; set local work_mem = '${workMemory}'; set local statement_timeout = '${statementTimeout}'`,
    )
    return await work(drizzle(client))
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}

export interface WhichRecords extends Ask {
  measure: string
  breakdown?: string | undefined
  row?: string | undefined
  isBefore: 'true' | 'false'
  cursor?: RecordPlace | undefined
  limit: number
}

/** A page of the records behind a number, and their count. CLINICAL: not for this role. Null: the report is not. */
export async function listRecords(scope: Scope, asked: WhichRecords) {
  const { report: name, measure, breakdown, row, isBefore, cursor, limit } = asked
  if (!mayReadReport(staff(scope), name)) return null
  if (breakdown !== undefined && !breakdownsFor(scope.actor, name).includes(breakdown)) return refuse('CLINICAL')
  const report: AnyReportSql = reportSql[name]
  const by = breakdown === undefined ? null : report.breakdowns[breakdown]!
  const { behind } = report.measures[measure]!
  return turn(async () => {
    const both = await askedBoth(scope, asked)
    const period = isBefore === 'true' ? both.before : both.now
    const key = by ? keyInFacts(by, row ?? null, period) : null
    const { rows, total } = await reading(scope, (db) => readRecords(db, report, period, { behind, by, row: key, cursor, limit }))
    const page = cursorPage(rows, limit, (last) => placeOfRecord(rows.slice(0, limit), last, cursor))
    const contactIds = [...new Set(page.data.flatMap(({ contact_id }) => contact_id ?? []))]
    if (contactIds.length > 0) await scope.recordView({ kind: 'report', contactIds })
    const data = page.data.map((found): ReportRecord => ({
      kind: found.kind,
      id: found.id,
      contact: found.contact_id === null ? null : { id: found.contact_id, firstName: found.first_name, lastName: found.last_name },
      at: new Date(found.at),
      what: found.what,
      amount: found.amount,
      amountUnit: found.amount === null ? null : found.unit,
    }))
    return { data, total, nextCursor: page.nextCursor }
  })
}

function placeOfRecord(page: readonly RecordRow[], { exact, id }: RecordRow, cursor: RecordPlace | undefined): RecordPlace {
  const alike = page.filter((row) => row.exact === exact && row.id === id).length
  return { at: exact, id, listed: alike + (cursor?.at === exact && cursor.id === id ? cursor.listed : 0) }
}

/** Filter options of reports, and who may be sent one. */
export async function reportChoices({ db }: Scope) {
  const [people, operations, places, { groups }] = await Promise.all([
    db
      .select({ id: profiles.id, name: profiles.name, role: profiles.role })
      .from(profiles)
      .where(eq(profiles.status, 'active'))
      .orderBy(asc(profiles.name)),
    db.select({ id: procedures.id, name: procedures.name }).from(procedures).orderBy(asc(procedures.name)),
    db.select({ name: locations.name }).from(locations).orderBy(asc(locations.name)),
    readSourceGroups(db),
  ])
  const otherGroups = [...new Set(groups)].filter((group) => !sourceGroups.includes(group)).toSorted((a, b) => a.localeCompare(b))
  return {
    people: people.map(({ role, ...person }) => ({ ...person, mayRead: readers.includes(role) })),
    sources: [...sourceGroups, ...otherGroups].slice(0, maxSources),
    procedures: operations,
    // With one location there is nothing to filter by.
    locations: places.length > 1 ? places.map(({ name }) => name) : [],
  }
}
