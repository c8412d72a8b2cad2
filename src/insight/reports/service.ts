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
import { type Ask, rangeOf } from './ask-contract.ts'
import type { RecordPlace, ReportAnswer, ReportRecord } from './contract.ts'
import { type AnyReportSql, readFacts, readRecords, type RecordRow } from './sql/facts.ts'
import { readNames } from './names.ts'
import { withFilters } from './named.ts'
import type { ReportName } from './name-rules.ts'
import { definitionOf } from './report-rules.ts'
import { comparedPeriods } from './rules.ts'
import { keyInFacts, rowsOf } from './sql/rows.ts'
import { type Asked, askedOf, readSourceGroups } from './sql/sql.ts'

/** Reports that one process reads at a time: a report takes two connections, and everyone else shall find some. */
const turn = pLimit(2)

/** A form may have said anything. */
const maxSources = 500
const readers: readonly Role[] = permissions['reports.run']

type Reader = Pick<Scope, 'db' | 'now' | 'env' | 'actor'>

/** Both periods of what is asked, each as the SQL of reports takes it. */
async function askedBoth(scope: Reader, asked: Ask): Promise<{ now: Asked; before: Asked }> {
  const { db, now, env, actor } = scope
  const at = now()
  const groups = await readSourceGroups(db)
  const { report, period, user, source, procedure, location } = await withFilters(db, asked, groups)
  const name = period ?? definitionOf(report).usual ?? 'last-30-days'
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

/** The breakdowns that someone may see. */
const breakdownsFor = (actor: Scope['actor'], report: ReportName): string[] =>
  Object.entries(definitionOf(report).breakdowns)
    .filter(([, { isClinical }]) => !isClinical || seesClinicalNotes(actor))
    .map(([key]) => key)

/** One report of a period, beside the one before. All numbers of a period are of one moment. */
export async function runReport(scope: Reader, asked: Ask): Promise<ReportAnswer> {
  return turn(async () => {
    const both = await askedBoth(scope, asked)
    const report: AnyReportSql = reportSql[asked.report]
    const [now, before, names] = await Promise.all([
      reading(scope, (db) => readFacts(db, report, both.now)),
      reading(scope, (db) => readFacts(db, report, both.before)),
      readNames(scope.db),
    ])
    names.said = new Map([...(before.said ?? []), ...(now.said ?? [])])
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

/** What a report may sort and hash in memory; and how long it may take at the very most. */
const workMemory = '64MB'
const patience = '60s'

/** A transaction that only reads, with the memory that a report needs. */
async function reading<Result>({ db }: Pick<Scope, 'db'>, work: (db: Db) => Promise<Result>): Promise<Result> {
  const client = await db.$client.connect()
  try {
    await client.query(
      `begin isolation level repeatable read read only; set local work_mem = '${workMemory}'; set local statement_timeout = '${patience}'`,
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

/** What stands behind a number: a page of it, and how many there are. CLINICAL: not for this role. */
export async function listRecords(scope: Scope, asked: WhichRecords) {
  const { report: name, measure, breakdown, row, isBefore, cursor, limit } = asked
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
    const data = page.data.map(
      (found): ReportRecord => ({
        kind: found.kind,
        id: found.id,
        contact: found.contact_id === null ? null : { id: found.contact_id, firstName: found.first_name, lastName: found.last_name },
        at: new Date(found.at),
        what: found.what,
        amount: found.amount,
        amountUnit: found.amount === null ? null : found.unit,
      }),
    )
    return { data, total, nextCursor: page.nextCursor }
  })
}

function placeOfRecord(page: readonly RecordRow[], { exact, id }: RecordRow, cursor: RecordPlace | undefined): RecordPlace {
  const alike = page.filter((row) => row.exact === exact && row.id === id).length
  return { at: exact, id, listed: alike + (cursor?.at === exact && cursor.id === id ? cursor.listed : 0) }
}

/** What reports can be narrowed to, and who may be sent one. */
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
  const said = [...new Set(groups)].filter((group) => !sourceGroups.includes(group)).toSorted((a, b) => a.localeCompare(b))
  return {
    people: people.map(({ role, ...person }) => ({ ...person, mayRead: readers.includes(role) })),
    sources: [...sourceGroups, ...said].slice(0, maxSources),
    procedures: operations,
    // There is nothing to narrow down to where there is one.
    locations: places.length > 1 ? places.map(({ name }) => name) : [],
  }
}
