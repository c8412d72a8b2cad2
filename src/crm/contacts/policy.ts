import type { Actor } from '../../kernel/access/rules.ts'
import type { Contact } from './contract.ts'
import { type ClinicalField, clinicalFields, isClinical, isOfKind } from './fields.ts'

/** Each as if there were nothing in it. */
const hidden = Object.fromEntries(clinicalFields.map((name) => [name, isOfKind(name, 'tick') ? false : null])) as Pick<
  Contact,
  ClinicalField
>

/** Whether this member of staff sees and changes clinical notes. The system itself (null) does. */
export const seesClinicalNotes = (actor: Pick<Actor, 'role'> | null): boolean => actor?.role !== 'billing'

/** The clinical fields among those that someone who may not see them wants to change. */
export function refusedFields(actor: Pick<Actor, 'role'> | null, fields: readonly string[]): string[] {
  return seesClinicalNotes(actor) ? [] : fields.filter(isClinical)
}

/** The contact as this member of staff may see it. */
export function visibleContact<Row extends Contact>(actor: Pick<Actor, 'role'> | null, row: Row): Row {
  return seesClinicalNotes(actor) ? row : { ...row, ...hidden }
}
