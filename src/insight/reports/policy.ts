import type { Actor } from '../../kernel/access/rules.ts'
import type { SavedReport } from './saved-contract.ts'

type Saved = Pick<SavedReport, 'ownerId' | 'isShared'>

/** A shared report is visible to everyone with access to reports, a private one only to its owner. */
export const maySeeSaved = (actor: Pick<Actor, 'id'>, { ownerId, isShared }: Saved): boolean => isShared || ownerId === actor.id

/** The owner; administrators may also change shared reports, since owners leave. */
export const mayChangeSaved = (actor: Pick<Actor, 'id' | 'role'>, { ownerId, isShared }: Saved): boolean =>
  ownerId === actor.id || (isShared && actor.role === 'admin')
