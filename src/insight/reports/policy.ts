import type { Actor } from '../../kernel/access/rules.ts'
import type { SavedReport } from './saved-contract.ts'

type Saved = Pick<SavedReport, 'ownerId' | 'isShared'>

/** A shared report opens for everyone who reads reports, a private one for the person who saved it. */
export const maySeeSaved = (actor: Pick<Actor, 'id'>, { ownerId, isShared }: Saved): boolean => isShared || ownerId === actor.id

/** The person who saved it; administrators may put shared ones in order, since their makers leave. */
export const mayChangeSaved = (actor: Pick<Actor, 'id' | 'role'>, { ownerId, isShared }: Saved): boolean =>
  ownerId === actor.id || (isShared && actor.role === 'admin')
