import { fieldLabels, isOfKind } from '../../crm/contacts/derived-fields.ts'
import { importedFields, importSynonyms } from '../../crm/contacts/file-fields.ts'
import type { ColumnRules } from './column-rules.ts'
import { importFields } from './contract.ts'

const ownLabels: Record<string, string> = { fullName: 'Full name', tags: 'Tags' }

/** Patient columns as exported by HubSpot, Salesforce, Jane and others. */
export const patientColumns: ColumnRules = {
  labels: new Map(importFields.patients.map((field) => [field, ownLabels[field] ?? fieldLabels[field] ?? field])),
  dates: importedFields.filter((field) => isOfKind(field, 'day', 'moment')),
  synonyms: {
    ...Object.fromEntries(importedFields.map((field) => [field, importSynonyms(field)])),
    fullName: ['name', 'contact name', 'patient', 'patient name', 'client', 'client name', 'customer name', 'lead name', 'contact'],
    tags: ['tag', 'labels', 'label', 'lists', 'groups', 'segments'],
  },
  problem(fields) {
    const [hasFull, hasFirst, hasLast] = [fields.has('fullName'), fields.has('firstName'), fields.has('lastName')]
    if (hasFull && (hasFirst || hasLast)) return 'Choose either the full name or the first and last name'
    return hasFull || (hasFirst && hasLast) ? null : 'Choose the columns for the first and last name, or one for the full name'
  },
}
