import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { clinicalWordsIn } from './clinical-rules.ts'

/** The clinical words in a text message: the practice's procedures in both languages, inactive ones too, and common words. */
export async function findClinicalWords(db: Db, { PRACTICE_NAME, PRACTICE_ADDRESS }: Env, text: string): Promise<string[]> {
  const rows = await db.select({ name: procedures.name, nameFr: procedures.nameFr }).from(procedures)
  const names = rows.flatMap(({ name, nameFr }) => [name, ...(nameFr ? [nameFr] : [])])
  return clinicalWordsIn(text, names, [PRACTICE_NAME, PRACTICE_ADDRESS])
}
