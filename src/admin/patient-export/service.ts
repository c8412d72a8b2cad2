import { sql } from 'drizzle-orm'
import { type CountedPart, countedParts } from '../../kernel/patient-tables/rules.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { RecordOutline } from './contract.ts'
import { documentsOf, papersOf } from './files.ts'
import { countOf, getParts, whoseRecord } from './parts.ts'

/** What the file of a patient would hold. Null: no such patient. */
export async function outlineOf(scope: Scope, contactId: string): Promise<RecordOutline | null> {
  const whose = await whoseRecord(scope.db, contactId)
  if (!whose) return null
  const counts = sql.join(
    getParts()
      .filter(({ name }) => (countedParts as string[]).includes(name))
      .map((part) => sql`${sql.param(part.name)}::text, ${countOf(part, whose)}`),
    sql`, `,
  )
  const [{ rows }, documents, papers] = await Promise.all([
    scope.db.execute<{ counts: Record<CountedPart, number> }>(sql`select jsonb_build_object(${counts}) as counts`),
    documentsOf(scope.db, scope, contactId),
    papersOf(scope.db, scope, contactId),
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
    papers: papers.length,
  }
}
