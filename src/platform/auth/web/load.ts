import type { FieldValues, Resolver } from 'react-hook-form'
import { lazyResolver } from '../../../ui/lazy-resolver.ts'

/**
 * The API client and the forms' checks with Zod and the list of common passwords. They come with the first focus of a field, not with the page:
 * someone on a slow line sees the form at once.
 */
export const loadCalls = () => import('./calls.ts')

/** For a form's onFocus. A failure shows when the form is sent. */
export const prepareCalls = () => void loadCalls().catch(() => undefined)

type Checks = Awaited<ReturnType<typeof loadCalls>>['checks']

export function check<In extends FieldValues, Out>(choose: (checks: Checks) => Resolver<In, unknown, Out>): Resolver<In, unknown, Out> {
  return lazyResolver(async () => choose((await loadCalls()).checks))
}
