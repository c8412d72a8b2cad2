import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { insertContacts, lockEmails, type Match, matchContacts } from '../../crm/contacts/service.ts'
import { addTags, ensureTags } from '../../crm/tags/service.ts'
import { matchedBy, type PatientBatch } from './check.ts'
import type { RunCounts } from './contract.ts'
import { fillContacts, type Known } from './rows/fill.ts'
import { addFindings, errorsOf, ofRow } from './rows/findings.ts'
import { keysOf, unmatchedOf } from './keys.ts'
import type { ReadRow } from './reading/rows.ts'
import { importOutcomes, imports } from './table.ts'

/** Imports one batch: makes the patients of new rows, and does with the others what was chosen. */
export async function runBatch(tx: Db, scope: Scope, { job, rows, vocabulary }: PatientBatch): Promise<void> {
  const good = rows.filter(({ problems }) => problems.length === 0)
  await lockEmails(
    tx,
    good.map((row) => unmatchedOf(row).email).filter((email) => email !== null),
  )
  const [matches, keys, tagIds] = await Promise.all([
    job.onMatch === 'add' ? [] : matchContacts(tx, good.map(unmatchedOf)),
    job.onMatch === 'add' ? null : keysOf(tx, good),
    ensureTags(
      tx,
      scope,
      good.flatMap(({ tags }) => tags),
    ),
  ])
  const { fresh, matched, followers } = part(good, matches, keys)

  const values = fresh.map(({ values: given }) => ({
    funnelStageId: vocabulary.initialStageId,
    ...given,
    importSource: `Import: ${job.fileName}`.slice(0, 200),
  }))
  const ids = await insertContacts(tx, scope, values as unknown as Parameters<typeof insertContacts>[2], `Imported from ${job.fileName}`)
  const idOf = new Map(fresh.map((row, i) => [row, ids[i]!]))
  await addTags(
    tx,
    fresh.flatMap((row) => row.tags.map((tag) => ({ contactId: idOf.get(row)!, tagId: tagIds.get(tag)! }))),
  )
  if (ids.length > 0) {
    await tx.execute(sql`
      insert into import_outcomes (import_id, row, contact_id, kind)
      select ${job.id}::uuid, row, contact_id, 'added'
      from unnest(${sql.param(fresh.map(({ row }) => row))}::int[], ${sql.param(ids)}::uuid[]) as made(row, contact_id)`)
    await publish(tx, 'contact', ids[0]!) // one for all: lists refetch, and no page shows a patient who has just been made
  }

  const known = [...(await asKnown(tx, job.id, matched)), ...followers.map(({ row, leader }) => follower(row, leader, idOf.get(leader)!))]
  const filled = job.onMatch === 'fill' ? await fillContacts(tx, scope, job.id, known, tagIds) : new Set<ReadRow>()
  const left = known.filter(({ row }) => !filled.has(row))
  const errors = errorsOf(job.id, rows)
  await addFindings(tx, [
    ...errors,
    ...left.map(({ row, contactId, note, isDuplicate }) => ({
      ...ofRow(job.id, row),
      kind: isDuplicate ? ('duplicate' as const) : ('match' as const),
      contactId,
      note,
    })),
  ])
  const { added, filled: before, skipped, errors: refused } = job.result ?? nothingYet
  const result = {
    added: added + ids.length,
    filled: before + filled.size,
    skipped: skipped + left.length,
    errors: refused + errors.length,
  }
  await tx.update(imports).set({ result }).where(eq(imports.id, job.id))
}

export const nothingYet: RunCounts = { added: 0, filled: 0, skipped: 0, errors: 0 }

type Parted = {
  fresh: ReadRow[]
  matched: { row: ReadRow; match: Match }[]
  /** Rows with the email or the phone number of a fresh one before them. */
  followers: { row: ReadRow; leader: ReadRow }[]
}

function part(rows: readonly ReadRow[], matches: readonly (Match | null)[], keys: Map<ReadRow, string[]> | null): Parted {
  const parted: Parted = { fresh: [], matched: [], followers: [] }
  const leaders = new Map<string, ReadRow>()
  for (const [i, row] of rows.entries()) {
    const mine = keys?.get(row) ?? []
    const leader = mine.map((key) => leaders.get(key)).find((known) => known !== undefined)
    const match = matches[i]
    if (match) parted.matched.push({ row, match })
    else if (leader) parted.followers.push({ row, leader })
    else {
      parted.fresh.push(row)
      for (const key of mine) leaders.set(key, row)
    }
  }
  return parted
}

/** A patient whom an earlier batch of this import has made is a duplicate within the file. */
async function asKnown(tx: Db, importId: string, matched: Parted['matched']): Promise<Known[]> {
  if (matched.length === 0) return []
  const ids = matched.map(({ match }) => match.contactId)
  const mine = await tx
    .select({ contactId: importOutcomes.contactId, row: importOutcomes.row })
    .from(importOutcomes)
    .where(and(eq(importOutcomes.importId, importId), eq(importOutcomes.kind, 'added'), inArray(importOutcomes.contactId, ids)))
  const rowOf = new Map(mine.map(({ contactId, row }) => [contactId, row]))
  return matched.map(({ row, match }) => {
    const first = rowOf.get(match.contactId)
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

function follower(row: ReadRow, leader: ReadRow, contactId: string): Known {
  const [mine, theirs] = [unmatchedOf(row), unmatchedOf(leader)]
  const mayFill = (mine.email !== null && mine.email.toLowerCase() === theirs.email?.toLowerCase()) || mine.firstName === theirs.firstName
  return { row, contactId, note: `Same patient as row ${leader.row}`, mayFill, isDuplicate: true }
}
