import { mayUse, permissions } from '../access/policy.ts'
import type { Actor } from '../access/rules.ts'
import type { BulkChange } from './contract.ts'

/** Whether somebody may make this change, or take it back: whoever may not delete one patient may not delete many. */
export const mayMake = (actor: Actor, change: BulkChange): boolean =>
  change.kind !== 'delete' || mayUse(permissions['contacts.delete'], actor)
