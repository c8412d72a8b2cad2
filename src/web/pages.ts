import { lazyPage } from './lazy-page.ts'

/** The staff pages, each loaded by itself. The default export of a file is the page. */
export const pages = {
  dashboard: lazyPage(() => import('../features/dashboard/web/DashboardPage.tsx')),
  reports: lazyPage(() => import('../features/reports/web/ReportsPage.tsx')),
  notFound: lazyPage(() => import('./layout/NotFound.tsx')),
  contacts: lazyPage(() => import('../features/contacts/web/list/ListPage.tsx')),
  contact: lazyPage(() => import('../features/contacts/web/record/RecordPage.tsx')),
  duplicates: lazyPage(() => import('../features/duplicates/web/DuplicatesPage.tsx')),
  leads: lazyPage(() => import('../features/leads/web/QueuePage.tsx')),
  quote: lazyPage(() => import('../features/quotes/web/editor/QuotePage.tsx')),
  merge: lazyPage(() => import('../features/merges/web/MergePage.tsx')),
  importStart: lazyPage(() => import('../features/imports/web/ImportStartPage.tsx')),
  importOne: lazyPage(() => import('../features/imports/web/ImportPage.tsx')),
  tasks: lazyPage(() => import('../features/tasks/web/page/TasksPage.tsx')),
  inbox: lazyPage(() => import('../features/inbox/web/InboxPage.tsx')),
  email: lazyPage(() => import('../features/mailbox/web/EmailPage.tsx')),
  documents: lazyPage(() => import('../features/documents/web/review/ReviewPage.tsx')),
  receipts: lazyPage(() => import('../features/pos/web/receipts/ReceiptsPage.tsx')),
  appointments: lazyPage(() => import('../features/appointments/web/page/AppointmentsPage.tsx')),
  surgeries: lazyPage(() => import('../features/surgeries/web/page/SurgeriesPage.tsx')),
  settings: lazyPage(() => import('../features/settings/web/SettingsPage.tsx')),
  quickbooksCallback: lazyPage(() => import('../features/quickbooks/web/CallbackPage.tsx')),
  mailboxCallback: lazyPage(() => import('../features/mailbox/web/CallbackPage.tsx')),
  contactForm: lazyPage(() => import('../features/contacts/web/form/ContactFormPage.tsx')),
}
