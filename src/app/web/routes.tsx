import { createRootRoute, createRoute, createRouter, Outlet, redirect, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { readAdverseEventsSearch } from '../../care/adverse-events/web/adverse-events-search.ts'
import { readWaitingListSearch } from '../../care/waiting-list/web/waiting-list-search.ts'
import { readAppointmentsSearch } from '../../care/appointments/web/page/appointments-search.ts'
import { readAuditSearch } from '../../admin/audit-log/web/audit-search.ts'
import { readListSearch } from '../../crm/contacts/web/embed/list-search.ts'
import { readPatientSearch } from '../../record/patient-search.ts'
import { readDuplicatesSearch } from '../../crm/duplicates/web/duplicates-search.ts'
import { readHelpSearch } from '../help/web/help-search.ts'
import { readImportSearch } from '../../admin/imports/web/import-search.ts'
import { readCampaignsSearch } from '../../outreach/campaigns/web/campaigns-search.ts'
import { readInboxSearch } from '../../messages/inbox/web/inbox-search.ts'
import { readQueueSearch } from '../../crm/leads/web/queue-search.ts'
import { readGallerySearch } from '../../chart/photo-uses/web/embed/gallery-search.ts'
import { readEmailSearch } from '../../messages/mailbox/web/email-search.ts'
import { readMergeSearch } from '../../admin/merges/web/merge-search.ts'
import { readReceiptsSearch } from '../../billing/pos/web/receipts/receipts-search.ts'
import { readReportsSearch } from '../../insight/reports/web/reports-search.ts'
import { readSpendSearch } from '../../crm/lead-sources/web/spend-entry.ts'
import { readSequenceSearch } from '../../outreach/sequences/web/sequence-search.ts'
import { readStockSearch } from '../../care/devices/web/stock-search.ts'
import { readSurgeriesSearch } from '../../care/surgeries/web/page/surgeries-search.ts'
import { storeCallback, readCallbackSearch } from '../../ui/client/callback.ts'
import { staffPaths } from '../staff-rules.ts'
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
  (to: typeof staffPaths.quickbooksCallback | typeof staffPaths.nylasCallback | typeof staffPaths.gmailCallback) =>
  ({ search }: { search: ReturnType<typeof readCallbackSearch> }) => {
    if (storeCallback(search)) redirect({ to, replace: true, throw: true })
  }

const staff = createRoute({ getParentRoute: () => root, id: 'staff', component: StaffGuard, beforeLoad: paintFirst })

const guarded = [
  createRoute({ getParentRoute: () => staff, path: staffPaths.dashboard, ...shows(pages.dashboard) }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.contacts, ...shows(pages.contacts), validateSearch: readListSearch }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.newContact, ...shows(pages.contactForm) }),
  createRoute({
    getParentRoute: () => staff,
    path: staffPaths.duplicates,
    ...shows(pages.duplicates),
    validateSearch: readDuplicatesSearch,
  }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.leads, ...shows(pages.leads), validateSearch: readQueueSearch }),
  createRoute({
    getParentRoute: () => staff,
    path: staffPaths.importStart,
    ...shows(pages.importStart),
    validateSearch: readImportSearch,
  }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.importOne, ...shows(pages.importOne) }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.contact, ...shows(pages.contact), validateSearch: readPatientSearch }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.editContact, ...shows(pages.contactForm) }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.newQuote, ...shows(pages.quote) }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.editQuote, ...shows(pages.quote) }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.note, ...shows(pages.note) }),
  createRoute({
    getParentRoute: () => staff,
    path: staffPaths.merge,
    ...shows(pages.merge),
    validateSearch: readMergeSearch,
  }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.tasks, ...shows(pages.tasks), validateSearch: readTasksSearch }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.documents, ...shows(pages.documents) }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.inbox, ...shows(pages.inbox), validateSearch: readInboxSearch }),
  createRoute({
    getParentRoute: () => staff,
    path: staffPaths.campaigns,
    ...shows(pages.campaigns),
    validateSearch: readCampaignsSearch,
  }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.campaign, ...shows(pages.campaign) }),
  createRoute({
    getParentRoute: () => staff,
    path: staffPaths.appointments,
    ...shows(pages.appointments),
    validateSearch: readAppointmentsSearch,
  }),
  createRoute({
    getParentRoute: () => staff,
    path: staffPaths.waitingList,
    ...shows(pages.waitingList),
    validateSearch: readWaitingListSearch,
  }),
  createRoute({
    getParentRoute: () => staff,
    path: staffPaths.surgeries,
    ...shows(pages.surgeries),
    validateSearch: readSurgeriesSearch,
    // Appointments used to be a tab of this page: old links redirect to them.
    beforeLoad: ({ location }) => {
      const search = location.search as Record<string, unknown>
      if (search.tab === 'appointments' || search.appointment !== undefined)
        redirect({ to: '/appointments', search: readAppointmentsSearch(search), replace: true, throw: true })
    },
  }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.gallery, ...shows(pages.gallery), validateSearch: readGallerySearch }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.stock, ...shows(pages.stock), validateSearch: readStockSearch }),
  createRoute({
    getParentRoute: () => staff,
    path: staffPaths.adverseEvents,
    ...shows(pages.adverseEvents),
    validateSearch: readAdverseEventsSearch,
  }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.reports, ...shows(pages.reports), validateSearch: readReportsSearch }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.spend, ...shows(pages.spend), validateSearch: readSpendSearch }),
  createRoute({
    getParentRoute: () => staff,
    path: staffPaths.receipts,
    ...shows(pages.receipts),
    validateSearch: readReceiptsSearch,
  }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.email, ...shows(pages.email), validateSearch: readEmailSearch }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.settings, ...shows(pages.settings) }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.sequence, ...shows(pages.sequence), validateSearch: readSequenceSearch }),
  createRoute({
    getParentRoute: () => staff,
    path: staffPaths.settingsSection,
    ...shows(pages.settings),
    // Sections can have their own filters; so far only the audit log has some.
    validateSearch: readAuditSearch,
  }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.settingsItem, ...shows(pages.settings) }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.help, ...shows(pages.help), validateSearch: readHelpSearch }),
  createRoute({ getParentRoute: () => staff, path: staffPaths.helpPage, ...shows(pages.help), validateSearch: readHelpSearch }),
] as const

/** Spec 6: a person who returns from their provider may have been signed out in the meantime; that page says so. */
const callbacks = [
  createRoute({
    getParentRoute: () => root,
    path: staffPaths.quickbooksCallback,
    ...shows(pages.quickbooksCallback),
    validateSearch: readCallbackSearch,
    beforeLoad: keepAside(staffPaths.quickbooksCallback),
  }),
  createRoute({
    getParentRoute: () => root,
    path: staffPaths.nylasCallback,
    ...shows(pages.mailboxCallback),
    validateSearch: readCallbackSearch,
    beforeLoad: keepAside(staffPaths.nylasCallback),
  }),
  createRoute({
    getParentRoute: () => root,
    path: staffPaths.gmailCallback,
    ...shows(pages.mailboxCallback),
    validateSearch: readCallbackSearch,
    beforeLoad: keepAside(staffPaths.gmailCallback),
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

/** Does not compile if a path of the list has no route: the server would answer 200 for it. */
const _routed: Record<(typeof staffPaths)[keyof typeof staffPaths], unknown> = router.routesByPath

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** Fetches the page's code. */
    preload?: () => Promise<unknown>
  }
}
