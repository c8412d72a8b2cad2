import { and, asc, gt, inArray } from 'drizzle-orm'
import { asPatient } from '../../kernel/as-patient.ts'
import type { Scope, VerifiedContactId } from '../../kernel/scope.ts'
import { surgeries } from './table.ts'

/** The columns that the portal's role may read (portal/guard.ts). */
const { id, procedures, startsAt, status } = surgeries

/** The upcoming surgeries of a patient whom a code has proved, soonest first. */
export async function listOwnSurgeries({ db, env, now, patient }: Scope & { patient: VerifiedContactId }) {
  const rows = await db.transaction((tx) =>
    asPatient(tx, env, patient, (own) =>
      own
        .select({ id, procedures, startsAt, status })
        .from(surgeries)
        .where(and(inArray(status, ['tentative', 'confirmed']), gt(startsAt, now())))
        .orderBy(asc(startsAt), asc(id)),
    ),
  )
  return rows.map((row) => ({
    id: row.id,
    startsAt: row.startsAt,
    isTentative: row.status === 'tentative',
    procedures: row.procedures.map(({ name }) => name),
  }))
}
