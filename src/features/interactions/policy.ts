import type { Actor } from '../access/rules.ts'
import { seesClinicalNotes } from '../contacts/policy.ts'
import { type InteractionType, interactionTypes } from './contract.ts'

/** What people wrote about a patient's care. */
const clinicalTypes: readonly InteractionType[] = ['call', 'note', 'email', 'meeting', 'document']

/** The kinds of interaction that this member of staff sees. */
export const visibleTypes = (actor: Pick<Actor, 'role'> | null): InteractionType[] =>
  interactionTypes.filter((type) => seesClinicalNotes(actor) || !clinicalTypes.includes(type))
