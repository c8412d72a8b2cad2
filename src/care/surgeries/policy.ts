import type { Actor, Role } from '../../kernel/access/rules.ts'

/**
 * Whether an account may tick, untick or remove a checklist item. Provider items need a clinical judgement; anyone who works with cases may
 * complete the others.
 */
export const mayCompleteItem = (actor: Pick<Actor, 'role'> | null, ownerRole: Role): boolean =>
  ownerRole !== 'provider' || actor?.role === 'provider' || actor?.role === 'admin'
