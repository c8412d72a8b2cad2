import type { Actor } from '../../kernel/access/rules.ts'
import type { Contact } from './contact-contract.ts'
import { type ClinicalField, clinicalFields, isClinical, isOfKind } from './derived-fields.ts'

/** The clinical fields with empty values, and no word of a chart. */
const hidden = {
  ...(Object.fromEntries(clinicalFields.map((name) => [name, isOfKind(name, 'tick') ? false : null])) as Pick<Contact, ClinicalField>),
  weightLossFromChart: false,
}

/** Whether this staff member may see and change clinical notes. The system itself (null) may. */
export const seesClinicalNotes = (actor: Pick<Actor, 'role'> | null): boolean => actor?.role !== 'billing'

/** The clinical fields among `fields` that the actor may not change. */
export function refusedFields(actor: Pick<Actor, 'role'> | null, fields: readonly string[]): string[] {
  return seesClinicalNotes(actor) ? [] : fields.filter(isClinical)
}

/** The contact as this staff member may see it. */
export function visibleContact<Row extends Contact>(actor: Pick<Actor, 'role'> | null, row: Row): Row {
  return seesClinicalNotes(actor) ? row : { ...row, ...hidden }
}
