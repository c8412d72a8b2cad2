import { type ApiRoute, mayCall } from '../../kernel/access/policy.ts'
import type { Actor } from '../../kernel/access/rules.ts'
import type { BulkChange, Selection } from './contract.ts'

/** The call that makes the same change to a single patient. */
function singleCall(change: BulkChange): ApiRoute {
  switch (change.kind) {
    case 'delete':
      return 'contacts.delete'
    case 'tag':
      return change.on ? 'contacts.addTag' : 'contacts.removeTag'
    case 'stage':
    case 'owner':
    case 'provider':
    case 'followUp':
    case 'source':
    case 'procedure':
      return 'contacts.update'
  }
}

/** Whether someone may make this change, or undo it: only what they may do to patients one by one. */
export const mayMake = (actor: Actor, change: BulkChange): boolean => mayCall(actor, singleCall(change), 'POST')

/** Whether someone may choose patients this way: a filter tells how many match, so it takes the right to list them. */
export const maySelect = (actor: Actor, selection: Selection): boolean => 'ids' in selection || mayCall(actor, 'contacts.list', 'GET')
