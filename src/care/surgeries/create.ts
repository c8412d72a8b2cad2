import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { bookings } from './bookings.ts'
import { clashOf, problemsOf, proceduresOf } from './check.ts'
import { addTemplateItems } from './checklist.ts'
import { follow, named } from './follow.ts'
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

/** Books a surgery, once for a key: the same key for something else is refused. Its checklist is what the templates say. */
export function createSurgery(scope: Scope, given: NewSurgery) {
  const { minutes: _, procedureIds, ...wanted } = given
  return bookings.book(
    scope,
    given,
    async (tx, columns, take) => {
      const procedures = await proceduresOf(tx, procedureIds, [])
      if (isRefusal(procedures)) return procedures
      const row = { ...wanted, ...columns, procedures }
      const refused = (await problemsOf(tx, row, null)) ?? (await clashOf(tx, row))
      if (refused) return refused
      await take({ ...row, providerId: row.surgeonId })
      return tx.insert(surgeries).values(row).onConflictDoNothing({ target: surgeries.idempotencyKey }).returning()
    },
    async (tx, locked) => {
      await addTemplateItems(tx, scope, locked.row)
      const description = describeBooking(await named(tx, locked.row), scope.env.PRACTICE_TIME_ZONE)
      await follow(tx, scope, locked, { isBooked: true, was: null, description })
    },
  )
}
