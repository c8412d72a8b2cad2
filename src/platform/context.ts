import type { Auth } from './auth/service.ts'
import type { Events } from '../kernel/events/events.ts'
import type { Scope } from '../kernel/scope.ts'

/** What a route is given: the scope of its services, and what only routes need. */
export type Context = Scope & {
  auth: Auth
  events: Events
  requestHeaders: Headers
  responseHeaders: Headers
  /** Why the body cannot be any call's input, whatever of it is optional: it is not a JSON object, or nested too deeply, or has too many values. */
  bodyProblem: string | null
  /** What was seen and is being written to the audit log: the answer waits for it. */
  views: Set<Promise<void>>
}
