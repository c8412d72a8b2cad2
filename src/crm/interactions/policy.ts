import type { Actor } from '../../kernel/access/rules.ts'
import { seesClinicalNotes } from '../contacts/policy.ts'
import { seesAllTasks } from '../tasks/policy.ts'
import { type InteractionType, interactionTypes } from './contract.ts'

/** Entries that can contain clinical information. */
const clinicalTypes: readonly InteractionType[] = ['call', 'note', 'email', 'meeting', 'document']

/** Payments and refunds. */
const paymentTypes: readonly InteractionType[] = ['sales_receipt', 'quickbooks']

/** Whether the actor sees payments; providers do not (PRODUCT.md). The system (null) sees everything. */
export const seesPayments = (actor: Pick<Actor, 'role'> | null): boolean => actor?.role !== 'provider'

/**
 * Whether the actor sees the entries of all tasks: anyone who may see a task sees its entries (spec 6). The system (null) sees everything.
 */
export const seesAllTaskEntries = (actor: Pick<Actor, 'role'> | null): boolean => seesAllTasks(actor)

/** The entry types that the actor sees. */
export const visibleTypes = (actor: Pick<Actor, 'role'> | null): InteractionType[] =>
  interactionTypes.filter(
    (type) => (seesClinicalNotes(actor) || !clinicalTypes.includes(type)) && (seesPayments(actor) || !paymentTypes.includes(type)),
  )
