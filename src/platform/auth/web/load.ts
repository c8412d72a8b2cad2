import { toast } from '../../../ui/overlays/toast.ts'
import { type ActionFormOptions, type Problems, useActionForm } from '../../../ui/forms/useActionForm.ts'

type Calls = typeof import('./calls.ts')
let calls: Calls | undefined

/**
 * The API client and the forms' checks with Zod and the list of common passwords. They come with the first focus of a field, not with the page:
 * someone on a slow line sees the form at once.
 */
export async function loadCalls(): Promise<Calls> {
  calls ??= await import('./calls.ts')
  return calls
}

/** For a form's onFocus. A failure shows when the form is sent. */
export const prepareCalls = () => void loadCalls().catch(() => undefined)

interface AuthFormOptions<Values, Result> extends Pick<ActionFormOptions<Values, Result>, 'initial' | 'onDone' | 'refusals' | 'onRefused'> {
  check: (checks: Calls['checks']) => (values: Values) => Problems
  send: (client: Calls['client'], values: Values) => Promise<Result>
  /** The title of the toast about what belongs to no field. */
  failed: string
}

/** A form of someone who is not signed in: its checks and calls are loaded with it. */
export function useAuthForm<Values extends object, Result>({ check, send, failed, ...options }: AuthFormOptions<Values, Result>) {
  return useActionForm<Values, Result>({
    ...options,
    load: loadCalls,
    check: (values) => (calls ? check(calls.checks)(values) : {}),
    send: async (values) => send((await loadCalls()).client, values),
    failed: (message) => toast.single('error', failed, message),
  })
}
