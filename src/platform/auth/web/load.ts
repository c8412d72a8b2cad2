import { toast } from '../../../ui/overlays/toast.ts'
import { type ActionFormOptions, type Problems, useActionForm } from '../../../ui/forms/useActionForm.ts'

type Calls = typeof import('./calls.ts')
let calls: Calls | undefined

/**
 * The API client and validation with Zod and the common-password list. Loaded on first focus rather than with the page, so the form
 * appears immediately on a slow connection.
 */
export async function loadCalls(): Promise<Calls> {
  calls ??= await import('./calls.ts')
  return calls
}

/** For a form's onFocus. A failure shows on submit. */
export const prepareCalls = () => void loadCalls().catch(() => undefined)

interface AuthFormOptions<Values, Result> extends Pick<ActionFormOptions<Values, Result>, 'initial' | 'onDone' | 'refusals' | 'onRefused'> {
  check: (checks: Calls['checks']) => (values: Values) => Problems
  send: (client: Calls['client'], values: Values) => Promise<Result>
  /** Toast title for problems that belong to no field. */
  failed: string
}

/** A form for signed-out users that loads its validation and calls on demand. */
export function useAuthForm<Values extends object, Result>({ check, send, failed, ...options }: AuthFormOptions<Values, Result>) {
  return useActionForm<Values, Result>({
    ...options,
    load: loadCalls,
    check: (values) => (calls ? check(calls.checks)(values) : {}),
    send: async (values) => send((await loadCalls()).client, values),
    failed: (message) => toast.single('error', failed, message),
  })
}
