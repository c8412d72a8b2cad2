/**
 * The paths of the staff pages (spec 2), in the notation of the browser's router, which takes them from here. Imports nothing of the visitors'
 * half: the browser would load this half with it (docs/decisions/first-load.md).
 */
export const staffPaths = {
  dashboard: '/',
  contacts: '/contacts',
  newContact: '/contacts/new',
  duplicates: '/contacts/duplicates',
  leads: '/contacts/leads',
  importStart: '/contacts/import',
  importOne: '/contacts/import/$id',
  contact: '/contacts/$id',
  editContact: '/contacts/$id/edit',
  newQuote: '/contacts/$id/quotes/new',
  editQuote: '/contacts/$id/quotes/$quoteId/edit',
  merge: '/contacts/$id/merge',
  tasks: '/tasks',
  documents: '/documents',
  inbox: '/inbox',
  appointments: '/appointments',
  surgeries: '/surgeries',
  reports: '/reports',
  receipts: '/collections',
  email: '/email',
  settings: '/settings',
  settingsSection: '/settings/$section',
  settingsItem: '/settings/$section/$item',
  help: '/help',
  helpPage: '/help/$page',
  quickbooksCallback: '/qbo/callback',
  nylasCallback: '/auth/nylas/callback',
  gmailCallback: '/auth/gmail/callback',
} as const
