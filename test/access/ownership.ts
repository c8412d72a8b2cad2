import type { Route } from '../../src/kernel/access/policy.ts'

/**
 * The owner of the rows that each call and route accesses. Public ones, which authenticate with a link, a code, a key or a signature, are
 * left out. A test compares this with the access matrix, so a new call has to be added here.
 */
export const ownership = {
  /** Rows of one person, requested by other users of each role: rows.test.ts. */
  // prettier-ignore
  rows: [
    'account.sessions', 'account.endSession',
    'bulkChanges.get', 'bulkChanges.current', 'bulkChanges.cancel', 'bulkChanges.undo',
    'dashboard.get',
    'imports.sendFile', 'imports.errors', 'imports.list', 'imports.get', 'imports.files', 'imports.check', 'imports.findings', 'imports.run', 'imports.cancel', 'imports.undo',
    'imports.discard',
    'interactions.list',
    'mailbox.upload', 'mailbox.drafts', 'mailbox.draft', 'mailbox.saveDraft', 'mailbox.deleteDraft', 'mailbox.removeFile', 'mailbox.sendDraft',
    'notifications.unread', 'notifications.list', 'notifications.read', 'notifications.markUnread',
    'reports.saved', 'reports.change', 'reports.delete', 'reports.restore', 'reports.schedule', 'reports.unschedule',
    'savedViews.list', 'savedViews.get', 'savedViews.update', 'savedViews.delete', 'savedViews.restore',
    'tasks.export', 'tasks.list', 'tasks.counts', 'tasks.week', 'tasks.ofContact', 'tasks.get', 'tasks.update', 'tasks.complete', 'tasks.snooze',
    'tasks.changeMany', 'tasks.undo',
  ],
  /** The current user's own data. rows.test.ts checks that no other user's rows change. */
  // prettier-ignore
  oneself: [
    'account.updateProfile', 'account.endOtherSessions', 'account.twoFactor', 'account.beginTwoFactor', 'account.confirmTwoFactor',
    'account.renewRecoveryCodes', 'account.turnOffTwoFactor',
    'auth.activity', 'auth.stepUp', 'auth.proof', 'auth.signOut',
    'bulkChanges.start', 'bulkChanges.deletions',
    'calendarFeeds.mine', 'calendarFeeds.create', 'calendarFeeds.revoke',
    'events.subscribe',
    'imports.upload', 'imports.template',
    'mailbox.mail', 'mailbox.attachment', 'mailbox.connection', 'mailbox.test', 'mailbox.connect', 'mailbox.disconnect', 'mailbox.newMessages', 'mailbox.folders',
    'mailbox.threads', 'mailbox.thread', 'mailbox.changeThread', 'mailbox.link', 'mailbox.unlink',
    'notifications.readAll', 'notifications.preferences', 'notifications.setPreference',
    'reports.save',
    'savedViews.create',
  ],
  /** Callbacks from another system, with the `state` of the user who started it: connection.test.ts of QuickBooks and of the mailbox. */
  state: ['mailbox.finish', 'quickbooks.finish'],
  /** Data of the practice: a role with access can access every row (policy.test.ts checks it with rows without an owner). */
  // prettier-ignore
  practice: [
    'access.roles',
    'apiKeys.list', 'apiKeys.create', 'apiKeys.revoke',
    'appointments.export', 'appointments.list', 'appointments.ofContact', 'appointments.get', 'appointments.correspondence', 'appointments.book',
    'appointments.change', 'appointments.setStatus', 'appointments.openings',
    'audit.export', 'audit.list', 'audit.get', 'audit.seen', 'audit.printed',
    'collections.export', 'collections.statement', 'collections.outstanding', 'collections.account', 'collections.addCharge', 'collections.setPlan', 'collections.apply',
    'collections.applyAll', 'collections.release', 'collections.writeOff', 'collections.void', 'collections.promise', 'collections.hold',
    'collections.reminder', 'collections.remind', 'collections.outstandingCount',
    'connections.list', 'connections.test',
    'consent.get', 'consent.record', 'consent.withdraw',
    'contacts.export', 'contacts.list', 'contacts.count', 'contacts.tally', 'contacts.find', 'contacts.board', 'contacts.boardColumn',
    'contacts.batch', 'contacts.byStage', 'contacts.bySource', 'contacts.byEmail', 'contacts.withWelcomeTag', 'contacts.get', 'contacts.create',
    'contacts.update', 'contacts.delete', 'contacts.mergePreview', 'contacts.merge', 'contacts.merges', 'contacts.undoMerge',
    'contacts.stageHistory', 'contacts.history', 'contacts.tags', 'contacts.addTag', 'contacts.removeTag',
    'documents.upload', 'documents.file', 'documents.preview', 'documents.list', 'documents.waiting', 'documents.waitingCount', 'documents.update',
    'documents.review', 'documents.delete', 'documents.restore',
    'duplicates.list', 'duplicates.ofContact', 'duplicates.similar', 'duplicates.dismiss', 'duplicates.restore',
    'emailTemplates.frame', 'emailTemplates.list', 'emailTemplates.get', 'emailTemplates.create', 'emailTemplates.update', 'emailTemplates.delete',
    'emailTemplates.duplicate', 'emailTemplates.preview',
    'inbox.attachment', 'inbox.mail', 'inbox.export', 'inbox.unreadCount', 'inbox.unread', 'inbox.unreadOfContact', 'inbox.conversations',
    'inbox.conversation', 'inbox.start', 'inbox.reply', 'inbox.resend', 'inbox.addNote', 'inbox.change', 'inbox.link', 'inbox.markRead',
    'inbox.markUnread', 'inbox.markContactRead', 'inbox.markSenderRead', 'inbox.markConversationRead', 'inbox.markAllRead',
    'interactions.create', 'interactions.pinned', 'interactions.pin', 'interactions.unpin',
    'leadSources.list', 'leadSources.get', 'leadSources.create', 'leadSources.update', 'leadSources.rotateKey', 'leadSources.move', 'leadSources.delete',
    'leads.entries', 'leads.retry', 'leads.queue', 'leads.queueCounts', 'leads.complete', 'leads.discard', 'leads.restore', 'leads.fields', 'leads.mapFields',
    'people.list', 'people.accounts', 'people.update', 'people.resetTwoFactor', 'people.invitations', 'people.invite', 'people.resendInvitation',
    'people.withdrawInvitation',
    'pipeline.stages', 'pipeline.stageCounts', 'pipeline.addStage', 'pipeline.changeStage', 'pipeline.moveStage', 'pipeline.mergeStage',
    'pos.export', 'pos.pdf', 'pos.searchCustomers', 'pos.createCustomer', 'pos.updateCustomerEmail', 'pos.customerOfContact', 'pos.searchItems',
    'pos.accounts', 'pos.taxCodes', 'pos.classes', 'pos.createReceipt', 'pos.pending', 'pos.receipts', 'pos.receiptTotals', 'pos.receiptChoices',
    'pos.receipt', 'pos.refund', 'pos.receiptAddresses', 'pos.emailReceipt', 'pos.retry', 'pos.cancel', 'pos.findContacts', 'pos.addContact',
    'pos.logInteraction',
    'practice.uploadLogo', 'practice.locations', 'practice.addLocation', 'practice.changeLocation', 'practice.rooms', 'practice.settings', 'practice.changeSettings', 'practice.removeLogo', 'practice.addRoom',
    'practice.changeRoom', 'practice.hours', 'practice.setHours',
    'procedures.list', 'procedures.create', 'procedures.update', 'procedures.priceList', 'procedures.setPriceList', 'procedures.uses', 'procedures.move', 'procedures.delete',
    'quickbooks.status', 'quickbooks.connect', 'quickbooks.disconnect', 'quickbooks.refresh',
    'quotes.pdf', 'quotes.ofContact', 'quotes.choices', 'quotes.get', 'quotes.create', 'quotes.change', 'quotes.revise', 'quotes.send',
    'quotes.accept', 'quotes.decline', 'quotes.withdraw', 'quotes.quotedItems',
    'reports.export', 'reports.choices', 'reports.run', 'reports.records',
    'retention.list', 'retention.set', 'retention.count',
    'surgeries.export', 'surgeries.list', 'surgeries.ofContact', 'surgeries.get', 'surgeries.create', 'surgeries.change', 'surgeries.setStatus',
    'surgeries.addItem', 'surgeries.changeItem', 'surgeries.removeItem', 'surgeries.templates', 'surgeries.addTemplate', 'surgeries.changeTemplate',
    'surgeries.deleteTemplate',
    'tags.list', 'tags.create', 'tags.counts', 'tags.rename', 'tags.merge', 'tags.delete',
    'tasks.assignable', 'tasks.create', 'tasks.delete',
    'webhooks.list', 'webhooks.create', 'webhooks.change', 'webhooks.rotateSecret', 'webhooks.delete', 'webhooks.test', 'webhooks.deliveries',
    'webhooks.retry',
    'wholeRecords.outline', 'wholeRecords.file',
  ],
} as const satisfies Record<string, readonly Route[]>
