import { fieldLabels, importedFields, importSynonyms, isOfKind } from '../../crm/contacts/fields.ts'
import type { ColumnRules } from './column-rules.ts'
import { importFields } from './contract.ts'

const ownLabels: Record<string, string> = { fullName: 'Full name', tags: 'Tags' }

/** Columns of patients, as HubSpot, Salesforce, Jane and others export them. */
export const patientColumns: ColumnRules = {
  labels: new Map(importFields.patients.map((field) => [field, ownLabels[field] ?? fieldLabels[field] ?? field])),
  dates: importedFields.filter((field) => isOfKind(field, 'day', 'moment')),
  synonyms: {
    ...Object.fromEntries(importedFields.map((field) => [field, importSynonyms(field)])),
    fullName: ['name', 'contact name', 'patient', 'patient name', 'client', 'client name', 'customer name', 'lead name', 'contact'],
    tags: ['tag', 'labels', 'label', 'lists', 'groups', 'segments'],
  },
  problem(fields) {
    const [hasWhole, hasFirst, hasLast] = [fields.has('fullName'), fields.has('firstName'), fields.has('lastName')]
    if (hasWhole && (hasFirst || hasLast)) return 'Choose either the whole name or its parts'
    return hasWhole || (hasFirst && hasLast) ? null : 'Choose the columns of the first and the last name, or the one of the whole name'
  },
}
