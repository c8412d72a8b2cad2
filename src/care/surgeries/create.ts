import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { bookings } from './bookings.ts'
import { findPatientOverlap, problemsOf, resolveProcedures } from './check.ts'
import { addTemplateItems } from './checklists/checklist.ts'
import { updatePatientRecord, withNames } from './update-record.ts'
import { describeBooking } from './labels.ts'
import type { Anaesthesia } from './rules.ts'
import { surgeries } from './table.ts'

interface NewSurgery {
  contactId: string
  procedureIds: string[]
  surgeonId: string | null
  assistantIds: string[]
  anaesthesia: Anaesthesia
  roomId: string | null
  startsAt: Date
  minutes: number
  implants: string | null
  priceCents: number | null
  notes: string | null
  status: 'tentative' | 'confirmed'
  idempotencyKey: string
}

/** Books a surgery with the checklist from the templates, once per idempotency key. Refuses a key that was used for something else. */
export function createSurgery(scope: Scope, given: NewSurgery) {
  const { minutes: _, procedureIds, ...wanted } = given
  return bookings.book(
    scope,
    given,
    async (tx, columns, reserve) => {
      const procedures = await resolveProcedures(tx, procedureIds, [])
      if (isRefusal(procedures)) return procedures
      const row = { ...wanted, ...columns, procedures }
      const refused = (await problemsOf(tx, row, null)) ?? (await findPatientOverlap(tx, row))
      if (refused) return refused
      await reserve({ ...row, providerId: row.surgeonId })
      return tx.insert(surgeries).values(row).onConflictDoNothing({ target: surgeries.idempotencyKey }).returning()
    },
    async (tx, locked) => {
      await addTemplateItems(tx, scope, locked.row)
      const description = describeBooking(await withNames(tx, locked.row), scope.env.PRACTICE_TIME_ZONE)
      await updatePatientRecord(tx, scope, locked, { isBooked: true, before: null, description })
    },
  )
}
