import { closePayment } from '../../../billing/payments/web/embed/payment-dialog.ts'
import { closeTask } from '../../../crm/tasks/web/embed/task-dialog.ts'
import { pages } from '../pages.ts'
import { prepareMenu } from '../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { preparePopover } from '../../../ui/overlays/Popover.tsx'
import { prepareToaster } from '../../../ui/overlays/ToastHost.tsx'
import type { NavEntry } from './navigation.ts'

const sections: Record<NavEntry['to'], () => Promise<unknown>> = {
  '/contacts': pages.contacts.preload,
  '/': pages.dashboard.preload,
  '/tasks': pages.tasks.preload,
  '/inbox': pages.inbox.preload,
  '/campaigns': pages.campaigns.preload,
  '/appointments': pages.appointments.preload,
  '/email': pages.email.preload,
  '/surgeries': pages.surgeries.preload,
  '/gallery': pages.gallery.preload,
  '/stock': pages.stock.preload,
  '/adverse-events': pages.adverseEvents.preload,
  '/reports': pages.reports.preload,
  '/collections': pages.receipts.preload,
  '/settings': pages.settings.preload,
  '/help': pages.help.preload,
}

export const CommandPalette = lazyDialog(
  () => import('./palette/CommandPalette.tsx'),
  ({ onClose }) => onClose(),
)
export const TaskDialog = lazyDialog(
  () => import('../../../crm/tasks/web/embed/TaskDialog.tsx'),
  () => closeTask(),
)
export const PaymentDialog = lazyDialog(
  () => import('../../../billing/pos/web/embed/PaymentDialog.tsx'),
  () => closePayment(),
  { isLarge: true },
)
export const Drawer = lazyDialog(
  () => import('./Drawer.tsx'),
  ({ onClose }) => onClose(),
)

function load(preload: () => Promise<unknown>): void {
  // oxlint-disable-next-line no-console -- spec 2: a prefetch failure is only logged; the page itself will try again
  preload().catch((error: unknown) => console.warn('A page could not be prefetched', error))
}

/** Fetches a section's code when a link to it is hovered or focused. */
export function prefetch(to: NavEntry['to']): void {
  load(sections[to])
}

/** Contacts, tasks and the patient page (spec 9), and dialogs that open from anywhere. */
export function prefetchAll(): void {
  // First: the error message itself.
  prepareToaster()
  prefetch('/contacts')
  prefetch('/tasks')
  load(pages.contact.preload)
  CommandPalette.prepare()
  Drawer.prepare()
  TaskDialog.prepare()
  prepareMenu()
  preparePopover()
}
