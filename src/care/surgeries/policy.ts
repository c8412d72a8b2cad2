import type { Actor, Role } from '../../kernel/access/rules.ts'

/**
 * Who may tick an item of a checklist, take the tick back, or take it off: what a provider sees to waits for a clinical judgement, everything
 * else for anyone who works with cases.
 */
export const maySeeTo = (actor: Pick<Actor, 'role'> | null, ownerRole: Role): boolean =>
  ownerRole !== 'provider' || actor?.role === 'provider' || actor?.role === 'admin'
