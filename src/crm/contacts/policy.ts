import type { Actor } from '../../kernel/access/rules.ts'
import type { Contact } from './contract.ts'

/** What only those who treat or advise patients see: product decision "billing: contacts (no clinical notes)". */
export const clinicalFields = [
  'notes',
  'weightLossMedication',
  'requiresSpecialistConsult',
  'specialistConsultType',
  'specialistConsultReason',
  'specialistResultsReceived',
  'specialistResultsDate',
  'specialistNotes',
  // What a form said in fields of its own may be anything.
  'metadata',
] as const satisfies (keyof Contact)[]

/** Whether this member of staff sees and changes clinical notes. The system itself (null) does. */
export const seesClinicalNotes = (actor: Pick<Actor, 'role'> | null): boolean => actor?.role !== 'billing'

/** The clinical fields among those that someone who may not see them wants to change. */
export function refusedFields(actor: Pick<Actor, 'role'> | null, fields: readonly string[]): string[] {
  return seesClinicalNotes(actor) ? [] : fields.filter((field) => (clinicalFields as readonly string[]).includes(field))
}

/** The contact as this member of staff may see it. */
export function visibleContact<Row extends Contact>(actor: Pick<Actor, 'role'> | null, row: Row): Row {
  if (seesClinicalNotes(actor)) return row
  return {
    ...row,
    notes: null,
    weightLossMedication: null,
    requiresSpecialistConsult: false,
    specialistConsultType: null,
    specialistConsultReason: null,
    specialistResultsReceived: false,
    specialistResultsDate: null,
    specialistNotes: null,
    metadata: null,
  }
}
