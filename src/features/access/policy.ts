import type { ApiRoute } from '../api/contract.ts'
import { type Actor, type Role, roles } from './rules.ts'

/** `public`: anyone. `signed-in`: any account with a session, pending ones too. Else the roles that may. */
export type Access = 'public' | 'signed-in' | readonly Role[]

const everyone = roles
const sales = ['admin', 'sales_rep'] as const
/** Those who see clinical notes. */
const clinicians = ['admin', 'sales_rep', 'provider', 'front_desk'] as const
const admin = ['admin'] as const

/** Routes that are not typed calls: intake from outside, health, files. The server refuses to serve one that is not listed. */
export const rawRoutes = {
  'leads.intake': 'public',
  'health.live': 'public',
  'health.ready': 'public',
  'api.document': 'public',
  'api.reader': 'public',
  'web.assets': 'public',
  'contacts.export': sales,
  'imports.upload': sales,
  'imports.errors': sales,
} as const satisfies Record<string, Access>

/**
 * The permission matrix: every call of the API and who may use it. Deny by default: a call that is missing here does not compile,
 * and one that is listed nowhere is refused.
 */
export const permissions = {
  'auth.session': 'public',
  'auth.signIn': 'public',
  'auth.signUp': 'public',
  'auth.signOut': 'signed-in',
  'auth.requestPasswordReset': 'public',
  'auth.updatePassword': 'public',
  'auth.verifyEmail': 'public',
  'auth.resendVerification': 'public',
  'auth.createFirstAdmin': 'public',
  'auth.setupState': 'public',
  'people.list': everyone,
  'people.accounts': admin,
  'people.update': admin,
  'events.subscribe': everyone,
  'pipeline.stages': everyone,
  'leadSources.list': everyone,
  'leadSources.create': admin,
  'leadSources.update': admin,
  'leadSources.rotateKey': admin,
  'leadSources.delete': admin,
  'procedures.list': everyone,
  'procedures.create': admin,
  'procedures.delete': admin,
  'tags.list': everyone,
  'tags.create': everyone,
  'tags.delete': admin,
  'contacts.list': everyone,
  'contacts.count': everyone,
  'contacts.tally': everyone,
  'contacts.find': everyone,
  'contacts.board': everyone,
  'contacts.boardColumn': everyone,
  'contacts.batch': sales,
  'contacts.byStage': everyone,
  'contacts.bySource': everyone,
  'contacts.byEmail': everyone,
  'contacts.withWelcomeTag': everyone,
  'contacts.get': everyone,
  'contacts.create': everyone,
  'contacts.update': everyone,
  'contacts.delete': sales,
  'contacts.mergePreview': sales,
  'contacts.merge': sales,
  'contacts.merges': sales,
  'contacts.undoMerge': sales,
  'contacts.stageHistory': everyone,
  'contacts.tags': everyone,
  'contacts.addTag': everyone,
  'contacts.removeTag': everyone,
  'bulkChanges.start': everyone,
  'bulkChanges.get': everyone,
  'bulkChanges.current': everyone,
  'bulkChanges.deletions': sales,
  'bulkChanges.cancel': everyone,
  'bulkChanges.undo': everyone,
  'dashboard.get': everyone,
  'duplicates.list': sales,
  'duplicates.similar': everyone,
  'duplicates.dismiss': sales,
  'duplicates.restore': sales,
  'imports.list': sales,
  'imports.get': sales,
  'imports.check': sales,
  'imports.findings': sales,
  'imports.run': sales,
  'imports.cancel': sales,
  'imports.undo': sales,
  'imports.discard': sales,
  'interactions.list': everyone,
  'interactions.create': everyone,
  'interactions.pinned': everyone,
  'interactions.pin': clinicians,
  'interactions.unpin': clinicians,
  'leads.entries': sales,
  'savedViews.list': everyone,
  'savedViews.get': everyone,
  'savedViews.create': everyone,
  'savedViews.update': everyone,
  'savedViews.delete': everyone,
  'savedViews.restore': everyone,
  'tasks.list': everyone,
  'tasks.counts': everyone,
  'tasks.week': everyone,
  'tasks.ofContact': everyone,
  'tasks.assignable': everyone,
  'tasks.get': everyone,
  'tasks.create': everyone,
  'tasks.update': everyone,
  'tasks.delete': sales,
  'tasks.complete': everyone,
  'tasks.snooze': everyone,
  'tasks.changeMany': everyone,
  'tasks.undo': everyone,
  'notifications.unread': everyone,
  'notifications.list': everyone,
  'notifications.read': everyone,
  'notifications.unreadAgain': everyone,
  'notifications.readAll': everyone,
  'notifications.preferences': everyone,
  'notifications.setPreference': everyone,
} as const satisfies Record<ApiRoute, Access>

/** Whether `actor` may use what `access` guards. A pending or disabled account has no role to speak of. */
export function mayUse(access: Access, actor: Actor | null): boolean {
  if (access === 'public') return true
  if (!actor || actor.status === 'disabled') return false
  if (access === 'signed-in') return true
  return actor.status === 'active' && access.includes(actor.role)
}
