import { eq } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { matchContacts } from '../../../crm/contacts/service.ts'
import { addFindings, toErrors, toFinding } from '../rows/findings.ts'
import type { Batch } from '../import-table.ts'
import { findKeys, saveKeys, findRowsByKey, toMatchInput } from './keys.ts'
import { imports } from '../table.ts'
import type { Vocabulary } from '../rows/vocabulary.ts'

export type PatientBatch = Batch & { vocabulary: Vocabulary }

/** Notes that explain a match to the user. */
export const matchedBy = { email: 'Same email', phone: 'Same phone number' } as const

/** Checks one batch: counts its rows by outcome and records findings about them. Changes no patient. */
export async function checkBatch(tx: Db, { job, rows, vocabulary }: PatientBatch): Promise<void> {
  const valid = rows.filter(({ problems }) => problems.length === 0)
  const findings = toErrors(job.id, rows)
  const counts = job.checked ?? { fresh: 0, matches: 0, duplicates: 0, errors: 0 }
  counts.errors += findings.length

  const [matches, keys] = await Promise.all([matchContacts(tx, valid.map(toMatchInput)), findKeys(tx, valid)])
  const seen = await findRowsByKey(tx, job.id, [...keys.values()].flat())
  const fresh = new Map<string, number>()
  for (const [i, row] of valid.entries()) {
    const rowKeys = keys.get(row)!
    const first = rowKeys.map((key) => seen.get(key) ?? fresh.get(key)).find((known) => known !== undefined)
    const match = matches[i]
    if (match) {
      counts.matches++
      findings.push({ ...toFinding(job.id, row), kind: 'match', contactId: match.contactId, note: matchedBy[match.by] })
    } else if (first !== undefined) {
      counts.duplicates++
      findings.push({ ...toFinding(job.id, row), kind: 'duplicate', note: `Same patient as row ${first}` })
    } else {
      counts.fresh++
      for (const key of rowKeys) fresh.set(key, row.row)
    }
  }
  await addFindings(tx, findings)
  await saveKeys(tx, job.id, fresh)
  const newTags = uniqueNames([...job.newTags, ...valid.flatMap(({ tags }) => tags)]).filter((tag) => !vocabulary.hasTag(tag))
  await tx.update(imports).set({ checked: counts, newTags }).where(eq(imports.id, job.id))
}

/** Removes names that differ only in case. */
const uniqueNames = (names: readonly string[]) => [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
