import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../../kernel/scope.ts'
import { cursorPage } from '../../../shared/page-lists.ts'
import { leadSources } from '../../lead-sources/table.ts'
import { findStage } from '../../pipeline/service.ts'
import { contactTags, tags } from '../../tags/table.ts'
import { firstByEmail, hasEmail } from '../contact-points/contact-points.ts'
import { contacts } from '../table.ts'
import { columns, recordContactViews } from './list.ts'

/** The sequence number after which a batch starts, and its size. */
type Batch = { cursor?: number | undefined; limit: number }

/** A batch of matching contacts, newest first (spec 7). */
async function newest(scope: Scope, where: SQL | undefined, { cursor, limit }: Batch) {
  const rows = await scope.db
    .select({ ...columns, seq: contacts.seq })
    .from(contacts)
    .where(and(where, cursor === undefined ? undefined : lt(contacts.seq, cursor)))
    .orderBy(desc(contacts.seq))
    .limit(limit + 1)
  const batch = cursorPage(rows, limit, ({ seq }) => seq)
  await recordContactViews(scope, batch.data)
  return batch
}

/** All contacts (spec 7). */
export const batchOfContacts = (scope: Scope, batch: Batch) => newest(scope, undefined, batch)

/** By stage id, name or value; an unknown stage has no contacts. */
export async function contactsByStage(scope: Scope, { stage, ...batch }: Batch & { stage: string }) {
  const id = await findStage(scope.db, stage)
  return newest(scope, id ? eq(contacts.funnelStageId, id) : sql`false`, batch)
}

/** By the source's id or name, or by a form's free text. */
export async function contactsBySource(scope: Scope, { source, ...batch }: Batch & { source: string }) {
  const [row] = await scope.db
    .select({ id: leadSources.id })
    .from(leadSources)
    .where(sql`${leadSources.id}::text = lower(${source}) or lower(${leadSources.name}) = lower(${source})`)
  return newest(scope, row ? eq(contacts.leadSourceId, row.id) : sql`lower(${contacts.leadSourceText}) = lower(${source})`, batch)
}

/** By any of a contact's emails. */
export async function contactByEmail(scope: Scope, email: string) {
  const rows = await scope.db
    .select(columns)
    .from(contacts)
    .where(hasEmail(email.trim()))
    .orderBy(...firstByEmail(email.trim()))
    .limit(1)
  await recordContactViews(scope, rows)
  return rows[0] ?? null
}

/** Those that have the tag 'Welcome' (spec 7). */
export const contactsWithWelcomeTag = (scope: Scope, batch: Batch) =>
  newest(
    scope,
    inArray(
      contacts.id,
      scope.db
        .select({ id: contactTags.contactId })
        .from(contactTags)
        .innerJoin(tags, eq(tags.id, contactTags.tagId))
        .where(eq(tags.name, 'Welcome')),
    ),
    batch,
  )
