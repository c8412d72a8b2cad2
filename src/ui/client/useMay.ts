import { useCallback } from 'react'
import { mayUse, permissions, rawRoutes, type Route } from '../../kernel/access/policy.ts'
import { useSession } from './session.ts'

/** Whether who is signed in may use a call, by the server's own matrix: what a role may not do is not shown. */
export function useMay(): (route: Route) => boolean {
  const { user } = useSession()
  return useCallback(
    (route) => mayUse({ ...permissions, ...rawRoutes }[route], user && { ...user, name: user.fullName, sessionId: '' }),
    [user],
  )
}
