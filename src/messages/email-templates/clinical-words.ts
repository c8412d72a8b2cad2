import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { clinicalWordsFinder } from './clinical-rules.ts'

/** The clinical words in a text message: the practice's procedures in both languages, inactive ones too, and common words. */
export const findClinicalWords = async (db: Db, env: Env, text: string): Promise<string[]> => (await clinicalWordsOf(db, env))(text)

/** The same for several texts, with the procedures read once. */
export async function clinicalWordsOf(db: Db, { PRACTICE_NAME, PRACTICE_ADDRESS }: Env): Promise<(text: string) => string[]> {
  const rows = await db.select({ name: procedures.name, nameFr: procedures.nameFr }).from(procedures)
  const names = rows.flatMap(({ name, nameFr }) => [name, ...(nameFr ? [nameFr] : [])])
  return clinicalWordsFinder(names, [PRACTICE_NAME, PRACTICE_ADDRESS])
}
