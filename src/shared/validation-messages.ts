import { z } from 'zod'

type Issue = Parameters<NonNullable<NonNullable<Parameters<typeof z.config>[0]>['customError']>>[0]

/** Labels of fields whose API names differ from the screens. */
const labels: Record<string, string> = {
  assigneeIds: 'Assignee',
  city: 'City',
  dueTimeConstraint: 'Time',
  number: 'Card number',
  otp: 'Code',
  qbItemId: 'Item',
  qty: 'Quantity',
  Qty: 'Quantity',
  state: 'Province or state',
  words: 'Description',
  zipCode: 'Postal code',
}

/** A field's label for messages: 'contactId' is 'Contact', 'lines.0.unitPriceCents' is 'Unit price', 'TaxCodeRef.value' is 'Tax code'. */
export function labelOf(path: readonly PropertyKey[] | undefined): string {
  const names = (path ?? []).filter((key) => typeof key === 'string')
  const name = names.findLast((key) => key !== 'value') ?? names.at(-1)
  if (name === undefined) return 'This'
  if (Object.hasOwn(labels, name)) return labels[name]!
  const words = name
    .replace(/(?<=.)(Ids?|Cents|Ref)$/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase()
  return words === '' || !/^[\w ]{1,60}$/.test(words) ? 'This' : words.charAt(0).toUpperCase() + words.slice(1)
}

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
}

const formats: Record<string, string> = {
  date: 'must be a date like 2026-11-24',
  datetime: 'must be a date and time like 2026-11-24T09:00:00Z',
  time: 'must be a time like 09:00',
  email: 'must be an email address',
  url: 'must be a web address that starts with http:// or https://',
}

const units: Record<string, string> = { string: 'characters', array: 'entries', set: 'entries', map: 'entries' }
const count = (value: number | bigint) => value.toLocaleString('en-CA')
/** Maximum number of choices listed in a message. */
const maxChoices = 12

const isMissing = (issue: Issue) => issue.input === undefined || (issue.input === null && issue.code === 'invalid_type')

/** Whether a label is plural, such as a list's: 'Line items'. */
const isPlural = (issue: Issue, label: string): boolean => {
  const isList = (issue.code === 'invalid_type' && issue.expected === 'array') || (issue.code === 'too_small' && issue.origin === 'array')
  return isList && /[^s]s$/.test(label)
}

/** The message for an unknown field. The client chose the name, so an unusual one is not repeated. */
export const unknownField = (name: string): string =>
  /^\w{1,60}$/.test(name) ? `The field ${name} is not known` : 'This field is not known'

/** A message that names the field, for schemas without their own message (spec 5: 'Title is required'). */
function plainIssue(issue: Issue): string {
  const label = labelOf(issue.path)
  const required = `${label} ${isPlural(issue, label) ? 'are' : 'is'} required`
  if (isMissing(issue)) return required
  switch (issue.code) {
    case 'invalid_type':
      return Object.hasOwn(types, issue.expected) ? `${label} must be ${types[issue.expected]}` : `${label} is not valid`
    case 'too_small':
      if (issue.origin in units) {
        if (Number(issue.minimum) <= 1) return required
        return `${label} must have at least ${count(issue.minimum)} ${units[issue.origin]}`
      }
      return issue.origin === 'date' ? `${label} is too early` : `${label} must be ${count(issue.minimum)} or more`
    case 'too_big':
      if (issue.origin in units) return `${label} must have at most ${count(issue.maximum)} ${units[issue.origin]}`
      return issue.origin === 'date' ? `${label} is too late` : `${label} must be ${count(issue.maximum)} or less`
    case 'invalid_format':
      return `${label} ${Object.hasOwn(formats, issue.format) ? formats[issue.format] : 'is not valid'}`
    case 'not_multiple_of':
      return `${label} must be a multiple of ${issue.divisor}`
    case 'invalid_value':
      return issue.values.length <= maxChoices
        ? `${label} must be ${issue.values.length > 1 ? 'one of: ' : ''}${issue.values.map(String).join(', ')}`
        : `${label} is not one of the choices`
    case 'unrecognized_keys':
      return unknownField(issue.keys[0] ?? '')
    default:
      return `${label} is not valid`
  }
}

/** Sets these messages for all schemas in this process. */
export const applyPlainIssues = (): void => void z.config({ customError: plainIssue })
