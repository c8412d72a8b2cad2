import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { describeError } from '../../kernel/errors.ts'
import { givingWay } from '../../kernel/give-way.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { addFirstConsents, channelsGiven } from '../consent/service.ts'
import { announceContacts, contactsWithEmails, insertContacts, lockEmails } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import { findLeadSource } from '../lead-sources/service.ts'
import { leadSources } from '../lead-sources/table.ts'
import { initialStage } from '../pipeline/service.ts'
import { findProcedure } from '../procedures/service.ts'
import {
  createOrUpdateContact,
  describeLead,
  finish,
  newContact,
  queueWelcomes,
  type ReadableLead,
  readEntry,
  type Received,
} from './process.ts'
import { leadEntries } from './table.ts'

/** The most leads that share a transaction. */
const maxLeads = 50

type Readable = { received: Received; lead: ReadableLead }

type Memory = {
  /** The batch in which another job of this process processes a lead. */
  inProgress: Map<string, Promise<unknown>>
  /** Leads completed by another job's batch before their own job ran. Completed is final. */
  completed: Set<string>
  /** Leads of failed batches: each is processed alone, so that one that always fails does not delay the others. */
  alone: Set<string>
}
/** Per server of this process, keyed by its settings. */
const memories = new WeakMap<object, Memory>()
/** The most ids that are remembered of each kind. */
const maxRemembered = 1_000

function memoryOf({ env }: Pick<Scope, 'env'>): Memory {
  const known = memories.get(env) ?? { inProgress: new Map(), completed: new Set(), alone: new Set() }
  memories.set(env, known)
  return known
}

/**
 * Processes a lead entry: processing, then completed or error (spec 4). Does nothing if it was processed before. Other leads that wait share
 * its transaction, so that a burst of leads takes few statements.
 */
export async function processInBatches(scope: Scope, entryId: string): Promise<void> {
  const { inProgress, completed } = memoryOf(scope)
  await inProgress.get(entryId)
  if (!completed.delete(entryId)) await givingWay(() => processWithOthers(scope, entryId))
}

async function processWithOthers(scope: Scope, entryId: string): Promise<void> {
  if (memoryOf(scope).alone.has(entryId)) return processEntries(scope, entryId, 0)
  try {
    await processEntries(scope, entryId, maxLeads - 1)
  } catch (error) {
    scope.log.warn({ error: describeError(error) }, 'A batch of leads failed; each is processed alone')
    await processEntries(scope, entryId, 0)
  }
}

function remember(ids: Set<string>, id: string): void {
  if (ids.size >= maxRemembered) ids.clear()
  ids.add(id)
}

/** Processes an entry and up to so many others that no one else is processing. */
async function processEntries(scope: Scope, entryId: string, maxOthers: number): Promise<void> {
  const { inProgress, completed, alone } = memoryOf(scope)
  const batch = Promise.withResolvers<void>()
  let others: string[] = []
  try {
    const done = await scope.db.transaction(async (tx) => {
      const own = await waiting(tx)
        .where(and(isProcessing, eq(leadEntries.id, entryId)))
        .for('update', { of: leadEntries })
      if (own.length === 0) return []
      const more = maxOthers === 0 ? [] : await takeOthers(tx, [entryId, ...alone], maxOthers)
      others = more.map(({ entry }) => entry.id)
      for (const id of others) inProgress.set(id, batch.promise)
      return processLocked(tx, scope, [...own, ...more].toSorted(byArrival))
    })
    for (const id of done) if (id !== entryId) remember(completed, id)
    alone.delete(entryId)
  } catch (error) {
    for (const id of [entryId, ...others]) remember(alone, id)
    throw error
  } finally {
    for (const id of others) inProgress.delete(id)
    batch.resolve()
  }
}

/** The oldest, so that several leads of one person are processed in the order in which they arrived. */
const takeOthers = (tx: Db, except: readonly string[], limit: number): Promise<Received[]> =>
  waiting(tx)
    .where(and(isProcessing, notInArray(leadEntries.id, [...except])))
    .orderBy(leadEntries.receivedAt, leadEntries.id)
    .limit(limit)
    .for('update', { of: leadEntries, skipLocked: true })

const isProcessing = eq(leadEntries.status, 'processing')

const waiting = (tx: Db) =>
  tx.select({ entry: leadEntries, source: leadSources }).from(leadEntries).innerJoin(leadSources, eq(leadSources.id, leadEntries.sourceId))

const byArrival = (a: Received, b: Received): number =>
  a.entry.receivedAt.getTime() - b.entry.receivedAt.getTime() || (a.entry.id < b.entry.id ? -1 : 1)

/** Returns the ids of the completed entries. */
async function processLocked(tx: Db, scope: Scope, batch: readonly Received[]): Promise<string[]> {
  const readable: Readable[] = []
  for (const received of batch) {
    const lead = readEntry(received)
    if (typeof lead === 'string') await finish(tx, scope, received.entry, { status: 'error', errorMessage: lead })
    else readable.push({ received, lead })
  }
  await lockEmails(
    tx,
    readable.flatMap(({ lead }) => addressesOf(lead)),
  )
  const { fresh, known, patientIds } = await partition(tx, readable)
  await lockPatients(tx, patientIds)
  if (fresh.length > 0) await createContacts(tx, scope, fresh)
  for (const { received, lead } of known) await createOrUpdateContact(tx, scope, received, lead)
  return readable.map(({ received }) => received.entry.id)
}

const addressesOf = ({ email, otherEmails }: ReadableLead): string[] => [email, ...otherEmails]

/** Leads with an address that a patient or an earlier lead of the batch has are processed one after the other, after the rest. */
async function partition(tx: Db, readable: readonly Readable[]) {
  const taken = await contactsWithEmails(
    tx,
    readable.flatMap(({ lead }) => addressesOf(lead)),
  )
  const seen = new Set(taken.map(({ email }) => email.toLowerCase()))
  const [fresh, known]: [Readable[], Readable[]] = [[], []]
  for (const one of readable) {
    const addresses = addressesOf(one.lead).map((email) => email.toLowerCase())
    ;(addresses.some((email) => seen.has(email)) ? known : fresh).push(one)
    for (const email of addresses) seen.add(email)
  }
  return { fresh, known, patientIds: [...new Set(taken.map(({ contact }) => contact.id))] }
}

/** In the order in which merges, imports and bulk changes lock them, so that no one waits in a circle. */
async function lockPatients(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await tx
      .select({ id: contacts.id })
      .from(contacts)
      .where(inArray(contacts.id, [...ids]))
      .orderBy(contacts.id)
      .for('update')
}

/** Creates a patient from each lead, and completes its entry. */
async function createContacts(tx: Db, scope: Scope, leads: readonly Readable[]): Promise<void> {
  const [stage, procedures, sources] = await Promise.all([
    initialStage(tx),
    findEach(
      leads.map(({ lead }) => lead.procedure),
      (name) => findProcedure(tx, name),
    ),
    findEach(
      leads.map(({ lead }) => lead.source),
      (name) => findLeadSource(tx, name),
    ),
  ])
  const values = leads.map(({ received, lead }) =>
    newContact(received, lead, {
      stage,
      procedure: procedures.get(lead.procedure)!,
      source: lead.source ? sources.get(lead.source)! : null,
    }),
  )
  const descriptions = leads.map(({ received, lead }) => describeLead('Lead', received, lead))
  const ids = await insertContacts(tx, scope, values, { descriptions, source: 'record' })
  const welcomed = ids.filter((_id, i) => leads[i]!.received.source.sendsWelcome)
  await Promise.all([
    addFirstConsents(
      tx,
      scope,
      leads.map(({ received, lead }, i) => ({
        contactId: ids[i]!,
        channels: channelsGiven(lead),
        basis: 'inquiry',
        source: 'lead',
        givenAt: received.entry.receivedAt,
      })),
    ),
    welcomed.length > 0 && queueWelcomes(tx, welcomed),
    tx.execute(sql`
      update lead_entries set status = 'completed', contact_id = row.contact_id, error_message = null, processed_at = ${scope.now().toISOString()}::timestamptz
      from unnest(${sql.param(leads.map(({ received }) => received.entry.id))}::uuid[], ${sql.param(ids)}::uuid[]) as row(entry_id, contact_id)
      where lead_entries.id = row.entry_id`),
    announceContacts(tx, ids),
  ])
}

/** Looks up each distinct name once. */
async function findEach<Name, Result>(names: readonly Name[], find: (name: Name) => Promise<Result>): Promise<Map<Name, Result>> {
  const distinct = [...new Set(names)]
  const found = await Promise.all(distinct.map(find))
  return new Map(distinct.map((name, i) => [name, found[i]!]))
}
