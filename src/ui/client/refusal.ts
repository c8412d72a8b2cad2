/** What a call throws when the server has answered with a refusal. */
interface Refusal extends Error {
  code: string
  status: number
  /** Whether the contract lists it. */
  defined: boolean
  data?: unknown
}

/** Known by its shape: the page that signs in starts without the API client. */
const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && 'defined' in error && 'code' in error && typeof error.code === 'string' && 'status' in error

/** The HTTP status of an error; 0 when no response arrived. */
export const statusOf = (error: unknown): number => (isRefusal(error) ? error.status : 0)

/** The code that the contract lists for a refusal, such as 'EMAIL_TAKEN'; null for anything else. */
export const codeOf = (error: unknown): string | null => (isRefusal(error) ? error.code : null)

/** Whether the server refused this very request, so that nothing was written and the next try is a new request. */
export const isDecided = (error: unknown): boolean => isRefusal(error) && error.defined && error.status !== 429

/** A sentence for the person: the server's own for an expected refusal, else what is safe to say. */
export function messageOf(error: unknown): string {
  const isExpected = isRefusal(error) && (error.defined || (error.status >= 400 && error.status < 500))
  if (isExpected && error.message) return error.message
  if (statusOf(error) === 0) return 'The connection was lost. Please try again.'
  return 'Something went wrong. Please try again.'
}

/** The messages that a refusal carries for single fields: `data.fields`, { path: message }. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const data = isRefusal(error) ? error.data : null
  if (typeof data !== 'object' || data === null || !('fields' in data)) return {}
  const { fields } = data
  if (typeof fields !== 'object' || fields === null) return {}
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
