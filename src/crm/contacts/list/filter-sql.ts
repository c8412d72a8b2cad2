import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { NIL } from 'uuid'
import type { Db } from '../../../kernel/postgres/database.ts'
import { findByIdOrName } from '../../../kernel/find-by-name.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { isUuid } from '../../../shared/text.ts'
import { findStage } from '../../pipeline/service.ts'
import { procedures } from '../../procedures/table.ts'
import { sourceGroup, wordsOfGroup } from '../../lead-sources/rules.ts'
import { leadSources } from '../../lead-sources/table.ts'
import type { ContactFilters } from '../list-contract.ts'
import { columnsOf, filteredControl, type FilteredField, filteredFields, filterOf } from '../derived-fields.ts'
import { type Condition, type Filter, type FilterField, isNameOf, parseFilter } from '../filter.ts'
import { beginningOf, dayAt, daysLater } from '../../../shared/zoned-time.ts'
import { daysOf } from './filter-days.ts'
import { contacts, foldedText } from '../table.ts'

/** What the relative values of a filter mean for one request. */
interface Meaning {
  /** Today's date at the practice. */
  today: string
  timeZone: string
  /** The user behind 'me'; null when no one is signed in. */
  me: string | null
  sources: readonly { id: string; name: string }[]
}

/**
 * The SQL condition of the list's stage, source, procedure, tag and filter (without its search); undefined if there are none. Everything
 * else that selects the same patients uses it, too.
 */
export async function conditionOf(scope: Scope, filters: ContactFilters): Promise<SQL | undefined> {
  const { stageId, sourceId, procedureId, tagId, filter } = await withIds(scope.db, filters)
  const [stage, source, procedure, tag] = [wanted(stageId), wanted(sourceId), wanted(procedureId), wanted(tagId)]
  const { mode, conditions } = await filterWithIds(scope.db, filter ?? '', () => NIL)
  const meaning = conditions.length > 0 ? await meaningOf(scope, conditions) : null
  const each = meaning ? conditions.map((condition) => conditionSql(condition, meaning)) : []
  return and(
    stage ? eq(contacts.funnelStageId, stage) : undefined,
    source ? eq(contacts.leadSourceId, source) : undefined,
    procedure ? eq(contacts.procedureId, procedure) : undefined,
    tag ? hasTag([tag]) : undefined,
    mode === 'all' ? and(...each) : or(...each),
  )
}

/** Turns a filter of only one stage or tag into the stageId or tagId field of spec 7, because their totals are stored. */
export async function simplest<Filters extends ContactFilters>({ db }: Scope, given: Filters): Promise<Filters> {
  const filters = await withIds(db, given)
  const [condition, ...others] = (await filterWithIds(db, filters.filter ?? '', () => NIL)).conditions
  const [value, ...more] = condition?.values ?? []
  if (!condition) return { ...filters, filter: undefined }
  if (others.length > 0 || more.length > 0 || condition.not || value === 'none') return filters
  if (condition.field === 'stage' && wanted(filters.stageId) === null) return { ...filters, stageId: value, filter: undefined }
  if (condition.field === 'tag' && wanted(filters.tagId) === null) return { ...filters, tagId: value, filter: undefined }
  return filters
}

/** Whether the filters have at most a stage and a tag, whose totals are stored. */
export const isPlain = ({ filter, sourceId, procedureId }: ContactFilters): boolean =>
  !filter && wanted(sourceId) === null && wanted(procedureId) === null

/** Finds a stage, source or procedure by name or value, in any case. */
const finders = {
  stage: findStage,
  source: (db: Db, input: string) => findByIdOrName(db, leadSources, input),
  procedure: (db: Db, input: string) => findByIdOrName(db, procedures, input),
}
const isFound = (field: FilterField): field is keyof typeof finders => Object.hasOwn(finders, field)

/** Replaces names and values with ids. An unknown name becomes an id that matches no one. */
async function withIds<Filters extends ContactFilters>(db: Db, filters: Filters): Promise<Filters> {
  const idOf = async (field: keyof typeof finders, value: string | undefined) =>
    value === undefined || value === 'all' || isUuid(value) ? value : ((await finders[field](db, value)) ?? NIL)
  const [stageId, sourceId, procedureId] = await Promise.all([
    idOf('stage', filters.stageId),
    idOf('source', filters.sourceId),
    idOf('procedure', filters.procedureId),
  ])
  return { ...filters, stageId, sourceId, procedureId }
}

/** Parses a filter and replaces names and values with ids; `orElse` replaces unknown names. */
export async function filterWithIds(db: Db, text: string, orElse: (name: string) => string): Promise<Filter> {
  const { mode, conditions } = parseFilter(text) ?? { mode: 'all' as const, conditions: [] }
  const found: Condition[] = []
  for (const condition of conditions) {
    const { field } = condition
    if (!isFound(field)) {
      found.push(condition)
      continue
    }
    const values: string[] = []
    // Sequentially, because a filter may have very many names.
    for (const value of condition.values) values.push(isNameOf(field, value) ? ((await finders[field](db, value)) ?? orElse(value)) : value)
    found.push({ ...condition, values: [...new Set(values)] })
  }
  return { mode, conditions: found }
}

/** Spec 7: 'all' means no filter. */
export const wanted = (id: string | undefined): string | null => (id === undefined || id === 'all' ? null : id)

async function meaningOf({ db, now, env, actor }: Scope, conditions: readonly Condition[]): Promise<Meaning> {
  const timeZone = env.PRACTICE_TIME_ZONE
  const needsSources = conditions.some(({ field }) => field === 'source-group')
  const sources = needsSources ? await db.select({ id: leadSources.id, name: leadSources.name }).from(leadSources) : []
  return { today: dayAt(now(), timeZone), timeZone, me: actor?.id ?? null, sources }
}

function conditionSql(condition: Condition, meaning: Meaning): SQL {
  const met = or(...partsOf(condition, meaning)) ?? sql`false`
  // A patient without any value counts as having none of these values.
  return condition.not ? sql`(${met}) is not true` : met
}

/** One condition per way to match one of the values. */
function partsOf({ field, values }: Condition, meaning: Meaning): SQL[] {
  switch (field) {
    case 'source-group':
      return values.map((group) => inGroup(group, meaning))
    case 'tag':
      return tagged(values)
    case 'added':
      return values.map((value) => onDays(contacts.createdAt, value, meaning))
    default:
      return partsOfField(fieldByFilter.get(field)!, values, meaning)
  }
}

const fieldByFilter = new Map(filteredFields.map((name) => [filterOf(name).id, name]))

/** The same for a declared field, by its kind. */
function partsOfField(name: FilteredField, values: readonly string[], meaning: Meaning): SQL[] {
  const [id, text] = columnsOf(name)
  const column = contacts[id]
  const control = filteredControl(name)
  switch (control.kind) {
    case 'stage':
      return oneOf(column, values)
    case 'vocabulary':
      return orNone(column, values, text && isNull(contacts[text]))
    case 'staff':
      return orNone(column, asPeople(values, meaning))
    case 'moment':
      return values.map((value) => onDays(column, value, meaning))
    case 'day':
      return values.map((value) => onDates(column, value, meaning))
    case 'tick':
      return values.map((value) => eq(column, value === 'yes'))
    case 'choice':
      return orNone(column, values)
    case 'text':
      return texts(column, values, control.max)
  }
}

const oneOf = (column: PgColumn, ids: readonly string[]): SQL[] =>
  ids.length === 0 ? [] : [ids.length === 1 ? eq(column, ids[0]) : inArray(column, [...ids])]

/** 'none' means neither a reference nor a form's text in its place. */
function orNone(column: PgColumn, values: readonly string[], andNoText?: SQL): SQL[] {
  const ids = values.filter((value) => value !== 'none')
  const none = values.includes('none') ? and(isNull(column), andNoText) : undefined
  return [...oneOf(column, ids), ...(none ? [none] : [])]
}

/** Compares without case and accents; both sides are truncated alike. */
function texts(column: PgColumn, values: readonly string[], max: number): SQL[] {
  const given = values.filter((value) => value !== 'none').map((value) => foldedText(sql`${value.trim()}::text`, max))
  return [...(given.length > 0 ? [inArray(foldedText(column, max), given)] : []), ...(values.includes('none') ? [isNull(column)] : [])]
}

const asPeople = (values: readonly string[], { me }: Meaning): string[] =>
  values.map((value) => (value === 'me' ? me : value)).filter((value) => value !== null)

const hasTag = (ids: readonly string[]): SQL =>
  sql`exists (select 1 from contact_tags where contact_id = ${contacts.id} and ${ids.length === 1 ? sql`tag_id = ${ids[0]}` : sql`tag_id = any(${sql.param([...ids])}::uuid[])`})`

function tagged(values: readonly string[]): SQL[] {
  const ids = values.filter((value) => value !== 'none')
  const none = sql`not exists (select 1 from contact_tags where contact_id = ${contacts.id})`
  return [...(ids.length > 0 ? [hasTag(ids)] : []), ...(values.includes('none') ? [none] : [])]
}

/** The source text of a form, normalized as `sourceGroup` compares it. */
const sourceText = sql`btrim(regexp_replace(lower(coalesce(${contacts.leadSourceText}, '') collate pg_c_utf8), '[[:space:]_-]+', ' ', 'g'))`

/** Patients in this display group (spec 9): by the name of the source, or by the form's text if there is no source. */
function inGroup(group: string, { sources }: Meaning): SQL {
  const ids = sources.filter(({ name }) => sourceGroup(name) === group).map(({ id }) => id)
  const { words, parts } = wordsOfGroup(group)
  const matchesText = or(inArray(sourceText, words), ...parts.map((part) => sql`strpos(${sourceText}, ${part}) > 0`))
  return or(...oneOf(contacts.leadSourceId, ids), and(isNull(contacts.leadSourceId), matchesText))!
}

const onDays = (column: PgColumn, value: string, { today, timeZone }: Meaning): SQL => {
  if (value === 'none') return isNull(column)
  const { from, to } = daysOf(value, today)
  const bound = (day: string) => sql`${beginningOf(day, timeZone).toISOString()}::timestamptz`
  return between(column, from && sql`${column} >= ${bound(from)}`, to && sql`${column} < ${bound(daysLater(to, 1))}`)
}

const onDates = (column: PgColumn, value: string, { today }: Meaning): SQL => {
  if (value === 'none') return isNull(column)
  const { from, to } = daysOf(value, today)
  return between(column, from && sql`${column} >= ${from}::date`, to && sql`${column} <= ${to}::date`)
}

const between = (column: PgColumn, from: SQL | null | '', to: SQL | null | ''): SQL =>
  and(from || undefined, to || undefined) ?? isNotNull(column)
