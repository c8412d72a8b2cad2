import { and, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { cursorPage } from '../../shared/page-lists.ts'
import { beginningOf, daysLater } from '../../shared/zoned-time.ts'
import { routeWords } from '../roles/service.ts'
import { apiKeys } from '../../platform/api-keys/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { type AuditFilters, type AuditLine, namedInEntry, namedInLine } from './contract.ts'
import { auditKinds } from '../../kernel/audit/rules.ts'
import { auditLog } from '../../platform/audit/table.ts'
import { isAbout } from './whose.ts'

const columns = {
  id: auditLog.id,
  at: auditLog.at,
  by: auditLog.actorId,
  /** A program's is that of its key. */
  byName: sql<string | null>`coalesce(${profiles.name}, ${apiKeys.name})`,
  byRole: auditLog.actorRole,
  action: auditLog.action,
  kind: auditLog.kind,
  contactIds: auditLog.contactIds,
  before: auditLog.before,
  after: auditLog.after,
  requestId: auditLog.requestId,
  address: auditLog.address,
}

const select = (db: Db) =>
  db
    .select(columns)
    .from(auditLog)
    .leftJoin(profiles, eq(profiles.id, auditLog.actorId))
    .leftJoin(apiKeys, eq(apiKeys.id, auditLog.actorId))

/** The entries that match, newest first, before this place: one more than `limit` where there are more. */
export async function readEntries(db: Db, timeZone: string, filters: AuditFilters, { cursor, limit }: { cursor?: number; limit: number }) {
  const rows = await select(db)
    .where(and(await conditions(db, timeZone, filters), cursor === undefined ? undefined : lt(auditLog.id, cursor)))
    .orderBy(desc(auditLog.id))
    .limit(limit + 1)
  return cursorPage(rows, limit, ({ id }) => id)
}
export type AuditRow = Awaited<ReturnType<typeof readEntries>>['data'][number]

async function conditions(db: Db, timeZone: string, { actorId, contactId, action, kind, from, to }: AuditFilters) {
  const is: (SQL | undefined)[] = [
    actorId === undefined ? undefined : eq(auditLog.actorId, actorId),
    contactId === undefined ? undefined : await isAbout(db, contactId),
    action === undefined ? undefined : eq(auditLog.action, action),
    // As the index of the rarer actions has it.
    action === undefined || action === 'viewed' ? undefined : sql`${auditLog.action} <> 'viewed'`,
    kind === undefined ? undefined : eq(auditLog.kind, kind),
  ]
  if (from !== undefined) {
    const begin = beginningOf(from, timeZone)
    is.push(gte(auditLog.at, begin), sql`${auditLog.id} >= ${await firstSince(db, begin.getTime() - maxTransactionMs)}`)
  }
  if (to !== undefined) {
    const end = beginningOf(daysLater(to, 1), timeZone)
    is.push(lt(auditLog.at, end), sql`${auditLog.id} < ${await firstSince(db, end.getTime() + maxTransactionMs)}`)
  }
  return and(...is)
}

/** A row's time is when its transaction began, its number when it was written: by so many milliseconds the two may be apart. */
const maxTransactionMs = 3_600_000

/**
 * The number of the first entry since an instant, found by halves in the primary key: numbers and times grow together, so that a period is a
 * range of numbers, whichever index a query goes by, and no index on the time is kept. One more than the last where there is none since.
 */
async function firstSince(db: Db, instant: number): Promise<number> {
  const at = new Date(instant).toISOString()
  const { rows } = await db.execute<{ id: string }>(sql`
    with recursive search (low, high) as (
      select first.id, last.id + 1
      from (select id from audit_log order by id limit 1) as first, (select id from audit_log order by id desc limit 1) as last
      union all
      select case when probe.at < ${at}::timestamptz then probe.id + 1 else low end,
        case when probe.at < ${at}::timestamptz then high else (low + high) / 2 end
      from search, lateral (select id, at from audit_log where id >= (low + high) / 2 order by id limit 1) as probe
      where low < high
    )
    select low as id from search where low >= high`)
  return Number(rows[0]?.id ?? 0)
}

/** What an entry is about, as a reader calls it. */
export const aboutOf = ({ action, kind }: Pick<AuditRow, 'action' | 'kind'>): string =>
  Object.hasOwn(auditKinds, kind) ? auditKinds[kind as keyof typeof auditKinds] : (action === 'denied' && routeWords(kind)) || kind

/** The names of these patients; those who were deleted are not among them. */
export async function namesOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db
    .select({ id: contacts.id, firstName: contacts.firstName, lastName: contacts.lastName })
    .from(contacts)
    .where(inArray(contacts.id, wanted))
  return new Map(rows.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]))
}

function lineOf({ contactIds, ...row }: AuditRow, names: ReadonlyMap<string, string>, most: number): AuditLine {
  return {
    ...row,
    byRole: row.byRole as AuditLine['byRole'],
    about: aboutOf(row),
    patients: contactIds.slice(0, most).map((id) => ({ id, name: names.get(id) ?? null })),
    patientCount: contactIds.length,
  }
}

/** A page of the log. Whose names stand on it is on the log itself. */
export async function listEntries(
  scope: Scope,
  { cursor, limit, ...filters }: AuditFilters & { cursor?: number | undefined; limit: number },
) {
  const { data, nextCursor } = await readEntries(scope.db, scope.env.PRACTICE_TIME_ZONE, filters, {
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  })
  const ids = data.flatMap(({ contactIds }) => contactIds.slice(0, namedInLine))
  const names = await namesOf(scope.db, ids)
  await scope.recordView({ kind: 'audit-log', contactIds: [...new Set(ids)] })
  return { data: data.map((row) => lineOf(row, names, namedInLine)), nextCursor }
}

/** One entry with both sides of a change. Null when there is none. */
export async function getEntry(scope: Scope, id: number) {
  const [row] = await select(scope.db).where(eq(auditLog.id, id))
  if (!row) return null
  const ids = row.contactIds.slice(0, namedInEntry)
  const names = await namesOf(scope.db, ids)
  await scope.recordView({ kind: 'audit-log', contactIds: ids })
  const { before, after, requestId, address } = row
  return { ...lineOf(row, names, namedInEntry), before, after, requestId, address }
}
