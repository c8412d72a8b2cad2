import { createHash } from 'node:crypto'
import { and, eq, lt } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { leadSources } from '../lead-sources/table.ts'
import type { LeadBody } from './body.ts'
import { sameBodyMinutes } from './contract.ts'
import { fitEmail, maxEmail } from './emails.ts'
import { processLead } from './jobs.ts'
import type { Fields } from './labels.ts'
import { flatten } from './shapes.ts'
import { leadClaims, leadEntries } from './table.ts'

/** How long an Idempotency-Key is remembered. */
const keyHours = 24

type Source = Pick<typeof leadSources.$inferSelect, 'id' | 'fieldMap'>
type Lead = { sourceId: string; body: LeadBody; bodyHash: string; rawData: Record<string, unknown>; now: Date }

/**
 * The fields with the email where it is looked up, no longer than a contact's, as its index takes no more. What the form itself sent there stays: a
 * field that staff mapped counts before it, but they may map another one later.
 */
function withEmail(fields: Fields, found: string | null): Fields {
  const sent = typeof fields.email === 'string' ? fields.email.trim() : ''
  const email = sent === '' ? found : sent
  const kept = JSON.stringify(fields.email ?? null).length <= maxEmail ? (fields.email ?? null) : null
  return { ...fields, email: email === null ? kept : fitEmail(email) }
}

const ago = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000)

/** Stores the lead and queues its processing, or finds the entry that a replay means. Once it returns, the lead is on disk. */
export async function takeLead(scope: Scope, source: Source, body: LeadBody, key: string | null): Promise<{ id: string } | 'key-reused'> {
  const email = flatten(body.fields, source.fieldMap).email
  const bodyHash = createHash('sha256').update(body.fingerprint).digest('base64url')
  const lead = { sourceId: source.id, body, bodyHash, rawData: withEmail(body.fields, email), now: scope.now() }
  return key === null ? takeUnkeyed(scope, lead) : scope.db.transaction((tx) => takeKeyed(tx, lead, key))
}

/** Claim, entry and job in one statement: anyone who comes first with a body has it, the others find his claim. */
const takeInOne = `
  with mine as (select uuidv7() as id),
  claimed as (
    insert into lead_claims as known (source_id, claim, entry_id, body_hash, claimed_at)
    select $1, 'body:' || $2, id, $2, $3 from mine
    on conflict (source_id, claim) do update set entry_id = excluded.entry_id, claimed_at = excluded.claimed_at where known.claimed_at < $4
    returning entry_id
  ),
  entry as (
    insert into lead_entries (id, source_id, raw_data, raw_body, content_type, received_at)
    select entry_id, $1, $5, $6, $7, $3 from claimed returning id
  )
  select id, graphile_worker.add_job($8, json_build_object('entryId', id), max_attempts => 8) is not null as queued from entry`

async function takeUnkeyed({ db }: Scope, { sourceId, body, bodyHash, rawData, now }: Lead): Promise<{ id: string }> {
  const values = [sourceId, bodyHash, now, ago(now, sameBodyMinutes), JSON.stringify(rawData), body.raw, body.contentType, processLead.name]
  const taken = await db.$client.query<{ id: string }>({ name: 'take-lead', text: takeInOne, values })
  if (taken.rows[0]) return { id: taken.rows[0].id }
  const [first] = await db
    .select()
    .from(leadClaims)
    .where(and(eq(leadClaims.sourceId, sourceId), eq(leadClaims.claim, `body:${bodyHash}`)))
  return { id: first!.entryId }
}

async function takeKeyed(tx: Db, { sourceId, body, bodyHash, rawData, now }: Lead, key: string): Promise<{ id: string } | 'key-reused'> {
  const [entry] = await tx
    .insert(leadEntries)
    .values({ sourceId, rawData, rawBody: body.raw, contentType: body.contentType, receivedAt: now })
    .returning({ id: leadEntries.id })
  const mine = { sourceId, entryId: entry!.id, bodyHash, claimedAt: now }
  const first = await claim(tx, { ...mine, claim: `body:${bodyHash}` }, ago(now, sameBodyMinutes))
  const byKey = await claim(tx, { ...mine, entryId: first.entryId, claim: `key:${key}` }, ago(now, keyHours * 60))

  if (byKey.bodyHash !== bodyHash) return discard(tx, mine, 'key-reused' as const)
  if (byKey.entryId !== mine.entryId) return discard(tx, mine, { id: byKey.entryId })
  await enqueue(tx, processLead, { entryId: mine.entryId })
  return { id: mine.entryId }
}

type Claim = typeof leadClaims.$inferInsert

/** Anyone who comes first with a claim has it until it is older than `since`; the others learn whose it is. Waits for a rival's commit. */
async function claim(tx: Db, mine: Claim, since: Date): Promise<Claim> {
  const target = [leadClaims.sourceId, leadClaims.claim]
  const [won] = await tx
    .insert(leadClaims)
    .values(mine)
    .onConflictDoUpdate({ target, set: mine, setWhere: lt(leadClaims.claimedAt, since) })
    .returning()
  if (won) return won
  const [theirs] = await tx
    .select()
    .from(leadClaims)
    .where(and(eq(leadClaims.sourceId, mine.sourceId), eq(leadClaims.claim, mine.claim)))
  return theirs!
}

/** Takes back what this replay wrote for itself. */
async function discard<Answer>(tx: Db, mine: { entryId: string }, answer: Answer): Promise<Answer> {
  await tx.delete(leadClaims).where(eq(leadClaims.entryId, mine.entryId))
  await tx.delete(leadEntries).where(eq(leadEntries.id, mine.entryId))
  return answer
}
