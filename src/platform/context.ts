import type { Auth } from './auth/service.ts'
import type { Events } from '../kernel/events/events.ts'
import type { RecentFailure } from '../kernel/recent-failures.ts'
import type { Scope } from '../kernel/scope.ts'
import type { VendorStates } from '../kernel/vendor-states.ts'

/** Context of a route: the scope for services, and what only routes need. */
export type Context = Scope & {
  auth: Auth
  events: Events
  recentFailures: () => RecentFailure[]
  vendorStates: VendorStates
  /** The name of the matched call, once it is known. */
  route: string | null
  requestHeaders: Headers
  responseHeaders: Headers
  /** Why the body is invalid for any call: not a JSON object, nested too deeply, or too many values. */
  bodyProblem: string | null
  /** Views being written to the audit log: the response waits for it. */
  views: Set<Promise<void>>
}
