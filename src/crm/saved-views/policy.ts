import type { Actor } from '../../kernel/access/rules.ts'
import type { SavedView } from './contract.ts'

type View = Pick<SavedView, 'ownerId' | 'isShared'>

/** Everyone in the clinic may open a shared view, only its owner a private one. */
export const maySeeView = (actor: Pick<Actor, 'id'>, { ownerId, isShared }: View): boolean => isShared || ownerId === actor.id

/** The owner may change a view, and administrators shared ones, because owners may leave the clinic. */
export const mayChangeView = (actor: Pick<Actor, 'id' | 'role'>, { ownerId, isShared }: View): boolean =>
  ownerId === actor.id || (isShared && actor.role === 'admin')
