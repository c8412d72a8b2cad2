import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { matchContacts } from '../../crm/contacts/service.ts'
import { addFindings, errorsOf, ofRow } from './rows/findings.ts'
import type { Batch } from './import-table.ts'
import { keysOf, rememberKeys, rowsWithKeys, unmatchedOf } from './keys.ts'
import { imports } from './table.ts'
import type { Vocabulary } from './rows/vocabulary.ts'

export type PatientBatch = Batch & { vocabulary: Vocabulary }

/** How a match is told to the person. */
export const matchedBy = { email: 'Same email', phone: 'Same phone number' } as const

/** Tries one batch: counts what would become of its rows and notes what has to be said of them. No patient is touched. */
export async function checkBatch(tx: Db, { job, rows, vocabulary }: PatientBatch): Promise<void> {
  const good = rows.filter(({ problems }) => problems.length === 0)
  const findings = errorsOf(job.id, rows)
  const counts = job.checked ?? { fresh: 0, matches: 0, duplicates: 0, errors: 0 }
  counts.errors += findings.length

  const [matches, keys] = await Promise.all([matchContacts(tx, good.map(unmatchedOf)), keysOf(tx, good)])
  const seen = await rowsWithKeys(tx, job.id, [...keys.values()].flat())
  const fresh = new Map<string, number>()
  for (const [i, row] of good.entries()) {
    const mine = keys.get(row)!
    const first = mine.map((key) => seen.get(key) ?? fresh.get(key)).find((known) => known !== undefined)
    const match = matches[i]
    if (match) {
      counts.matches++
      findings.push({ ...ofRow(job.id, row), kind: 'match', contactId: match.contactId, note: matchedBy[match.by] })
    } else if (first !== undefined) {
      counts.duplicates++
      findings.push({ ...ofRow(job.id, row), kind: 'duplicate', note: `Same patient as row ${first}` })
    } else {
      counts.fresh++
      for (const key of mine) fresh.set(key, row.row)
    }
  }
  await addFindings(tx, findings)
  await rememberKeys(tx, job.id, fresh)
  const newTags = namesOnce([...job.newTags, ...good.flatMap(({ tags }) => tags)]).filter((tag) => !vocabulary.hasTag(tag))
  await tx.update(imports).set({ checked: counts, newTags }).where(eq(imports.id, job.id))
}

/** Names that differ only in case are one. */
const namesOnce = (names: readonly string[]) => [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
