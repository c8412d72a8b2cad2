import { codeOf, messageOf } from '../../../ui/client/api.ts'
import { type MergeField, mergeFields } from '../definition-rules.ts'

/** Why a consent form could not be given, with what its text needs. */
export function sendingProblem(error: unknown): string {
  if (codeOf(error) !== 'MISSING_VALUES') return messageOf(error)
  const { missing } = (error as { data: { missing: MergeField[] } }).data
  return `First add what its text names: ${missing.map((field) => mergeFields[field].toLowerCase()).join(', ')}.`
}

/** Whether staff have to decide who signs. */
export const needsSigner = (error: unknown): boolean =>
  codeOf(error) === 'INVALID_REFERENCE' && 'substitute' in (error as { data: { fields: Record<string, string> } }).data.fields
