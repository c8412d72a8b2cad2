import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { publish } from '../../../kernel/events/events.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { insertContacts, lockEmails, type Match, matchContacts } from '../../../crm/contacts/service.ts'
import { addTags, ensureTags } from '../../../crm/tags/service.ts'
import { matchedBy, type PatientBatch } from './check.ts'
import type { RunCounts } from '../contract.ts'
import { fillContacts, type KnownRow } from '../rows/fill.ts'
import { addFindings, toErrors, toFinding } from '../rows/findings.ts'
import { findKeys, toMatchInput } from './keys.ts'
import type { ReadRow } from '../reading/rows.ts'
import { importOutcomes, imports } from '../table.ts'

/** Imports one batch: creates patients for new rows, and skips, fills or adds the others as chosen. */
export async function runBatch(tx: Db, scope: Scope, { job, rows, vocabulary }: PatientBatch): Promise<void> {
  const valid = rows.filter(({ problems }) => problems.length === 0)
  await lockEmails(
    tx,
    valid.map((row) => toMatchInput(row).email).filter((email) => email !== null),
  )
  const [matches, keys, tagIds] = await Promise.all([
    job.onMatch === 'add' ? [] : matchContacts(tx, valid.map(toMatchInput)),
    job.onMatch === 'add' ? null : findKeys(tx, valid),
    ensureTags(
      tx,
      scope,
      valid.flatMap(({ tags }) => tags),
    ),
  ])
  const { fresh, matched, followers } = partitionRows(valid, matches, keys)

  const values = fresh.map(({ values: given }) => ({
    funnelStageId: vocabulary.initialStageId,
    ...given,
    importSource: `Import: ${job.fileName}`.slice(0, 200),
  }))
  const descriptions = values.map(() => `Imported from ${job.fileName}`)
  const ids = await insertContacts(tx, scope, values as unknown as Parameters<typeof insertContacts>[2], {
    descriptions,
    source: 'imported',
  })
  const idByRow = new Map(fresh.map((row, i) => [row, ids[i]!]))
  await addTags(
    tx,
    fresh.flatMap((row) => row.tags.map((tag) => ({ contactId: idByRow.get(row)!, tagId: tagIds.get(tag)! }))),
  )
  if (ids.length > 0) {
    await tx.execute(sql`
      insert into import_outcomes (import_id, row, contact_id, kind)
      select ${job.id}::uuid, row, contact_id, 'added'
      from unnest(${sql.param(fresh.map(({ row }) => row))}::int[], ${sql.param(ids)}::uuid[]) as made(row, contact_id)`)
    await publish(tx, 'contact', ids[0]!) // one event is enough: lists refetch, and no page shows a new patient yet
  }

  const known = [
    ...(await toKnownRows(tx, job.id, matched)),
    ...followers.map(({ row, leader }) => toFollower(row, leader, idByRow.get(leader)!)),
  ]
  const filled = job.onMatch === 'fill' ? await fillContacts(tx, scope, job.id, known, tagIds) : new Set<ReadRow>()
  const skippedRows = known.filter(({ row }) => !filled.has(row))
  const errors = toErrors(job.id, rows)
  await addFindings(tx, [
    ...errors,
    ...skippedRows.map(({ row, contactId, note, isDuplicate }) => ({
      ...toFinding(job.id, row),
      kind: isDuplicate ? ('duplicate' as const) : ('match' as const),
      contactId,
      note,
    })),
  ])
  const { added, filled: before, skipped, errors: refused } = job.result ?? emptyCounts
  const result = {
    added: added + ids.length,
    filled: before + filled.size,
    skipped: skipped + skippedRows.length,
    errors: refused + errors.length,
  }
  await tx.update(imports).set({ result }).where(eq(imports.id, job.id))
}

export const emptyCounts: RunCounts = { added: 0, filled: 0, skipped: 0, errors: 0 }

type PartitionedRows = {
  fresh: ReadRow[]
  matched: { row: ReadRow; match: Match }[]
  /** Rows with the same email or phone number as an earlier new row. */
  followers: { row: ReadRow; leader: ReadRow }[]
}

function partitionRows(rows: readonly ReadRow[], matches: readonly (Match | null)[], keys: Map<ReadRow, string[]> | null): PartitionedRows {
  const result: PartitionedRows = { fresh: [], matched: [], followers: [] }
  const leaders = new Map<string, ReadRow>()
  for (const [i, row] of rows.entries()) {
    const mine = keys?.get(row) ?? []
    const leader = mine.map((key) => leaders.get(key)).find((known) => known !== undefined)
    const match = matches[i]
    if (match) result.matched.push({ row, match })
    else if (leader) result.followers.push({ row, leader })
    else {
      result.fresh.push(row)
      for (const key of mine) leaders.set(key, row)
    }
  }
  return result
}

/** Matched rows; a match with a patient created by an earlier batch of this import is a duplicate in the file. */
async function toKnownRows(tx: Db, importId: string, matched: PartitionedRows['matched']): Promise<KnownRow[]> {
  if (matched.length === 0) return []
  const ids = matched.map(({ match }) => match.contactId)
  const mine = await tx
    .select({ contactId: importOutcomes.contactId, row: importOutcomes.row })
    .from(importOutcomes)
    .where(and(eq(importOutcomes.importId, importId), eq(importOutcomes.kind, 'added'), inArray(importOutcomes.contactId, ids)))
  const rowByContact = new Map(mine.map(({ contactId, row }) => [contactId, row]))
  return matched.map(({ row, match }) => {
    const first = rowByContact.get(match.contactId)
    const mayFill = match.by === 'email' || match.sameName
    return {
      row,
      contactId: match.contactId,
      note: first === undefined ? matchedBy[match.by] : `Same patient as row ${first}`,
      mayFill,
      isDuplicate: first !== undefined,
    }
  })
}

function toFollower(row: ReadRow, leader: ReadRow, contactId: string): KnownRow {
  const [mine, theirs] = [toMatchInput(row), toMatchInput(leader)]
  const mayFill = (mine.email !== null && mine.email.toLowerCase() === theirs.email?.toLowerCase()) || mine.firstName === theirs.firstName
  return { row, contactId, note: `Same patient as row ${leader.row}`, mayFill, isDuplicate: true }
}
