import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { dayAt } from '../../../shared/zoned-time.ts'
import type { SafetyState } from '../safety-contract.ts'
import { safetyPhases as phases } from '../safety-rules.ts'
import { safetyPhases } from '../table.ts'

type PhaseRow = typeof safetyPhases.$inferSelect
interface Case {
  id: string
  startsAt: Date
}

/** The day to which a safety checklist belongs: a surgery that moves to another day begins it again. */
export const safetyDay = ({ env }: Pick<Scope, 'env'>, { startsAt }: Case): string => dayAt(startsAt, env.PRACTICE_TIME_ZONE)

/** The closed phases of a surgery on its day, oldest first. */
export const closedPhases = (db: Db, scope: Pick<Scope, 'env'>, surgery: Case): Promise<PhaseRow[]> =>
  db
    .select()
    .from(safetyPhases)
    .where(and(eq(safetyPhases.surgeryId, surgery.id), or(isNull(safetyPhases.day), eq(safetyPhases.day, safetyDay(scope, surgery)))))
    .orderBy(asc(safetyPhases.closedAt))

/** The phases of a surgery that are neither confirmed nor waived. */
export async function openSafetyPhases(db: Db, scope: Pick<Scope, 'env'>, surgery: Case): Promise<SafetyState['phase'][]> {
  const closed = await closedPhases(db, scope, surgery)
  return phases.filter((phase) => !closed.some((one) => one.phase === phase))
}

/** How far the safety checklists of surgeries are, by the surgery's id: one entry for each phase, in order. */
export async function safetyStates(db: Db, scope: Pick<Scope, 'env'>, cases: readonly Case[]): Promise<Map<string, SafetyState[]>> {
  const rows = await db
    .select()
    .from(safetyPhases)
    .where(
      inArray(
        safetyPhases.surgeryId,
        cases.map(({ id }) => id),
      ),
    )
  const bySurgery = Map.groupBy(rows, ({ surgeryId }) => surgeryId)
  return new Map(
    cases.map((one) => {
      const closed = (bySurgery.get(one.id) ?? []).filter(({ day }) => day === null || day === safetyDay(scope, one))
      return [one.id, phases.map((phase) => stateOf(phase, closed))]
    }),
  )
}

export function stateOf(phase: SafetyState['phase'], closed: readonly PhaseRow[]): SafetyState {
  const { outcome = null, closedAt = null, closedBy = null } = closed.find((row) => row.phase === phase) ?? {}
  return { phase, outcome, closedAt, closedBy }
}
