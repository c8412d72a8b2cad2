import type { Actor } from '../access/rules.ts'

/** One's own imports; an administrator sees everybody's. */
export const seesAllImports = (actor: Pick<Actor, 'role'>): boolean => actor.role === 'admin'
