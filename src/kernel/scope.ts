import type { Logger } from 'pino'
import type { Actor } from './access/rules.ts'
import type { View } from './audit/rules.ts'
import type { Attempts } from './attempts.ts'
import type { FileStore } from '../integrations/storage/store.ts'
import type { Database } from './postgres/database.ts'
import type { Env } from './env.ts'
import type { LivePractice } from './practice.ts'

declare const proven: unique symbol
/** The id of a patient who has proven who they are, by a code and then by their session. What the portal reads and writes takes only this. */
export type VerifiedContactId = string & { readonly [proven]: true }

/** Where a request came from; work of the system itself has an id of its own and no address. */
export type Origin = { requestId: string; address: string | null }

/** What every service is given: who acts (null: the system, or a visitor), on which database, at what time. Never a request. */
export type Scope = {
  db: Database
  /** The same database for the contact search alone (see openIndexDatabase). */
  indexDb: Database
  actor: Actor | null
  /** In the portal: whose session it is. A patient is no actor, and may use nothing that staff use. */
  patient?: VerifiedContactId
  now: () => Date
  /** The bytes of documents. */
  files: FileStore
  origin: Origin
  /** How often something may be tried. */
  attempts: Attempts
  env: Env
  /** What the practice has set for itself, which `env` follows. */
  practice: LivePractice
  log: Logger
  /** Made of the `Idempotency-Key` of the request, for records that keep a key of their own. */
  requestKey?: string
  /**
   * Writes that a patient's data was seen. The answer waits for it, and fails if it fails: anyone who is given the promise awaits it, and a typed
   * call, whose promise is kept already, waits before its answer leaves. Never from within a transaction, as it takes a connection of its
   * own: use recordChange there.
   */
  recordView: (view: View, patient?: VerifiedContactId) => Promise<void>
}

/** The actor of a route that the permission matrix opens to staff only. */
export function staff(scope: Pick<Scope, 'actor'>): Actor {
  if (!scope.actor) throw new Error('A route for staff was reached without an actor')
  return scope.actor
}
