import type { HttpBindings } from '@hono/node-server'
import type { Context as HonoContext } from 'hono'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { rawRoutes } from '../kernel/access/policy.ts'
import type { Actor } from '../kernel/access/rules.ts'
import { createKeys } from '../platform/api-keys/use.ts'
import { viewRecorder } from '../platform/audit/service.ts'
import type { Attempts, CountAttempts } from '../kernel/attempts.ts'
import type { Auth } from '../platform/auth/service.ts'
import { ignoresKeys } from '../platform/idempotency/rules.ts'
import type { EncryptedStore } from '../integrations/storage/encrypted.ts'
import { respondOnce } from '../platform/idempotency/respond-once.ts'
import { refusalOf } from './api.ts'
import type { Database, IndexDatabase } from '../kernel/postgres/database.ts'
import type { Reads } from '../kernel/postgres/reads.ts'
import type { AnswerObserver } from './observe-answer.ts'
import type { Env } from '../kernel/env.ts'
import type { Events } from '../kernel/events/events.ts'
import type { LivePractice } from '../kernel/practice.ts'
import type { RecentFailure } from '../kernel/recent-failures.ts'
import type { Scope } from '../kernel/scope.ts'
import type { VendorStates } from '../kernel/vendor-states.ts'
import { createSessions } from '../platform/auth/sessions/sessions.ts'
import type { LimitUse } from '../kernel/http/limit-headers.ts'
import { foreignOrigin, getOnly, isForeignWrite } from '../kernel/http/requests.ts'

/** The long-lived resources of a process, created once at start. */
export type Runtime = {
  env: Env
  practice: LivePractice
  log: Logger
  db: Database
  indexDb: IndexDatabase
  reads: Reads
  events: Events
  auth: Auth
  countAttempts: CountAttempts
  files: EncryptedStore
  now: () => Date
  /** Whether this process has migrated the database or found it migrated, for which it waits a moment. Until then it answers no calls. */
  isMigrated: () => Promise<boolean>
  /** Whether the database responds and its migrations are up to date. */
  isReady: () => Promise<boolean>
  recentFailures: () => RecentFailure[]
  vendorStates: VendorStates
  /** By the role that they play, for those who measure them. */
  pools: Record<PoolName, Pool>
  /** Answers a scrape of metrics on the main port; null unless only METRICS_TOKEN is set. */
  respondToScrape: ((request: Request) => Promise<Response>) | null
  /** Called once for each answered request. */
  onAnswered: AnswerObserver[]
}

export const poolNames = ['requests', 'search', 'jobs'] as const
export type PoolName = (typeof poolNames)[number]

export type App = {
  Bindings: HttpBindings
  Variables: {
    requestId: string
    address: string
    /** What the browser calls itself. */
    device: string | null
    /** For the style elements of a page. */
    nonce: string
    attempts: Attempts
    /** What the request was counted against. */
    limitUses: LimitUse[]
    /** Whether the response has its headers already. */
    hasHeaders: boolean
    /** The name of the route, once it is known. */
    route?: string
    /** The account that asks, once it is known. */
    accountId?: string
  }
}

type Asked = Pick<App['Variables'], 'requestId' | 'address' | 'device' | 'attempts'>

export type RequestContext = ReturnType<typeof createRequestContext>

/** Authenticates a request: a session or an API key, a scope to work in, and the permission matrix. */
export function createRequestContext(runtime: Runtime) {
  const { env, log } = runtime
  const recordViews = viewRecorder(runtime.db)
  const sessionOf = createSessions(runtime.auth, runtime.db, runtime.events, env)
  const keyOf = createKeys(runtime.db, runtime.events, runtime.now)
  /** An API key takes precedence over any cookie. */
  const whoAsks = async (headers: Headers, asked: Asked): Promise<Actor | Response | null> =>
    (await keyOf(headers, asked)) ?? sessionOf(headers)
  const denied = (scope: Scope, route: string) => recordViews(scope, { action: 'denied', kind: route, contactIds: [] })

  const scopeFor = ({ requestId, address, device, attempts }: Asked, actor: Actor | null): Scope => {
    const who = { actor, origin: { requestId, address, device } }
    return {
      db: runtime.db,
      indexDb: runtime.indexDb,
      recentDb: runtime.reads.recentFor(actor?.id ?? null),
      latestDb: runtime.reads.latestFor(actor?.id ?? null),
      env,
      practice: runtime.practice,
      log,
      now: runtime.now,
      attempts,
      ...who,
      files: runtime.files,
      recordView: (view, patient) => recordViews(patient ? { ...who, patient } : who, view),
    }
  }

  /** A raw route for staff, because a file is transferred; under the same permission matrix. */
  const forStaff =
    (route: keyof typeof rawRoutes, answer: (scope: Scope, c: HonoContext<App>) => Promise<Response>) => async (c: HonoContext<App>) => {
      c.set('route', route)
      if (isForeignWrite(c.req.raw, env.APP_URL)) return c.json(foreignOrigin, 403)
      if (c.req.raw.method === 'HEAD') return c.json(getOnly, 405, { allow: 'GET' })
      const actor = await whoAsks(c.req.raw.headers, c.var)
      if (actor instanceof Response) return actor
      const scope = scopeFor(c.var, actor)
      if (actor) c.set('accountId', actor.id)
      const refusal = await refusalOf(scope, { route, method: c.req.method }, rawRoutes[route])
      if (!refusal) {
        const key = c.req.method === 'POST' && !ignoresKeys.has(route) ? c.req.header('idempotency-key') : undefined
        const isWrite = c.req.method !== 'GET'
        if (key === undefined) return answer(scope, c).finally(() => isWrite && runtime.reads.wrote(scope.actor!.id))
        return respondOnce(scope, c.req.raw, { route, key }, (once, request) => {
          c.req.raw = request
          return answer(once, c)
        })
      }
      if (refusal.code === 'FORBIDDEN') await denied(scope, route)
      return c.json({ code: refusal.code, message: refusal.message }, refusal.status)
    }

  return { scopeFor, whoAsks, denied, forStaff }
}
