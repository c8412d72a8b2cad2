import { mayUse, permissions } from '../../kernel/access/policy.ts'
import type { Actor } from '../../kernel/access/rules.ts'

/** Who may withdraw an accepted quote: users who may void a charge, because its charge is voided too. */
export const mayUndoAcceptance = (actor: Actor | null): boolean => mayUse(permissions['collections.void'], actor)
