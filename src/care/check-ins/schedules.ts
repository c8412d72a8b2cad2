import { asc, eq, sql } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { currentFormVersion } from '../../chart/forms/service.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { checkInMessages, type Schedule } from './contract.ts'
import { checkInSchedules } from './table.ts'

export const listSchedules = (db: Db): Promise<Schedule[]> => db.select().from(checkInSchedules).orderBy(asc(checkInSchedules.procedureId))

interface NewSchedule {
  /** The procedure. */
  id: string
  templateId: string
  days: number[]
  /** 0 for a new one. */
  version: number
}

/** Sets the schedule of a procedure. What was sent by an earlier one stays. Null: no such procedure. */
export const setSchedule = (scope: Scope, { id, templateId, days, version }: NewSchedule) =>
  scope.db.transaction(async (tx) => {
    const locked = await lock(tx, id, version)
    if (!locked || 'refusal' in locked) return locked
    if (!(await currentFormVersion(tx, templateId))) return invalidReference({ templateId: checkInMessages.noTemplate })
    const row = { procedureId: id, templateId, days: days.toSorted((a, b) => a - b), version: version + 1 }
    await tx.insert(checkInSchedules).values(row).onConflictDoUpdate({ target: checkInSchedules.procedureId, set: row })
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'procedure',
      contactIds: [],
      before: { id, checkIns: locked.before },
      after: { id, checkIns: row },
    })
    await publish(tx, 'vocabulary', id)
    return row
  })

/** Removes the schedule of a procedure. Null: no such procedure. */
export const removeSchedule = (scope: Scope, { id, version }: { id: string; version: number }) =>
  scope.db.transaction(async (tx) => {
    const locked = await lock(tx, id, version)
    if (!locked || 'refusal' in locked) return locked
    await tx.delete(checkInSchedules).where(eq(checkInSchedules.procedureId, id))
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'procedure',
      contactIds: [],
      before: { id, checkIns: locked.before },
      after: { id, checkIns: null },
    })
    await publish(tx, 'vocabulary', id)
    return true
  })

/** The schedule of a locked procedure in the version that was read; null if the procedure does not exist. */
async function lock(tx: Db, id: string, version: number) {
  const [procedure] = await tx.select({ id: procedures.id }).from(procedures).where(eq(procedures.id, id)).for('no key update')
  if (!procedure) return null
  const [before] = await tx.select().from(checkInSchedules).where(eq(checkInSchedules.procedureId, id))
  return (before?.version ?? 0) === version ? { before: before ?? null } : refuse('CHANGED_MEANWHILE')
}

/** The schedule of a surgery: that of the first of its procedures that has one, for a row of `surgeries`. */
export const scheduleOfSurgery = sql`(
  select schedule.template_id, schedule.days from jsonb_array_elements(surgeries.procedures) with ordinality as listed (procedure, place)
  join check_in_schedules as schedule on schedule.procedure_id::text = listed.procedure->>'id' order by listed.place limit 1)`
