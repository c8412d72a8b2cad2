import { createHash } from 'node:crypto'
import { and, eq, lt } from 'drizzle-orm'
import { inGroups } from '../../kernel/groups.ts'
import type { Database, Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { leadSources } from '../lead-sources/table.ts'
import type { LeadBody } from './reading/body.ts'
import { sameBodyMinutes } from './contract.ts'
import { fitEmail, maxEmailLength } from './emails.ts'
import { processLead } from './jobs.ts'
import type { Fields } from './reading/field-labels.ts'
import { flatten } from './reading/read-body.ts'
import { leadClaims, leadEntries } from './table.ts'

/** How many hours an Idempotency-Key is valid. */
const keyHours = 24

type Source = Pick<typeof leadSources.$inferSelect, 'id' | 'fieldMap'>
type Lead = { sourceId: string; body: LeadBody; bodyHash: string; rawData: Record<string, unknown>; now: Date }

/**
 * Puts the email where it is looked up, limited to the length of a contact's email because of its index. A value that the form sent there
 * is kept: a mapped field takes precedence when processing, but staff may change the mapping later.
 */
function withEmail(fields: Fields, found: string | null): Fields {
  const sent = typeof fields.email === 'string' ? fields.email.trim() : ''
  const email = sent === '' ? found : sent
  const original = JSON.stringify(fields.email ?? null).length <= maxEmailLength ? (fields.email ?? null) : null
  return { ...fields, email: email === null ? original : fitEmail(email) }
}

const minutesAgo = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000)

/**
 * Stores a lead and queues its processing, or finds the entry of a repeated request. When it returns, the lead is on disk. Leads that arrive
 * together share a statement and its commit.
 */
export function leadAcceptor(db: Database) {
  const acceptOne = inGroups<Lead, string>((leads) => acceptAll(db, leads))
  return async (scope: Scope, source: Source, body: LeadBody, key: string | null): Promise<{ id: string } | 'key-reused'> => {
    const email = flatten(body.fields, source.fieldMap).email
    const bodyHash = createHash('sha256').update(body.fingerprint).digest('base64url')
    const lead = { sourceId: source.id, body, bodyHash, rawData: withEmail(body.fields, email), now: scope.now() }
    return key === null ? { id: await acceptOne(lead) } : scope.db.transaction((tx) => acceptWithKey(tx, lead, key))
  }
}

/** Inserts claims, entries and jobs in one statement. The first request with a body creates the entry, later ones find its claim. */
const acceptStatement = `
  with given as (
    select *, uuidv7() as id
    from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[])
      as lead(source_id, body_hash, received_at, raw_data, raw_body, content_type)
  ),
  claimed as (
    insert into lead_claims as known (source_id, claim, entry_id, body_hash, claimed_at)
    select source_id, 'body:' || body_hash, id, body_hash, received_at from given order by source_id, body_hash
    on conflict (source_id, claim) do update set entry_id = excluded.entry_id, claimed_at = excluded.claimed_at
      where known.claimed_at < excluded.claimed_at - make_interval(mins => $7::int)
    returning entry_id
  ),
  entry as (
    insert into lead_entries (id, source_id, raw_data, raw_body, content_type, received_at)
    select id, source_id, raw_data::jsonb, raw_body, content_type, received_at from given join claimed on id = entry_id returning id
  )
  select id, source_id as "sourceId", body_hash as "bodyHash",
    graphile_worker.add_job($8, json_build_object('entryId', id), max_attempts => 8) is not null as queued
  from entry join given using (id)`

const keyOf = ({ sourceId, bodyHash }: Pick<Lead, 'sourceId' | 'bodyHash'>): string => `${sourceId} ${bodyHash}`

/** Returns the id of each lead's entry: equal leads have the same. */
async function acceptAll(db: Database, leads: readonly Lead[]): Promise<string[]> {
  const distinct = [...new Map(leads.map((lead) => [keyOf(lead), lead])).values()]
  const values = [
    distinct.map(({ sourceId }) => sourceId),
    distinct.map(({ bodyHash }) => bodyHash),
    distinct.map(({ now }) => now.toISOString()),
    distinct.map(({ rawData }) => JSON.stringify(rawData)),
    distinct.map(({ body }) => body.raw),
    distinct.map(({ body }) => body.contentType),
    sameBodyMinutes,
    processLead.name,
  ]
  const accepted = await db.$client.query<{ id: string; sourceId: string; bodyHash: string }>({
    name: 'accept-leads',
    text: acceptStatement,
    values,
  })
  const ids = new Map(accepted.rows.map((row) => [keyOf(row), row.id]))
  for (const lead of distinct) if (!ids.has(keyOf(lead))) ids.set(keyOf(lead), await firstEntry(db, lead))
  return leads.map((lead) => ids.get(keyOf(lead))!)
}

/** The entry of the first lead with this body. */
async function firstEntry(db: Database, { sourceId, bodyHash }: Lead): Promise<string> {
  const [first] = await db
    .select({ entryId: leadClaims.entryId })
    .from(leadClaims)
    .where(and(eq(leadClaims.sourceId, sourceId), eq(leadClaims.claim, `body:${bodyHash}`)))
  return first!.entryId
}

async function acceptWithKey(
  tx: Db,
  { sourceId, body, bodyHash, rawData, now }: Lead,
  key: string,
): Promise<{ id: string } | 'key-reused'> {
  const [entry] = await tx
    .insert(leadEntries)
    .values({ sourceId, rawData, rawBody: body.raw, contentType: body.contentType, receivedAt: now })
    .returning({ id: leadEntries.id })
  const own = { sourceId, entryId: entry!.id, bodyHash, claimedAt: now }
  const first = await claim(tx, { ...own, claim: `body:${bodyHash}` }, minutesAgo(now, sameBodyMinutes))
  const byKey = await claim(tx, { ...own, entryId: first.entryId, claim: `key:${key}` }, minutesAgo(now, keyHours * 60))

  if (byKey.bodyHash !== bodyHash) return discardRepeat(tx, own, 'key-reused' as const)
  if (byKey.entryId !== own.entryId) return discardRepeat(tx, own, { id: byKey.entryId })
  await enqueue(tx, processLead, { entryId: own.entryId })
  return { id: own.entryId }
}

type Claim = typeof leadClaims.$inferInsert

/** Claims a key or a body and returns the valid claim: the first one, until it is older than `since`. Waits for concurrent transactions. */
async function claim(tx: Db, own: Claim, since: Date): Promise<Claim> {
  const target = [leadClaims.sourceId, leadClaims.claim]
  const [claimed] = await tx
    .insert(leadClaims)
    .values(own)
    .onConflictDoUpdate({ target, set: own, setWhere: lt(leadClaims.claimedAt, since) })
    .returning()
  if (claimed) return claimed
  const [existing] = await tx
    .select()
    .from(leadClaims)
    .where(and(eq(leadClaims.sourceId, own.sourceId), eq(leadClaims.claim, own.claim)))
  return existing!
}

/** Deletes the rows that a repeated request has written, and returns `result`. */
async function discardRepeat<Result>(tx: Db, own: { entryId: string }, result: Result): Promise<Result> {
  await tx.delete(leadClaims).where(eq(leadClaims.entryId, own.entryId))
  await tx.delete(leadEntries).where(eq(leadEntries.id, own.entryId))
  return result
}
