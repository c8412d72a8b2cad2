import { mayMake } from '../../crm/bulk-changes/policy.ts'
import { seesClinicalNotes } from '../../crm/contacts/policy.ts'
import { seesAllImports } from '../imports/policy.ts'
import { seesPayments } from '../../crm/interactions/policy.ts'
import { maySettle } from '../../billing/pos/policy.ts'
import { mayUndoAcceptance } from '../../billing/quotes/policy.ts'
import { mayChangeSaved, mayReadReport } from '../../insight/reports/policy.ts'
import { mayChangeView } from '../../crm/saved-views/policy.ts'
import { mayEdit, maySign } from '../../chart/notes/policy.ts'
import { mayChangeLayer } from '../../chart/photos/policy.ts'
import { seesEntry } from '../../chart/health/policy.ts'
import { mayAddException } from '../../care/availability/policy.ts'
import { mayCompleteItem } from '../../care/surgeries/policy.ts'
import { seesAllTasks } from '../../crm/tasks/policy.ts'
import { mayUse, permissions } from '../../kernel/access/policy.ts'
import type { Actor, Role } from '../../kernel/access/rules.ts'

/** Describes which rows and fields a role cannot see or change, from the policies of the features. */
export function limitsOf(role: Role): string[] {
  const actor: Actor = { id: 'one', sessionId: '', name: '', email: '', role, status: 'active' }
  const may = (call: keyof typeof permissions) => mayUse(permissions[call], actor)
  const shared = { ownerId: 'another', isShared: true }
  const note = { status: 'draft', authorId: 'another', needsCosign: false, signedBy: null, cosignedBy: null } as const
  return [
    !seesAllTasks(actor) && 'Tasks: only those assigned to them',
    !seesClinicalNotes(actor) && 'No clinical notes: not in the record, history, timeline, reports or exports',
    !seesPayments(actor) && 'No payments on the timeline',
    !mayMake(actor, { kind: 'delete', forGood: false }) && 'Bulk changes: cannot delete patients',
    may('pos.retry') && !maySettle(actor, 'refund') && 'Pending refunds: view only',
    may('notes.save') && !mayEdit(actor, note) && 'Clinical notes: can edit only their own drafts',
    may('notes.sign') && !maySign(actor, note) && 'Clinical notes: can sign only their own drafts and those of administrators',
    may('photos.changeLayer') && !mayChangeLayer(actor, { authorId: 'another' }) && 'Markup on photos: can change only their own layers',
    may('health.get') && !seesEntry(actor, { kind: 'medication' }) && 'Chart: only allergies and alerts',
    may('surgeries.changeItem') && !mayCompleteItem(actor, 'provider') && 'Surgery checklists: cannot tick items for providers',
    may('availability.addException') &&
      !mayAddException(actor, { profileId: 'another', kind: 'off' }) &&
      'Hours and time off: can enter only their own time off',
    may('quotes.withdraw') && !mayUndoAcceptance(actor) && 'Quotes: cannot withdraw an accepted quote',
    may('imports.list') && !seesAllImports(actor) && 'Imports: only their own',
    !mayChangeView(actor, shared) && 'Views shared by others: view only',
    may('reports.run') && !mayReadReport(actor, 'leads') && 'Reports: only infections and returns',
    may('reports.run') && !mayReadReport(actor, 'complications') && 'Reports: no infections and returns',
    may('reports.saved') && !mayChangeSaved(actor, shared) && 'Reports shared by others: view only',
  ].filter((limit) => limit !== false)
}
