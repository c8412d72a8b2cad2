import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { changeContacts, type ContactChange, removeContacts, untouchedContacts } from '../../../crm/contacts/service.ts'
import { fieldLabels } from '../../../crm/contacts/derived-fields.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { removeTags } from '../../../crm/tags/service.ts'
import { addFindings } from '../rows/findings.ts'
import { importOutcomes, imports } from '../table.ts'

type Import = typeof imports.$inferSelect
type Outcome = Omit<typeof importOutcomes.$inferSelect, 'contactId'> & { contactId: string }
type Row = typeof contacts.$inferSelect
type KeptRow = { row: number; name: string; contactId: string; note: string }

const batchSize = 500

/** Undoes one batch of an import. Records changed since are kept and reported. */
export async function undoBatch(tx: Db, scope: Scope, job: Import): Promise<number | null> {
  const found = await tx
    .select()
    .from(importOutcomes)
    .where(and(eq(importOutcomes.importId, job.id), gte(importOutcomes.row, job.nextRow)))
    .orderBy(asc(importOutcomes.row))
    .limit(batchSize)
  const outcomes = found.filter((outcome): outcome is Outcome => outcome.contactId !== null)
  if (outcomes.length === 0) return null
  const rows = await tx
    .select()
    .from(contacts)
    .where(inArray(contacts.id, [...new Set(outcomes.map(({ contactId }) => contactId))]))
    .orderBy(asc(contacts.id))
    .for('update')
  const contactOf = new Map(rows.map((row) => [row.id, row]))

  const added = outcomes.filter(({ kind }) => kind === 'added')
  const created = await findCreated(tx, job.id, outcomes)
  // Fields filled in patients that this import created are handled with the patient.
  const filled = outcomes.filter(({ kind, contactId }) => kind === 'filled' && !created.has(contactId))
  const kept = [...(await removeCreated(tx, scope, job.id, added, contactOf)), ...(await restoreFilled(tx, scope, filled, contactOf))]

  await addFindings(
    tx,
    kept.map((row) => ({ importId: job.id, kind: 'kept', ...row })),
  )
  const undone = job.undone + added.length + filled.length - kept.length
  await tx
    .update(imports)
    .set({ undone, kept: job.kept + kept.length })
    .where(eq(imports.id, job.id))
  return outcomes.at(-1)!.row + 1
}

/** Which of these patients were created by the import. */
async function findCreated(tx: Db, importId: string, outcomes: readonly Outcome[]): Promise<Set<string>> {
  const ids = outcomes.filter(({ kind }) => kind === 'filled').map(({ contactId }) => contactId)
  if (ids.length === 0) return new Set()
  const rows = await tx
    .select({ id: importOutcomes.contactId })
    .from(importOutcomes)
    .where(and(eq(importOutcomes.importId, importId), eq(importOutcomes.kind, 'added'), inArray(importOutcomes.contactId, ids)))
  return new Set(rows.flatMap(({ id }) => id ?? []))
}

const fullName = (row: Row) => `${row.firstName} ${row.lastName}`

/** Deletes patients created by the import that no one has changed since. */
async function removeCreated(tx: Db, scope: Scope, importId: string, added: Outcome[], contactOf: Map<string, Row>): Promise<KeptRow[]> {
  if (added.length === 0) return []
  const ids = added.map(({ contactId }) => contactId)
  // Fields filled by later rows of the same file do not count as changes.
  const { rows: fills } = await tx.execute<{ id: string; versions: number; lines: number }>(sql`
    select contact_id as id, count(filled)::int as versions, (count(filled) + coalesce(sum(cardinality(tag_ids)), 0))::int as lines
    from import_outcomes where import_id = ${importId} and kind = 'filled' and contact_id = any(${sql.param(ids)}::uuid[]) group by contact_id`)
  const fillsById = new Map(fills.map((fill) => [fill.id, fill]))
  const untouched = await untouchedContacts(
    tx,
    ids.map((id) => ({ id, version: 1 + (fillsById.get(id)?.versions ?? 0), interactions: 1 + (fillsById.get(id)?.lines ?? 0) })),
  )
  await removeContacts(tx, scope, [...untouched])
  return added
    .filter(({ contactId }) => !untouched.has(contactId))
    .map(({ row, contactId }) => {
      const contact = contactOf.get(contactId)
      const note = contact ? 'Someone has worked with this patient since' : 'This patient has been deleted or merged since'
      return { row, contactId, name: contact ? fullName(contact) : '', note }
    })
}

/** Whether a field still has the filled value and can be cleared; a primary email or phone with additional ones cannot. */
function isAsFilled(contact: Row, key: string, value: unknown): boolean {
  if (key === 'email' && contact.otherEmails.length > 0) return false
  if (key === 'phone' && contact.otherPhones.length > 0) return false
  return JSON.stringify(contact[key as keyof Row]) === JSON.stringify(value)
}

/** Clears filled fields that have not changed since, and removes the added tags. */
async function restoreFilled(tx: Db, scope: Scope, filled: Outcome[], contactOf: Map<string, Row>): Promise<KeptRow[]> {
  const kept: KeptRow[] = []
  const changes: ContactChange[] = []
  const tags: { contactId: string; tagId: string }[] = []
  for (const [contactId, outcomes] of Map.groupBy(filled, (outcome) => outcome.contactId)) {
    const before = contactOf.get(contactId)
    for (const { row, filled: fields, tagIds } of outcomes) {
      const clashes = before ? Object.entries(fields ?? {}).filter(([key, value]) => !isAsFilled(before, key, value)) : []
      if (!before) kept.push({ row, contactId, name: '', note: 'This patient has been deleted or merged since' })
      else if (clashes.length > 0) {
        const labels = [...new Set(clashes.map(([key]) => fieldLabels[key] ?? key))]
        kept.push({ row, contactId, name: fullName(before), note: `Changed since: ${labels.join(', ')}` })
      }
      if (before) for (const tagId of tagIds ?? []) tags.push({ contactId, tagId })
    }
    if (!before) continue
    const restored = outcomes.flatMap(({ filled: fields }) =>
      Object.entries(fields ?? {}).filter(([key, value]) => isAsFilled(before, key, value)),
    )
    if (restored.length > 0) changes.push({ before, changed: Object.fromEntries(restored.map(([key]) => [key, null])) })
  }
  await changeContacts(tx, scope, changes)
  await removeTags(tx, scope, tags)
  return kept
}
