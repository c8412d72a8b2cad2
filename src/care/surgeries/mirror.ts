import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import type { ContactRow } from '../reservations/service.ts'
import type { Row } from './bookings.ts'
import { type MirroredCase, mirroredFields, type SurgeryFields } from './rules.ts'
import { surgeries } from './table.ts'

export const mirrorFields = ['surgicalDate', 'revenueCents'] as const satisfies (keyof SurgeryFields)[]

type Mirrored = Pick<ContactRow, 'id'> & SurgeryFields

/**
 * The columns of a locked patient that have to change so that they say when the next surgery is and what it costs. `was`: what the case that is
 * being changed was before.
 */
export async function mirrored(
  tx: Db,
  { env, now }: Pick<Scope, 'env' | 'now'>,
  contact: Mirrored,
  was: Pick<Row, 'startsAt' | 'priceCents' | 'status'> | null = null,
): Promise<Partial<SurgeryFields>> {
  const rows = await tx
    .select({ startsAt: surgeries.startsAt, priceCents: surgeries.priceCents, status: surgeries.status })
    .from(surgeries)
    .where(eq(surgeries.contactId, contact.id))
    .orderBy(asc(surgeries.startsAt), asc(surgeries.id))
  const asCase = ({ startsAt, ...row }: (typeof rows)[number]): MirroredCase => ({ ...row, day: dayAt(startsAt, env.PRACTICE_TIME_ZONE) })
  const wanted = mirroredFields(contact, rows.map(asCase), was && asCase(was), dayAt(now(), env.PRACTICE_TIME_ZONE))
  return Object.fromEntries(mirrorFields.filter((field) => contact[field] !== wanted[field]).map((field) => [field, wanted[field]]))
}
