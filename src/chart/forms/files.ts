import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { asPatient } from '../../kernel/as-patient.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope, VerifiedContactId } from '../../kernel/scope.ts'
import { documents } from '../../documents/table.ts'
import type { FormDefinition } from './definition-rules.ts'
import { allQuestions, asksForFiles } from './rules.ts'

const isPicture = ({ mimeType }: Pick<typeof documents.$inferSelect, 'mimeType'>): boolean => mimeType.startsWith('image/')

/**
 * What the patient has uploaded and an answer may name, read as the patient. Files with a virus are left out, so that a form that names one
 * is not complete.
 */
export async function ownFilesFor(
  tx: Db,
  { env, patient }: Pick<Scope, 'env'> & { patient: VerifiedContactId },
  definition: FormDefinition,
): Promise<Map<string, { name: string; isPicture: boolean }>> {
  if (!allQuestions(definition).some(asksForFiles)) return new Map()
  const rows = await asPatient(tx, env, patient, (own) =>
    own
      .select()
      .from(documents)
      .where(and(eq(documents.uploadSource, 'patient'), ne(documents.scanState, 'infected'))),
  )
  return new Map(rows.map((row) => [row.id, { name: row.name, isPicture: isPicture(row) }]))
}

/** The documents of a patient that the answers of a submitted form name, for staff. */
export async function filesOfAnswers(db: Db, contactId: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db
    .select()
    .from(documents)
    .where(and(inArray(documents.id, [...ids]), eq(documents.contactId, contactId), isNull(documents.deletedAt)))
  return rows.map((row) => ({ id: row.id, name: row.name, isPicture: isPicture(row), isInfected: row.scanState === 'infected' }))
}
