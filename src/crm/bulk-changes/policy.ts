import { type ApiRoute, mayCall } from '../../kernel/access/policy.ts'
import type { Actor } from '../../kernel/access/rules.ts'
import type { BulkChange, Selection } from './contract.ts'

/** The API call that makes the same change to a single patient. */
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

/** Whether the actor may make or undo this change: only if they may make it to a single patient. */
export const mayMake = (actor: Actor, change: BulkChange): boolean => mayCall(actor, singleCall(change), 'POST')

/** Whether the actor may select patients this way. A filter reveals how many match, so it requires permission to list patients. */
export const maySelect = (actor: Actor, selection: Selection): boolean => 'ids' in selection || mayCall(actor, 'contacts.list', 'GET')
