import type { Attempts } from '../features/auth/attempts.ts'
import type { Auth } from '../features/auth/service.ts'
import type { Events } from './events.ts'
import type { Scope } from './scope.ts'

/** What a route is given: the scope of its services, and what only routes need. */
export type Context = Scope & {
  auth: Auth
  attempts: Attempts
  events: Events
  requestHeaders: Headers
  responseHeaders: Headers
  /** A body was sent that is no JSON object: null, a list, a number. Its call is refused, whatever of its input is optional. */
  bodyIsNoObject: boolean
  /** What was seen and is being written to the audit log: the answer waits for it. */
  views: Set<Promise<void>>
}
