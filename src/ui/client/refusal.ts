/** Error thrown by a call that the server refused. */
interface Refusal extends Error {
  code: string
  status: number
  /** Whether the contract lists it. */
  defined: boolean
  data?: unknown
}

/** Detected by shape: the sign-in page loads without the API client. */
const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && 'defined' in error && 'code' in error && typeof error.code === 'string' && 'status' in error

/** HTTP status of an error; 0 without a response. */
export const statusOf = (error: unknown): number => (isRefusal(error) ? error.status : 0)

/** Contract code of a refusal, such as 'EMAIL_TAKEN'; null for anything else. */
export const codeOf = (error: unknown): string | null => (isRefusal(error) ? error.code : null)

/** Whether the server refused this request, so nothing was written and the next try is a new request. */
export const isDecided = (error: unknown): boolean => isRefusal(error) && error.defined && error.status !== 429

/** Whether a response with this status has a message for people: a refusal, or an outage, which says its cause. */
export const hasMessage = (status: number): boolean => (status >= 400 && status < 500) || status === 503

/** Message for the user: the server's for an expected refusal or an outage, otherwise a safe generic one. */
export function messageOf(error: unknown): string {
  const isExpected = isRefusal(error) && (error.defined || hasMessage(error.status))
  if (isExpected && error.message) return error.message
  if (statusOf(error) === 0) return 'The connection was lost. Please try again.'
  return 'Something went wrong. Please try again.'
}

/** Field messages of a refusal: `data.fields`, { path: message }. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const data = isRefusal(error) ? error.data : null
  if (typeof data !== 'object' || data === null || !('fields' in data)) return {}
  const { fields } = data
  if (typeof fields !== 'object' || fields === null) return {}
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Message for a dialog without fields: the first field's, otherwise `messageOf`. */
export const reasonOf = (error: unknown): string => Object.values(fieldErrorsOf(error))[0] ?? messageOf(error)

/** Problems of a form that renders only these fields: those of other fields are under `form`. */
export function placeProblems(problems: Readonly<Record<string, string>>, fields: readonly string[]): Record<string, string> {
  const isShown = ([field]: [string, string]) => fields.includes(field)
  const others = Object.entries(problems).filter((entry) => !isShown(entry))
  const shown = Object.fromEntries(Object.entries(problems).filter(isShown))
  return others.length > 0 ? { ...shown, form: others.map(([, message]) => message).join('. ') } : shown
}
