import { asc, inArray } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { changeContacts, type ContactChange } from '../../../crm/contacts/service.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { addTags, announceTags } from '../../../crm/tags/service.ts'
import type { ReadRow } from '../reading/rows.ts'
import { importOutcomes } from '../table.ts'

type Row = typeof contacts.$inferSelect
/** A row whose patient exists, or was created from an earlier row of this batch. */
export type KnownRow = { row: ReadRow; contactId: string; note: string; mayFill: boolean; isDuplicate: boolean }

/** Fields that store the same value in two forms: filled only if both are empty. */
const fieldPairs: readonly (readonly (keyof Row)[])[] = [
  ['leadSourceId', 'leadSourceText'],
  ['procedureId', 'procedureText'],
]

/**
 * Fills empty fields of existing patients from the rows and adds their tags. Existing values stay, and so do stage, status and yes/no
 * fields, which are never empty. A patient who matches only by phone number may be a relative and is skipped. Returns the rows that were
 * used.
 */
export async function fillContacts(
  tx: Db,
  scope: Scope,
  importId: string,
  known: readonly KnownRow[],
  tagIds: ReadonlyMap<string, string>,
): Promise<Set<ReadRow>> {
  const usable = Map.groupBy(
    known.filter(({ mayFill }) => mayFill),
    ({ contactId }) => contactId,
  )
  if (usable.size === 0) return new Set()
  // Lock in the same order as merges and bulk changes.
  const rows = await tx
    .select()
    .from(contacts)
    .where(inArray(contacts.id, [...usable.keys()]))
    .orderBy(asc(contacts.id))
    .for('update')

  const changes: ContactChange[] = []
  const fills = new Map<string, Record<string, unknown>>()
  const wantedTags: { contactId: string; tagId: string }[] = []
  for (const before of rows) {
    const patientRows = usable.get(before.id)!
    const changed = emptyFieldsFrom(before, patientRows)
    if (Object.keys(changed).length > 0) {
      changes.push({ before, changed })
      fills.set(before.id, changed)
    }
    for (const { row } of patientRows) for (const tag of row.tags) wantedTags.push({ contactId: before.id, tagId: tagIds.get(tag)! })
  }
  await changeContacts(tx, scope, changes)
  const newTags = await addTags(tx, wantedTags)
  await announceTags(tx, scope, newTags)
  const added = Map.groupBy(newTags, ({ contactId }) => contactId)

  const outcomes = rows
    .filter(({ id }) => fills.has(id) || added.has(id))
    .map(({ id }) => ({
      importId,
      row: usable.get(id)![0]!.row.row,
      contactId: id,
      kind: 'filled' as const,
      filled: fills.get(id) ?? null,
      tagIds: added.get(id)?.map(({ tagId }) => tagId) ?? null,
    }))
  if (outcomes.length > 0) await tx.insert(importOutcomes).values(outcomes)
  return new Set(outcomes.flatMap(({ contactId }) => usable.get(contactId)!.map(({ row }) => row)))
}

function emptyFieldsFrom(before: Row, known: readonly KnownRow[]): Partial<Row> {
  const changed: Record<string, unknown> = {}
  for (const { row } of known) {
    for (const [field, value] of Object.entries(row.values)) {
      if (value === null || value === '' || !(field in before)) continue
      const together = fieldPairs.find((pair) => (pair as readonly string[]).includes(field)) ?? [field as keyof Row]
      const isEmpty = together.every((key) => before[key] === null || before[key] === '')
      const isSetByOther = together.some((key) => key !== field && key in changed)
      if (isEmpty && !isSetByOther && !(field in changed)) changed[field] = value
    }
  }
  return changed
}
