import type { Logger } from 'pino'
import type { Actor } from './access/rules.ts'
import type { View } from './audit/rules.ts'
import type { Attempts } from './attempts.ts'
import type { EncryptedStore } from '../integrations/storage/encrypted.ts'
import type { Database, IndexDatabase } from './postgres/database.ts'
import type { Env } from './env.ts'
import type { LivePractice } from './practice.ts'

declare const proven: unique symbol
/** The id of a patient verified by a code and a session. The portal's reads and writes only accept this type. */
export type VerifiedContactId = string & { readonly [proven]: true }

/** Where a request came from. Background work has its own id and no address. */
export type Origin = { requestId: string; address: string | null; /** The browser, as it names itself. */ device?: string | null }

/** The context of every service call: actor (null for the system or a visitor), database, clock and more, but never the request. */
export type Scope = {
  db: Database
  /** For reports, exports and the audit log: a replica that is at most a few seconds old, or `db` (see kernel/postgres/reads.ts). */
  recentDb: Database
  /** For the dashboard and totals: a replica that has every change this process has heard of, or `db`. */
  latestDb: Database
  /** The same database, only for the contact search (see openIndexDatabase). */
  indexDb: IndexDatabase
  actor: Actor | null
  /** In the portal: the session's patient. A patient is not an actor and cannot use staff calls. */
  patient?: VerifiedContactId
  now: () => Date
  /** Storage of documents. */
  files: EncryptedStore
  origin: Origin
  /** Rate limits. */
  attempts: Attempts
  env: Env
  /** The practice's settings, which `env` reflects. */
  practice: LivePractice
  log: Logger
  /** Derived from the request's `Idempotency-Key`, for records that store a key. */
  requestKey?: string
  /**
   * Records in the audit log that a patient's data was viewed. The response waits for it and fails if it fails: await the promise, except
   * in a typed call, which collects it and waits before responding. Do not use it in a transaction, because it needs its own connection:
   * use recordChange there.
   */
  recordView: (view: View, patient?: VerifiedContactId) => Promise<void>
}

/** The actor of a route that the permission matrix opens to staff only. */
export function staff(scope: Pick<Scope, 'actor'>): Actor {
  if (!scope.actor) throw new Error('A route for staff was reached without an actor')
  return scope.actor
}
