import { and, asc, eq, gt, inArray, lte, or } from 'drizzle-orm'
import { asPatient } from '../../kernel/as-patient.ts'
import type { Scope, VerifiedContactId } from '../../kernel/scope.ts'
import type { FrenchProcedure } from '../../crm/procedures/rules.ts'
import { frenchProcedures, instructionsOf } from '../../crm/procedures/service.ts'
import { upcomingStatuses } from './rules.ts'
import { surgeries } from './table.ts'

/*
 * The surgeries of a patient whom a code has proved, in the portal, with the instructions of their procedures.
 */

type OwnScope = Scope & { patient: VerifiedContactId }

/** Aftercare is shown from the beginning of a surgery on for half a year, in milliseconds. */
export const aftercareTime = 183 * 24 * 60 * 60_000

/** The columns that the portal's role may read (portal/guard.ts). */
const { id, procedures, startsAt, status } = surgeries

/** Upcoming ones, and those of the last half-year that have begun, earliest first. */
const readOwn = ({ db, env, now, patient }: OwnScope, wanted?: string) =>
  db.transaction((tx) =>
    asPatient(tx, env, patient, (own) =>
      own
        .select({ id, procedures, startsAt, status })
        .from(surgeries)
        .where(
          and(
            wanted === undefined ? undefined : eq(id, wanted),
            gt(startsAt, new Date(now().getTime() - aftercareTime)),
            or(
              and(inArray(status, [...upcomingStatuses]), gt(startsAt, now())),
              and(inArray(status, ['confirmed', 'completed']), lte(startsAt, now())),
            ),
          ),
        )
        .orderBy(asc(startsAt), asc(id)),
    ),
  )

type Row = Awaited<ReturnType<typeof readOwn>>[number]
/** A procedure's name in both languages; null in French if it has none. */
const inBoth = ({ id: procedureId, name }: Row['procedures'][number], french: readonly FrenchProcedure[]) => ({
  name,
  nameFr: french.find((one) => one.id === procedureId)?.nameFr ?? null,
})
const isAhead = ({ startsAt: at }: Row, { now }: OwnScope): boolean => at > now()

/** The upcoming surgeries, soonest first, and those whose aftercare can be read, latest first. */
export async function listOwnSurgeries(scope: OwnScope) {
  const rows = await readOwn(scope)
  const [known, french] = await Promise.all([
    instructionsOf(
      scope.db,
      rows.flatMap((row) => row.procedures.map((procedure) => procedure.id)),
    ),
    frenchProcedures(scope.db),
  ])
  const has = (row: Row, part: 'preparation' | 'aftercare') =>
    row.procedures.some((procedure) => Object.values(known.get(procedure.id)?.[part] ?? {}).some(Boolean))
  const named = (row: Row) => ({ id: row.id, startsAt: row.startsAt, procedures: row.procedures.map((one) => inBoth(one, french)) })
  return {
    upcoming: rows
      .filter((row) => isAhead(row, scope))
      .map((row) => ({
        ...named(row),
        isTentative: row.status === 'tentative',
        hasInstructions: has(row, 'preparation') || has(row, 'aftercare'),
      })),
    aftercare: rows
      .filter((row) => !isAhead(row, scope) && has(row, 'aftercare'))
      .map(named)
      .toReversed(),
  }
}

/** What to do before and after a surgery; before it only while it is ahead. Null: the patient has no such surgery. */
export async function getOwnInstructions(scope: OwnScope, surgeryId: string) {
  const [row] = await readOwn(scope, surgeryId)
  if (!row) return null
  const [known, french] = await Promise.all([
    instructionsOf(
      scope.db,
      row.procedures.map((procedure) => procedure.id),
    ),
    frenchProcedures(scope.db),
  ])
  const ahead = isAhead(row, scope)
  return {
    startsAt: row.startsAt,
    isAhead: ahead,
    isTentative: row.status === 'tentative',
    procedures: row.procedures.flatMap((procedure) => {
      const written = known.get(procedure.id)
      return written
        ? [{ ...inBoth(procedure, french), preparation: ahead ? written.preparation : null, aftercare: written.aftercare }]
        : []
    }),
  }
}
