import { personName } from '../../../shared/text-shapes.ts'
import { contactFields } from '../../../crm/contacts/contract.ts'
import { fieldOf, type ImportedField, importedFields } from '../../../crm/contacts/fields.ts'
import type { ImportField } from '../contract.ts'
import { boolean, byRule, day, option, pastDay, time } from './readers.ts'
import { isWrong, type Reader, type RowRules, wrong } from '../reading/rows.ts'
import { readCents, readInstant, splitName, splitTags } from './values.ts'
import type { Vocabulary } from './vocabulary.ts'

const maxTagLength = 60
const maxFullNameLength = 250

const amount: Reader = (text) => {
  const cents = readCents(text)
  if (cents === undefined) return wrong('This is not an amount')
  return contactFields.shape.revenueCents.safeParse(cents).success ? cents : wrong('This amount is too large')
}

/** Of the practice; `today` as 'yyyy-MM-dd'. */
interface Calendar {
  timeZone: string
  today: string
}

/** How a cell of each field is read. Of those that are stored in another form than they are written, by their kind; of the others, by the form's rule. */
function readersFor(vocabulary: Vocabulary, { timeZone, today }: Calendar): Record<ImportedField, Reader> {
  const instant: Reader = (text, order) => readInstant(text, order, timeZone)?.toISOString() ?? wrong('This is not a date')
  const readerOf = (field: ImportedField): Reader => {
    const { control, label } = fieldOf(field)
    switch (control.kind) {
      case 'stage':
        return (text) => vocabulary.stage(text) ?? wrong('Stage not found')
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
    assignedSalesRepId: (text) => vocabulary.person(text, 'assignedSalesRepId') ?? wrong('No one who may own a patient has this name'),
    assignedProviderId: (text) => vocabulary.person(text, 'assignedProviderId') ?? wrong('No provider has this name'),
  }
}

const firstNameRule = byRule(contactFields.shape.firstName)
const lastNameRule = byRule(contactFields.shape.lastName)

/** Before it is split, which would make spaces of its line breaks. Each part has a length of its own. */
const fullNameRule = byRule(personName(maxFullNameLength, 'Full name'))

/** How a row says who a patient is. */
export function patientRows(vocabulary: Vocabulary, calendar: Calendar): RowRules {
  const readers: Partial<Record<ImportField, Reader>> = readersFor(vocabulary, calendar)
  return {
    kind: 'patients',
    cell({ field, header, order }, text, draft) {
      if (field === 'tags') {
        draft.tags = splitTags(text)
        const long = draft.tags.find((tag) => tag.length > maxTagLength)
        if (long) draft.refuse(header, long, `A tag has at most ${maxTagLength} characters`)
      } else if (field === 'fullName') {
        const whole = fullNameRule(text, order)
        if (isWrong(whole)) {
          draft.given.add('firstName').add('lastName')
          return draft.refuse(header, text, whole.wrong)
        }
        const { firstName, lastName } = splitName(text)
        if (firstName) draft.take('firstName', header, firstName, firstNameRule(firstName, order))
        if (lastName) draft.take('lastName', header, lastName, lastNameRule(lastName, order))
      } else if (field === 'leadSource' || field === 'procedureOfInterest') {
        const checked = readers[field]!(text, order)
        if (isWrong(checked)) draft.refuse(header, text, checked.wrong)
        else Object.assign(draft.values, field === 'leadSource' ? vocabulary.source(text) : vocabulary.procedure(text))
      } else draft.take(field === 'funnelStage' ? 'funnelStageId' : field, header, text, readers[field]!(text, order))
    },
    end(draft, headerOf) {
      const { given, values } = draft
      const missing = (['firstName', 'lastName'] as const).find((field) => !given.has(field))
      if (!missing) return
      const whole = headerOf('fullName')
      const reason = missing === 'firstName' ? 'First name is required' : 'Last name is required'
      draft.refuse(whole || headerOf(missing), whole && typeof values.firstName === 'string' ? values.firstName : '', reason)
    },
    nameOf: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' '),
  }
}
