import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import type { ContactRow } from '../reservations/service.ts'
import type { Row } from './bookings.ts'
import { type CaseSummary, nextSurgeryFields, type SurgeryFields } from './rules.ts'
import { surgeries } from './table.ts'

export const surgeryFields = ['surgicalDate', 'revenueCents'] as const satisfies (keyof SurgeryFields)[]

type PatientFields = Pick<ContactRow, 'id'> & SurgeryFields

/**
 * The changes that a locked patient's record needs to show the date and price of the next surgery. `before`: the case being changed, before
 * the change.
 */
export async function surgeryFieldChanges(
  tx: Db,
  { env, now }: Pick<Scope, 'env' | 'now'>,
  contact: PatientFields,
  before: Pick<Row, 'startsAt' | 'priceCents' | 'status'> | null = null,
): Promise<Partial<SurgeryFields>> {
  const rows = await tx
    .select({ startsAt: surgeries.startsAt, priceCents: surgeries.priceCents, status: surgeries.status })
    .from(surgeries)
    .where(eq(surgeries.contactId, contact.id))
    .orderBy(asc(surgeries.startsAt), asc(surgeries.id))
  const toCase = ({ startsAt, ...row }: (typeof rows)[number]): CaseSummary => ({ ...row, day: dayAt(startsAt, env.PRACTICE_TIME_ZONE) })
  const wanted = nextSurgeryFields(contact, rows.map(toCase), before && toCase(before), dayAt(now(), env.PRACTICE_TIME_ZONE))
  return Object.fromEntries(surgeryFields.filter((field) => contact[field] !== wanted[field]).map((field) => [field, wanted[field]]))
}
