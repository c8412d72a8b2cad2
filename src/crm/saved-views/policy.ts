import type { Actor } from '../../kernel/access/rules.ts'
import type { SavedView } from './contract.ts'

type View = Pick<SavedView, 'ownerId' | 'isShared'>

/** A shared view opens for everyone in the clinic, a private one for the person who made it. */
export const maySeeView = (actor: Pick<Actor, 'id'>, { ownerId, isShared }: View): boolean => isShared || ownerId === actor.id

/** The person who made it; administrators may put shared ones in order, since their makers leave. */
export const mayChangeView = (actor: Pick<Actor, 'id' | 'role'>, { ownerId, isShared }: View): boolean =>
  ownerId === actor.id || (isShared && actor.role === 'admin')
