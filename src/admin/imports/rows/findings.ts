import type { Db } from '../../../kernel/postgres/database.ts'
import type { ReadRow } from '../reading/rows.ts'
import { importFindings } from '../table.ts'

export type Finding = typeof importFindings.$inferInsert

export const toFinding = (importId: string, { row, name }: ReadRow) => ({ importId, row, name })

export const toErrors = (importId: string, rows: readonly ReadRow[]): Finding[] =>
  rows.filter(({ problems }) => problems.length > 0).map((row) => ({ ...toFinding(importId, row), kind: 'error', problems: row.problems }))

export async function addFindings(tx: Db, findings: Finding[]): Promise<void> {
  if (findings.length > 0) await tx.insert(importFindings).values(findings)
}
