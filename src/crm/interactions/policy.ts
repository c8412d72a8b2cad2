import type { Actor } from '../../kernel/access/rules.ts'
import { seesClinicalNotes } from '../contacts/policy.ts'
import { seesAllTasks } from '../tasks/policy.ts'
import { type InteractionType, interactionTypes } from './contract.ts'

/** What people wrote about a patient's care. */
const clinicalTypes: readonly InteractionType[] = ['call', 'note', 'email', 'meeting', 'document']

/** What was paid, and given back. */
const paymentTypes: readonly InteractionType[] = ['sales_receipt', 'quickbooks']

/** Product: providers see no payments. The system itself (null) sees all. */
export const seesPayments = (actor: Pick<Actor, 'role'> | null): boolean => actor?.role !== 'provider'

/** Spec 6: what happened with a task is for anyone who may see the task. The system itself (null) sees all. */
export const seesAllTaskEntries = (actor: Pick<Actor, 'role'> | null): boolean => seesAllTasks(actor)

/** The kinds of interaction that this member of staff sees. */
export const visibleTypes = (actor: Pick<Actor, 'role'> | null): InteractionType[] =>
  interactionTypes.filter(
    (type) => (seesClinicalNotes(actor) || !clinicalTypes.includes(type)) && (seesPayments(actor) || !paymentTypes.includes(type)),
  )
