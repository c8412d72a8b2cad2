import { createRootRoute, createRoute, createRouter, Outlet, redirect, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { readAppointmentsSearch } from '../../care/appointments/web/page/appointments-search.ts'
import { readAuditSearch } from '../../admin/audit-log/web/audit-search.ts'
import { readListSearch } from '../../crm/contacts/web/embed/list-search.ts'
import { readPatientSearch } from '../../record/patient-search.ts'
import { readDuplicatesSearch } from '../../crm/duplicates/web/duplicates-search.ts'
import { readImportSearch } from '../../admin/imports/web/import-search.ts'
import { readInboxSearch } from '../../messages/inbox/web/inbox-search.ts'
import { readQueueSearch } from '../../crm/leads/web/queue-search.ts'
import { readEmailSearch } from '../../messages/mailbox/web/email-search.ts'
import { readMergeSearch } from '../../admin/merges/web/merge-search.ts'
import { readReceiptsSearch } from '../../billing/pos/web/receipts/receipts-search.ts'
import { readReportsSearch } from '../../insight/reports/web/reports-search.ts'
import { readSurgeriesSearch } from '../../care/surgeries/web/page/surgeries-search.ts'
import { storeCallback, readCallbackSearch } from '../../ui/client/callback.ts'
import { AppFrame } from './layout/AppFrame.tsx'
import { PageFailed } from '../../ui/layout/PageBoundary.tsx'
import { StaffGuard } from './layout/StaffGuard.tsx'
import { readTasksSearch } from '../../crm/tasks/web/page/tasks-search.ts'
import type { LazyPage } from '../../ui/client/lazy-page.ts'
import { paintFirst } from './paint-first.ts'
import { pages } from './pages.ts'
import { useSession } from '../../ui/client/session.ts'

// Pages are wrapped so a route's type does not depend on its page, whose links depend on the route types.
const shows = ({ Page, preload }: LazyPage) => ({ component: () => <Page />, staticData: { preload } })

/** The guard redirects everyone who may not see staff pages. */
function StaffFrame() {
  const { user } = useSession()
  return (
    <AppFrame leaving={user?.status !== 'active'}>
      <Outlet />
    </AppFrame>
  )
}

const root = createRootRoute({
  component: StaffFrame,
  notFoundComponent: () => <pages.notFound.Page />,
})

/** Runs before anything is rendered or requested: no history, log or other page sees the code that a provider sent. */
const keepAside =
  (to: '/qbo/callback' | '/auth/nylas/callback' | '/auth/gmail/callback') =>
  ({ search }: { search: ReturnType<typeof readCallbackSearch> }) => {
    if (storeCallback(search)) redirect({ to, replace: true, throw: true })
  }

const staff = createRoute({ getParentRoute: () => root, id: 'staff', component: StaffGuard, beforeLoad: paintFirst })

const guarded = [
  createRoute({ getParentRoute: () => staff, path: '/', ...shows(pages.dashboard) }),
  createRoute({ getParentRoute: () => staff, path: '/contacts', ...shows(pages.contacts), validateSearch: readListSearch }),
  createRoute({ getParentRoute: () => staff, path: '/contacts/new', ...shows(pages.contactForm) }),
  createRoute({
    getParentRoute: () => staff,
    path: '/contacts/duplicates',
    ...shows(pages.duplicates),
    validateSearch: readDuplicatesSearch,
  }),
  createRoute({ getParentRoute: () => staff, path: '/contacts/leads', ...shows(pages.leads), validateSearch: readQueueSearch }),
  createRoute({
    getParentRoute: () => staff,
    path: '/contacts/import',
    ...shows(pages.importStart),
    validateSearch: readImportSearch,
  }),
  createRoute({ getParentRoute: () => staff, path: '/contacts/import/$id', ...shows(pages.importOne) }),
  createRoute({ getParentRoute: () => staff, path: '/contacts/$id', ...shows(pages.contact), validateSearch: readPatientSearch }),
  createRoute({ getParentRoute: () => staff, path: '/contacts/$id/edit', ...shows(pages.contactForm) }),
  createRoute({ getParentRoute: () => staff, path: '/contacts/$id/quotes/new', ...shows(pages.quote) }),
  createRoute({ getParentRoute: () => staff, path: '/contacts/$id/quotes/$quoteId/edit', ...shows(pages.quote) }),
  createRoute({
    getParentRoute: () => staff,
    path: '/contacts/$id/merge',
    ...shows(pages.merge),
    validateSearch: readMergeSearch,
  }),
  createRoute({ getParentRoute: () => staff, path: '/tasks', ...shows(pages.tasks), validateSearch: readTasksSearch }),
  createRoute({ getParentRoute: () => staff, path: '/documents', ...shows(pages.documents) }),
  createRoute({ getParentRoute: () => staff, path: '/inbox', ...shows(pages.inbox), validateSearch: readInboxSearch }),
  createRoute({
    getParentRoute: () => staff,
    path: '/appointments',
    ...shows(pages.appointments),
    validateSearch: readAppointmentsSearch,
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/surgeries',
    ...shows(pages.surgeries),
    validateSearch: readSurgeriesSearch,
    // Appointments used to be a tab of this page: old links redirect to them.
    beforeLoad: ({ location }) => {
      const search = location.search as Record<string, unknown>
      if (search.tab === 'appointments' || search.appointment !== undefined)
        redirect({ to: '/appointments', search: readAppointmentsSearch(search), replace: true, throw: true })
    },
  }),
  createRoute({ getParentRoute: () => staff, path: '/reports', ...shows(pages.reports), validateSearch: readReportsSearch }),
  createRoute({
    getParentRoute: () => staff,
    path: '/collections',
    ...shows(pages.receipts),
    validateSearch: readReceiptsSearch,
  }),
  createRoute({ getParentRoute: () => staff, path: '/email', ...shows(pages.email), validateSearch: readEmailSearch }),
  createRoute({ getParentRoute: () => staff, path: '/settings', ...shows(pages.settings) }),
  createRoute({
    getParentRoute: () => staff,
    path: '/settings/$section',
    ...shows(pages.settings),
    // Sections can have their own filters; so far only the audit log has some.
    validateSearch: readAuditSearch,
  }),
  createRoute({ getParentRoute: () => staff, path: '/settings/$section/$item', ...shows(pages.settings) }),
] as const

/** Spec 6: a person who returns from their provider may have been signed out in the meantime; that page says so. */
const callbacks = [
  createRoute({
    getParentRoute: () => root,
    path: '/qbo/callback',
    ...shows(pages.quickbooksCallback),
    validateSearch: readCallbackSearch,
    beforeLoad: keepAside('/qbo/callback'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/auth/nylas/callback',
    ...shows(pages.mailboxCallback),
    validateSearch: readCallbackSearch,
    beforeLoad: keepAside('/auth/nylas/callback'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/auth/gmail/callback',
    ...shows(pages.mailboxCallback),
    validateSearch: readCallbackSearch,
    beforeLoad: keepAside('/auth/gmail/callback'),
  }),
] as const

/** The staff half of the product; the signed-out half is in signed-out.tsx. */
export const router = createRouter({
  routeTree: root.addChildren([staff.addChildren([...guarded]), ...callbacks]),
  defaultPreload: false,
  defaultErrorComponent: PageFailed,
  // People read URLs: a searched phone number appears as typed, not as quoted JSON.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
  // Pages scroll inside the shell: a list that restores its scroll position has a `data-scroll-restoration-id`.
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** Fetches the page's code. */
    preload?: () => Promise<unknown>
  }
}
