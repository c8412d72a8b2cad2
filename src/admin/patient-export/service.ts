import { sql } from 'drizzle-orm'
import { type CountedPart, countedParts } from '../../kernel/patient-tables/rules.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { RecordOutline } from './contract.ts'
import { listDocuments, listPdfs } from './files.ts'
import { countOf, getParts, findRecordSubject } from './parts.ts'

/** Counts what the patient's export would contain; null if there is no such patient. */
export async function getOutline(scope: Scope, contactId: string): Promise<RecordOutline | null> {
  const subject = await findRecordSubject(scope.db, contactId)
  if (!subject) return null
  const counts = sql.join(
    getParts()
      .filter(({ name }) => (countedParts as string[]).includes(name))
      .map((part) => sql`${sql.param(part.name)}::text, ${countOf(part, subject)}`),
    sql`, `,
  )
  const [{ rows }, documents, pdfs] = await Promise.all([
    scope.db.execute<{ counts: Record<CountedPart, number> }>(sql`select jsonb_build_object(${counts}) as counts`),
    listDocuments(scope.db, scope, contactId),
    listPdfs(scope.db, scope, contactId),
  ])
  await scope.recordView({ kind: 'whole-record', contactIds: [contactId] })
  const found = rows[0]!.counts
  return {
    parts: countedParts.map((part) => ({ part, count: found[part] })).filter(({ count }) => count > 0),
    files: {
      count: documents.length,
      bytes: documents.reduce((sum, { size }) => sum + (size ?? 0), 0),
      withheld: documents.filter(({ withheld }) => withheld !== null).length,
    },
    pdfs: pdfs.length,
  }
}
