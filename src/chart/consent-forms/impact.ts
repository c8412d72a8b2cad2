import { and, eq, inArray } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { Impact, ImpactChange } from './contract.ts'
import type { ConsentDefinition } from './definition-rules.ts'
import { selectConsents, stateOf } from './read.ts'
import { findInForce } from './required.ts'
import { coveredProcedures, type SurgeryCase, upcomingCases } from './surgeries.ts'
import { consentForms, consentTemplateVersions } from './table.ts'
import { getTemplate } from './templates.ts'

type Use = Pick<ConsentDefinition, 'use' | 'procedureIds' | 'needsCountersignature'>

/**
 * What a change of a template means for the booked surgeries whose checklist waits for consents: those that need it signed from then on, and
 * those that no longer wait for it. Null: no such template.
 */
export async function impactOf(scope: Scope, { id, change }: { id: string; change: ImpactChange }): Promise<Impact | null> {
  const template = await getTemplate(scope, id)
  if (!template) return null
  const { isActive, draft, published } = template
  const before = isActive ? (published?.definition ?? null) : null
  const after =
    change === 'publish' ? (isActive ? (draft?.definition ?? null) : null) : change === 'activate' ? (published?.definition ?? null) : null
  const cases = await upcomingCases(scope.db, scope.now())
  const given = await selectConsents(
    scope.db,
    and(
      eq(consentTemplateVersions.templateId, id),
      inArray(
        consentForms.surgeryId,
        cases.map((one) => one.id),
      ),
    ),
  )
  const lines = cases.flatMap((one) => {
    const own = given
      .filter(({ form }) => form.surgeryId === one.id && form.status !== 'cancelled')
      .map((found) => ({ state: stateOf(found) }))
    const signedAgain = own.map(({ state }) => ({ state: { ...state, resignNumber: Infinity } }))
    const isOpen = (of: Use | null, forms = own) => {
      const needed = of ? coveredProcedures(of, one.procedures).map((procedure) => procedure.id) : []
      return needed.length > 0 && findInForce(forms, needed) === undefined
    }
    const [was, is] = [isOpen(before), isOpen(after)]
    const effect =
      !was && is ? 'needed' : was && !is ? 'settled' : change === 'publish' && !was && isOpen(after, signedAgain) ? 'resigned' : null
    return effect === null ? [] : [{ ...one, effect, isSent: own.some(({ state }) => state.status === 'sent') } as const]
  })
  const shown = lines.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
  return { surgeries: await withPatients(scope, shown) }
}

async function withPatients<Line extends SurgeryCase>({ db, recordView }: Scope, lines: readonly Line[]) {
  const contactIds = [...new Set(lines.map(({ contactId }) => contactId))]
  if (contactIds.length === 0) return []
  const patients = await db
    .select({ id: contacts.id, firstName: contacts.firstName, lastName: contacts.lastName, email: contacts.email })
    .from(contacts)
    .where(inArray(contacts.id, contactIds))
  await recordView({ kind: 'consent form', contactIds })
  return lines.flatMap((line) => {
    const patient = patients.find(({ id }) => id === line.contactId)
    return patient
      ? [
          {
            ...line,
            patientName: `${patient.firstName} ${patient.lastName}`.trim(),
            email: patient.email,
            procedures: line.procedures.map(({ name }) => name),
          },
        ]
      : []
  })
}
