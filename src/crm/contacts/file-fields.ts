/** The fields in files: their order, which are exported and imported, and the headers that name them. */
import { type ContactFieldName, type FieldWith, contactFieldNames, fieldOf } from './derived-fields.ts'

/** Items in `order`; each item missing there follows its predecessor in `all`. */
function inOrder<Item>(order: readonly Item[], all: readonly Item[]): Item[] {
  const placed = order.filter((item) => all.includes(item))
  for (const [index, item] of all.entries()) {
    if (!placed.includes(item)) placed.splice(index === 0 ? 0 : placed.indexOf(all[index - 1]!) + 1, 0, item)
  }
  return placed
}

/** The order of file columns. Fields not listed here follow their predecessor in the declaration. */
const fileOrder: readonly ContactFieldName[] = [
  'firstName',
  'lastName',
  'email',
  'otherEmails',
  'phone',
  'otherPhones',
  'funnelStage',
  'leadSource',
  'procedureOfInterest',
  'assignedSalesRepId',
  'assignedProviderId',
  'nextFollowUpDate',
  'lastContactDate',
  'consentToCommunicate',
  'status',
  'address',
  'city',
  'state',
  'zipCode',
  'company',
  'title',
  'notes',
  'revenueCents',
  'surgicalDate',
  'appointmentDate',
  'appointmentTime',
  'appointmentLocation',
  'weightLossMedication',
  'requiresSpecialistConsult',
  'specialistConsultType',
  'specialistConsultReason',
  'specialistResultsReceived',
  'specialistResultsDate',
  'specialistNotes',
  'importSource',
]
const fileFields = inOrder(fileOrder, contactFieldNames)

export type ExportedField = Exclude<ContactFieldName, FieldWith<{ export: false }>>
export const exportedFields = fileFields.filter((name): name is ExportedField => fieldOf(name).export !== false)
export type ImportedField = Exclude<ContactFieldName, FieldWith<{ import: false }>>
export const importedFields = fileFields.filter((name): name is ImportedField => fieldOf(name).import !== false)
export const importSynonyms = (name: ImportedField): readonly string[] => fieldOf(name).import || []
