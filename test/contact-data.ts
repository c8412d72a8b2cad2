import { isOfKind, type StoredField, storedFields } from '../src/crm/contacts/fields.ts'
import type { ContactData } from '../src/crm/contacts/web/embed/contact-data.ts'

const emptyValue = (name: StoredField): unknown => (isOfKind(name, 'tick') ? false : isOfKind(name, 'emails', 'phones') ? [] : null)

/** The fields of a contact as the browser has them, with nothing filled in: for those that a test does not care about. */
export const emptyFields = Object.fromEntries(storedFields.map((name) => [name, emptyValue(name)])) as Pick<ContactData, StoredField>
