import { personName } from '../../../shared/text-shapes.ts'
import { contactFields } from '../../../crm/contacts/contact-contract.ts'
import { fieldOf } from '../../../crm/contacts/derived-fields.ts'
import { type ImportedField, importedFields } from '../../../crm/contacts/file-fields.ts'
import type { ImportField } from '../contract.ts'
import { boolean, byRule, day, option, pastDay, time } from './readers.ts'
import { isInvalid, type Reader, type RowRules, invalid } from '../reading/rows.ts'
import { readCents, readInstant, splitName, splitTags } from './values.ts'
import type { Vocabulary } from './vocabulary.ts'

const maxTagLength = 60
const maxFullNameLength = 250

const amount: Reader = (text) => {
  const cents = readCents(text)
  if (cents === undefined) return invalid('This is not an amount')
  return contactFields.shape.revenueCents.safeParse(cents).success ? cents : invalid('This amount is too large')
}

/** The practice's calendar; `today` as 'yyyy-MM-dd'. */
interface Calendar {
  timeZone: string
  today: string
}

/** The parser of each field: by its kind if it is stored in another form than it is written, else the rule of the form. */
function readersFor(vocabulary: Vocabulary, { timeZone, today }: Calendar): Record<ImportedField, Reader> {
  const instant: Reader = (text, order) => readInstant(text, order, timeZone)?.toISOString() ?? invalid('This is not a date')
  const readerOf = (field: ImportedField): Reader => {
    const { control, label } = fieldOf(field)
    switch (control.kind) {
      case 'stage':
        return (text) => vocabulary.stage(text) ?? invalid('Stage not found')
      case 'moment':
        return instant
      case 'tick':
        return boolean
      case 'amount':
        return amount
      case 'day':
        return control.until === 'today' ? pastDay(today, label) : day
      case 'choice':
        return option(control.options)
      case 'time':
        return time
      default:
        return byRule(contactFields.shape[field])
    }
  }
  return {
    ...(Object.fromEntries(importedFields.map((field) => [field, readerOf(field)])) as Record<ImportedField, Reader>),
    assignedSalesRepId: (text) =>
      vocabulary.person(text, 'assignedSalesRepId') ?? invalid('No staff member who can own a patient has this name'),
    assignedProviderId: (text) => vocabulary.person(text, 'assignedProviderId') ?? invalid('No provider has this name'),
  }
}

const firstNameRule = byRule(contactFields.shape.firstName)
const lastNameRule = byRule(contactFields.shape.lastName)

/** Applied before the name is split, which would turn line breaks into spaces. Each part also has its own maximum length. */
const fullNameRule = byRule(personName(maxFullNameLength, 'Full name'))

/** The parsing rules for rows of patients. */
export function patientRows(vocabulary: Vocabulary, calendar: Calendar): RowRules {
  const readers: Partial<Record<ImportField, Reader>> = readersFor(vocabulary, calendar)
  return {
    kind: 'patients',
    cell({ field, header, order }, text, draft) {
      if (field === 'tags') {
        draft.tags = splitTags(text)
        const long = draft.tags.find((tag) => tag.length > maxTagLength)
        if (long) draft.addProblem(header, long, `A tag can have at most ${maxTagLength} characters`)
      } else if (field === 'fullName') {
        const fullName = fullNameRule(text, order)
        if (isInvalid(fullName)) {
          draft.given.add('firstName').add('lastName')
          return draft.addProblem(header, text, fullName.invalid)
        }
        const { firstName, lastName } = splitName(text)
        if (firstName) draft.set('firstName', header, firstName, firstNameRule(firstName, order))
        if (lastName) draft.set('lastName', header, lastName, lastNameRule(lastName, order))
      } else if (field === 'leadSource' || field === 'procedureOfInterest') {
        const checked = readers[field]!(text, order)
        if (isInvalid(checked)) draft.addProblem(header, text, checked.invalid)
        else Object.assign(draft.values, field === 'leadSource' ? vocabulary.source(text) : vocabulary.procedure(text))
      } else draft.set(field === 'funnelStage' ? 'funnelStageId' : field, header, text, readers[field]!(text, order))
    },
    end(draft, headerOf) {
      const { given, values } = draft
      const missing = (['firstName', 'lastName'] as const).find((field) => !given.has(field))
      if (!missing) return
      const fullName = headerOf('fullName')
      const reason = missing === 'firstName' ? 'First name is required' : 'Last name is required'
      draft.addProblem(fullName || headerOf(missing), fullName && typeof values.firstName === 'string' ? values.firstName : '', reason)
    },
    nameOf: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' '),
  }
}
