import { eq, inArray } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import { inLanguage, type Language } from '../../shared/translations.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { frenchProcedures } from '../../crm/procedures/service.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { ConsentDefinition } from './definition-rules.ts'
import type { MergeValues } from './rules.ts'

/** A surgery as far as consent forms depend on it. */
export interface SurgeryCase {
  id: string
  contactId: string
  procedures: { id: string; name: string }[]
  surgeonId: string | null
  startsAt: Date
}

/** The surgeries with these ids. Filled by surgeries, which belong to a later domain. */
export const findCases = slot<(db: Db, ids: readonly string[]) => Promise<SurgeryCase[]>>('findCases')

/** Surgeries that are booked, are not over, and whose checklist is not complete without their consents. Filled like findCases. */
export const upcomingCases = slot<(db: Db, now: Date) => Promise<SurgeryCase[]>>('upcomingCases')

export async function findCase(db: Db, id: string | null): Promise<SurgeryCase | null> {
  const [found] = id === null ? [] : await findCases(db, [id])
  return found ?? null
}

type Use = Pick<ConsentDefinition, 'use' | 'procedureIds'>

/** The procedures of a surgery that a consent form has to cover; none if the surgery does not require it. */
export function coveredProcedures<Procedure extends { id: string }>({ use, procedureIds }: Use, ofCase: readonly Procedure[]): Procedure[] {
  if (use === 'photos') return []
  return use === 'every_surgery' ? [...ofCase] : ofCase.filter(({ id }) => procedureIds.includes(id))
}

type Patient = typeof contacts.$inferSelect

/** What the texts name now, and the procedures among that. Without a surgery: the procedure and provider in the patient's record. */
export async function currentValues(
  db: Db,
  scope: Pick<Scope, 'env'>,
  { contactId, surgeryId, definition }: { contactId: string; surgeryId: string | null; definition: ConsentDefinition },
): Promise<{ values: MergeValues; procedureIds: string[]; patient: Patient }> {
  const { env } = scope
  const [patient] = await db.select().from(contacts).where(eq(contacts.id, contactId))
  const found = await findCase(db, surgeryId)
  const french = await frenchProcedures(db)
  const covered = found ? coveredProcedures(definition, found.procedures) : await proceduresOfRecord(db, patient!, definition)
  const joined = (named: readonly { id: string | null; name: string }[], language: Language) =>
    named.map(({ id, name }) => inLanguage(language, name, french.find((one) => one.id === id)?.nameFr ?? null)).join(', ')
  const providerId = found?.surgeonId ?? patient!.assignedProviderId
  const [provider] = providerId ? await db.select({ name: profiles.name }).from(profiles).where(eq(profiles.id, providerId)) : []
  return {
    patient: patient!,
    procedureIds: covered.flatMap(({ id }) => id ?? []),
    values: {
      patientName: `${patient!.firstName} ${patient!.lastName}`.trim(),
      birthDate: patient!.dateOfBirth,
      procedure: covered.length > 0 ? { en: joined(covered, 'en'), fr: joined(covered, 'fr') } : null,
      provider: provider?.name ?? null,
      surgeryDate: found ? dayAt(found.startsAt, env.PRACTICE_TIME_ZONE) : null,
      practiceName: env.PRACTICE_NAME,
    },
  }
}

/**
 * The procedure that the patient is interested in, or the only one of the consent form. None if the form has several: no one consents to all of
 * them, so a form that names the procedure cannot be sent before it is known.
 */
async function proceduresOfRecord(db: Db, { procedureId, procedureText }: Patient, { use, procedureIds }: Use) {
  const wanted =
    procedureId && (use !== 'procedures' || procedureIds.includes(procedureId))
      ? [procedureId]
      : procedureIds.length === 1
        ? procedureIds
        : []
  const named = await db.select({ id: procedures.id, name: procedures.name }).from(procedures).where(inArray(procedures.id, wanted))
  return named.length > 0 || !procedureText ? named : [{ id: null, name: procedureText }]
}
