import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../kernel/database.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { holdContact } from '../appointments/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { type Overlap, unlessTaken } from '../reservations/service.ts'
import { clashOf, type FieldErrors, problemsOf, proceduresOf } from './check.ts'
import { addTemplateItems } from './checklist.ts'
import { type Surgery, surgeryMessages } from './contract.ts'
import { follow, named } from './follow.ts'
import { getSurgery } from './read.ts'
import type { Anaesthesia } from './rules.ts'
import { surgeries } from './table.ts'
import { describeBooking } from './labels.ts'

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

type Created = Surgery | FieldErrors | Overlap | 'key-reused'

/** Books a surgery, once for a key: the same key for something else is refused. Its checklist is what the templates say. */
export async function createSurgery(scope: Scope, { idempotencyKey, ...given }: NewSurgery): Promise<Created> {
  const payloadHash = createHash('sha256').update(JSON.stringify(given)).digest('hex')
  const { minutes, procedureIds, ...wanted } = given
  const endsAt = new Date(wanted.startsAt.getTime() + minutes * 60_000)

  /** What the key stands for already. */
  const again = async (tx: Db): Promise<Surgery | 'key-reused' | null> => {
    const [row] = await tx
      .select({ id: surgeries.id, payloadHash: surgeries.payloadHash })
      .from(surgeries)
      .where(eq(surgeries.idempotencyKey, idempotencyKey))
    return row ? (row.payloadHash === payloadHash ? getSurgery(tx, scope, row.id) : 'key-reused') : null
  }

  return unlessTaken(scope, async (tx, take): Promise<Created> => {
    const contact = await holdContact(tx, wanted.contactId)
    // Looked for once the patient is locked: the same click may have come twice at once.
    const known = await again(tx)
    if (known) return known
    if (!contact) return { invalid: { contactId: surgeryMessages.noPatient } }
    const procedures = await proceduresOf(tx, procedureIds, [])
    if ('invalid' in procedures) return procedures
    const invalid = await problemsOf(tx, wanted, null)
    if (invalid) return invalid

    const [id, now] = [uuidv7(), scope.now()]
    const clash = await clashOf(tx, { ...wanted, id, endsAt })
    if (clash) return clash
    await take({ ...wanted, id, endsAt, providerId: wanted.surgeonId })
    const [row] = await tx
      .insert(surgeries)
      .values({
        ...wanted,
        procedures,
        id,
        endsAt,
        idempotencyKey,
        payloadHash,
        createdBy: staff(scope).id,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing({ target: surgeries.idempotencyKey })
      .returning()
    if (!row) return (await again(tx))!
    await addTemplateItems(tx, scope, row)
    await recordChange(tx, scope, { action: 'created', kind: 'surgery', contactIds: [contact.id], after: row })
    const told = describeBooking(await named(tx, row), scope.env.PRACTICE_TIME_ZONE)
    await follow(tx, scope, { row, contact }, { isBooked: true, was: null, told })
    return (await getSurgery(tx, scope, id))!
  })
}
