import { codeOf, messageOf } from '../../../ui/client/api.ts'
import { type MergeField, mergeFields } from '../definition-rules.ts'

const list = new Intl.ListFormat('en-CA')

/** What to add, for fields whose description says where their value comes from. */
const sources: Partial<Record<MergeField, string>> = {
  procedure: 'a procedure',
  provider: 'a surgeon or provider',
  birth_date: 'the date of birth',
  surgery_date: 'the day of a surgery',
}

/** Why a consent form could not be given, with what its text needs. */
export function sendingProblem(error: unknown): string {
  if (codeOf(error) !== 'MISSING_VALUES') return messageOf(error)
  const { missing } = (error as { data: { missing: MergeField[] } }).data
  const details = missing.map((field) => sources[field] ?? mergeFields[field].toLowerCase())
  return `The text needs ${list.format(details)}. Add what is missing to the patient or the surgery first.`
}
