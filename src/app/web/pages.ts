import { lazyPage } from '../../ui/client/lazy-page.ts'

/** The staff pages, each loaded separately. A file's default export is the page. */
export const pages = {
  dashboard: lazyPage(() => import('../../insight/dashboard/web/DashboardPage.tsx')),
  reports: lazyPage(() => import('../../insight/reports/web/ReportsPage.tsx')),
  notFound: lazyPage(() => import('./layout/NotFound.tsx')),
  contacts: lazyPage(() => import('../../crm/contacts/web/list/ListPage.tsx')),
  contact: lazyPage(() => import('../../record/RecordPage.tsx')),
  duplicates: lazyPage(() => import('../../crm/duplicates/web/DuplicatesPage.tsx')),
  leads: lazyPage(() => import('../../crm/leads/web/QueuePage.tsx')),
  quote: lazyPage(() => import('../../billing/quotes/web/editor/QuotePage.tsx')),
  note: lazyPage(() => import('../../chart/notes/web/NotePage.tsx')),
  merge: lazyPage(() => import('../../admin/merges/web/MergePage.tsx')),
  importStart: lazyPage(() => import('../../admin/imports/web/ImportStartPage.tsx')),
  importOne: lazyPage(() => import('../../admin/imports/web/ImportPage.tsx')),
  tasks: lazyPage(() => import('../../crm/tasks/web/page/TasksPage.tsx')),
  inbox: lazyPage(() => import('../../messages/inbox/web/InboxPage.tsx')),
  email: lazyPage(() => import('../../messages/mailbox/web/EmailPage.tsx')),
  documents: lazyPage(() => import('../../documents/web/review/ReviewPage.tsx')),
  receipts: lazyPage(() => import('../../billing/pos/web/receipts/ReceiptsPage.tsx')),
  appointments: lazyPage(() => import('../../care/appointments/web/page/AppointmentsPage.tsx')),
  surgeries: lazyPage(() => import('../../care/surgeries/web/page/SurgeriesPage.tsx')),
  help: lazyPage(() => import('../help/web/HelpPage.tsx')),
  settings: lazyPage(() => import('../../admin/settings/web/SettingsPage.tsx')),
  quickbooksCallback: lazyPage(() => import('../../billing/quickbooks/web/CallbackPage.tsx')),
  mailboxCallback: lazyPage(() => import('../../messages/mailbox/web/CallbackPage.tsx')),
  contactForm: lazyPage(() => import('../../crm/contacts/web/form/ContactFormPage.tsx')),
}
