import { mayMake } from '../../crm/bulk-changes/policy.ts'
import { seesClinicalNotes } from '../../crm/contacts/policy.ts'
import { seesAllImports } from '../imports/policy.ts'
import { seesPayments } from '../../crm/interactions/policy.ts'
import { maySettle } from '../../billing/pos/policy.ts'
import { mayUndoAcceptance } from '../../billing/quotes/policy.ts'
import { mayChangeSaved } from '../../insight/reports/policy.ts'
import { mayChangeView } from '../../crm/saved-views/policy.ts'
import { maySeeTo } from '../../care/surgeries/policy.ts'
import { seesAllTasks } from '../../crm/tasks/policy.ts'
import { mayUse, permissions } from '../../kernel/access/policy.ts'
import type { Actor, Role } from '../../kernel/access/rules.ts'

/** What a role's calls hold back by the row or the field, from the features' own policies, in words. */
export function limitsOf(role: Role): string[] {
  const actor: Actor = { id: 'one', sessionId: '', name: '', email: '', role, status: 'active' }
  const may = (call: keyof typeof permissions) => mayUse(permissions[call], actor)
  const shared = { ownerId: 'another', isShared: true }
  return [
    !seesAllTasks(actor) && 'Tasks: only those assigned to them, on every screen',
    !seesClinicalNotes(actor) && 'No clinical notes: not in the record or its history, on the timeline, in reports or in files',
    !seesPayments(actor) && 'No payments on the timeline',
    !mayMake(actor, { kind: 'delete', forGood: false }) && 'Many patients at once: not deleting them',
    may('pos.retry') && !maySettle(actor, 'refund') && 'Refunds that wait: view only',
    may('surgeries.changeItem') && !maySeeTo(actor, 'provider') && 'Checklists of surgeries: not ticking what a provider sees to',
    may('quotes.withdraw') && !mayUndoAcceptance(actor) && 'Quotes: not withdrawing one that was accepted',
    may('imports.list') && !seesAllImports(actor) && 'Imports: only those they began',
    !mayChangeView(actor, shared) && 'Shared views of others: opening only',
    may('reports.saved') && !mayChangeSaved(actor, shared) && 'Shared reports of others: opening only',
  ].filter((limit) => limit !== false)
}
