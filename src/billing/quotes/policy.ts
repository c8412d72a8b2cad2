import { mayUse, permissions } from '../../kernel/access/policy.ts'
import type { Actor } from '../../kernel/access/rules.ts'

/** Who may withdraw a quote that a patient has accepted: anyone who may make a charge void, as its charge goes with it. */
export const mayUndoAcceptance = (actor: Actor | null): boolean => mayUse(permissions['collections.void'], actor)
