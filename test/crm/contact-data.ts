import { isOfKind, type StoredField, storedFields } from '../../src/crm/contacts/derived-fields.ts'
import type { ContactData } from '../../src/crm/contacts/web/embed/contact-data.ts'

const emptyValue = (name: StoredField): unknown => (isOfKind(name, 'tick') ? false : isOfKind(name, 'emails', 'phones') ? [] : null)

/** The fields of an empty contact as the browser receives them, for fields that a test does not care about. */
export const emptyFields = Object.fromEntries(storedFields.map((name) => [name, emptyValue(name)])) as Pick<ContactData, StoredField>
