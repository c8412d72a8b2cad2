import { useCallback } from 'react'
import { mayUse, permissions, rawRoutes, type Route } from '../../kernel/access/policy.ts'
import { useSession } from './session.ts'

/** Whether the signed-in user may make a call, by the server's permission matrix: the interface hides what a role may not do. */
export function usePermission(): (route: Route) => boolean {
  const { user } = useSession()
  return useCallback(
    (route) => mayUse({ ...permissions, ...rawRoutes }[route], user && { ...user, name: user.fullName, sessionId: '' }),
    [user],
  )
}
