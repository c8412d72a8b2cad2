import { and, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { cursorPage } from '../../shared/page-lists.ts'
import { beginningOf, daysLater } from '../../shared/zoned-time.ts'
import { describeRoute } from '../roles/service.ts'
import { apiKeys } from '../../platform/api-keys/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { type AuditFilters, type AuditLine, namesPerEntry, namesPerRow } from './contract.ts'
import { auditKinds } from '../../kernel/audit/rules.ts'
import { auditLog } from '../../platform/audit/table.ts'
import { concernsPatient } from '../../platform/audit/service.ts'

const columns = {
  id: auditLog.id,
  at: auditLog.at,
  by: auditLog.actorId,
  /** An API client is shown by the name of its key. */
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

/** A page of matching entries before `cursor`, newest first. */
export async function readEntries(db: Db, timeZone: string, filters: AuditFilters, { cursor, limit }: { cursor?: number; limit: number }) {
  const rows = await select(db)
    .where(and(await toCondition(db, timeZone, filters), cursor === undefined ? undefined : lt(auditLog.id, cursor)))
    .orderBy(desc(auditLog.id))
    .limit(limit + 1)
  return cursorPage(rows, limit, ({ id }) => id)
}
export type AuditRow = Awaited<ReturnType<typeof readEntries>>['data'][number]

async function toCondition(db: Db, timeZone: string, { actorId, contactId, action, kind, from, to }: AuditFilters) {
  const conditions: (SQL | undefined)[] = [
    actorId === undefined ? undefined : eq(auditLog.actorId, actorId),
    contactId === undefined ? undefined : await concernsPatient(db, contactId),
    action === undefined ? undefined : eq(auditLog.action, action),
    // Matches the partial index for the actions other than 'viewed'.
    action === undefined || action === 'viewed' ? undefined : sql`${auditLog.action} <> 'viewed'`,
    kind === undefined ? undefined : eq(auditLog.kind, kind),
  ]
  if (from !== undefined) {
    const begin = beginningOf(from, timeZone)
    conditions.push(gte(auditLog.at, begin), sql`${auditLog.id} >= ${await firstSince(db, begin.getTime() - maxTransactionMs)}`)
  }
  if (to !== undefined) {
    const end = beginningOf(daysLater(to, 1), timeZone)
    conditions.push(lt(auditLog.at, end), sql`${auditLog.id} < ${await firstSince(db, end.getTime() + maxTransactionMs)}`)
  }
  return and(...conditions)
}

/**
 * In milliseconds. An entry's time is when its transaction began, and its number is assigned when it is written: they differ by at most
 * this.
 */
const maxTransactionMs = 3_600_000

/**
 * The number of the first entry since an instant, found by binary search in the primary key. Numbers and times increase together, so a
 * period is a range of numbers whichever index a query uses, and no index on the time is needed. If there is no entry since, one more than
 * the last number.
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

/** The label of an entry's kind; for a denial, the summary of the refused call. */
export const formatAbout = ({ action, kind }: Pick<AuditRow, 'action' | 'kind'>): string =>
  Object.hasOwn(auditKinds, kind) ? auditKinds[kind as keyof typeof auditKinds] : (action === 'denied' && describeRoute(kind)) || kind

/** The names of these patients by id, without those who were deleted. */
export async function findNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db
    .select({ id: contacts.id, firstName: contacts.firstName, lastName: contacts.lastName })
    .from(contacts)
    .where(inArray(contacts.id, wanted))
  return new Map(rows.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]))
}

function toRow({ contactIds, ...row }: AuditRow, names: ReadonlyMap<string, string>, maxNames: number): AuditLine {
  return {
    ...row,
    byRole: row.byRole as AuditLine['byRole'],
    about: formatAbout(row),
    patients: contactIds.slice(0, maxNames).map((id) => ({ id, name: names.get(id) ?? null })),
    patientCount: contactIds.length,
  }
}

/** A page of the log. The view is itself logged, with the patients named on the page. */
export async function listEntries(
  scope: Scope,
  { cursor, limit, ...filters }: AuditFilters & { cursor?: number | undefined; limit: number },
) {
  const { data, nextCursor } = await readEntries(scope.recentDb, scope.env.PRACTICE_TIME_ZONE, filters, {
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  })
  const ids = data.flatMap(({ contactIds }) => contactIds.slice(0, namesPerRow))
  const names = await findNames(scope.db, ids)
  await scope.recordView({ kind: 'audit-log', contactIds: [...new Set(ids)] })
  return { data: data.map((row) => toRow(row, names, namesPerRow)), nextCursor }
}

/** One entry with the values before and after; null if it does not exist. */
export async function getEntry(scope: Scope, id: number) {
  const [row] = await select(scope.db).where(eq(auditLog.id, id))
  if (!row) return null
  const ids = row.contactIds.slice(0, namesPerEntry)
  const names = await findNames(scope.db, ids)
  await scope.recordView({ kind: 'audit-log', contactIds: ids })
  const { before, after, requestId, address } = row
  return { ...toRow(row, names, namesPerEntry), before, after, requestId, address }
}
