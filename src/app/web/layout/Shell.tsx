import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useUnreadMail } from '../../../messages/inbox/web/embed/useUnreadMail.ts'
import { useNewMail } from '../../../messages/mailbox/web/embed/useNewMail.ts'
import { type NotificationData, useUnread } from '../../../crm/notifications/web/embed/useUnread.ts'
import { openPayment, usePaymentDialog } from '../../../billing/payments/web/embed/payment-dialog.ts'
import { createTask, useTaskDialog } from '../../../crm/tasks/web/embed/task-dialog.ts'
import { useLive } from '../../../ui/client/live.ts'
import { renewSession, usePractice } from '../../../ui/client/session.ts'
import { resolveProof, usePendingProof } from '../../../ui/client/step-up.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { useHotkeys, type Hotkey } from '../../../ui/hooks/hotkeys.ts'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { type Loadable, loadable, useLoaded } from '../../../ui/hooks/useLoaded.ts'
import { DemoBanner } from '../../../ui/layout/DemoBanner.tsx'
import { PageBoundary } from '../../../ui/layout/PageBoundary.tsx'
import { useNavGroups } from './useNavigation.ts'
import { CommandPalette, Drawer, PaymentDialog, prefetchAll, TaskDialog } from './prefetch.ts'
import { whenIdle } from '../../../ui/client/when-idle.ts'
import { SessionEnd } from './SessionEnd.tsx'
import { Sidebar } from './Sidebar.tsx'
import { useSidebarState } from './sidebar-state.ts'
import { Topbar } from './Topbar.tsx'
import { TopbarSlot } from '../../../ui/layout/TopbarTitle.tsx'

const ShortcutsDialog = lazyDialog(
  () => import('./ShortcutsDialog.tsx'),
  ({ onClose }) => onClose(),
)
const bulkNews: Loadable<typeof import('../../../crm/contacts/web/list/bulk/BulkChangeToasts.tsx')> = loadable(
  () => import('../../../crm/contacts/web/list/bulk/BulkChangeToasts.tsx'),
)

const overduePopups: Loadable<typeof import('../../../crm/notifications/web/embed/OverduePopups.tsx')> = loadable(
  () => import('../../../crm/notifications/web/embed/OverduePopups.tsx'),
)

const StepUpDialog = lazyDialog(
  () => import('../../../platform/auth/web/embed/StepUpDialog.tsx'),
  ({ onClose }) => onClose(false),
)

type Layer = 'palette' | 'shortcuts' | 'drawer' | null

/** A patient's page; the rest of the path belongs to the patient. */
const patientPage = /^\/contacts\/([0-9a-f-]{36})(?:\/|$)/

/** Spec 2: the frame of every staff page. */
export function Shell() {
  const [open, toggle] = useSidebarState()
  const [layer, setOpenDialog] = useState<Layer>(null)
  const [slot, setSlot] = useState<HTMLDivElement | null>(null)
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const navigate = useNavigate()
  const { demo } = usePractice()
  const counts = { inbox: useUnreadMail(), email: useNewMail() }
  // Someone has changed the practice's name, colour or time zone.
  useLive(['practice'], (ids) => {
    if (ids === null || ids.has('settings')) void renewSession()
  })
  const close = () => setOpenDialog(null)
  const task = useTaskDialog()
  const payment = usePaymentDialog()
  const proofAsked = usePendingProof()
  const patientId = patientPage.exec(pathname)?.[1]
  const maySell = usePermission()('pos.createReceipt')
  const groups = useNavGroups()
  const { unread, total } = useUnread()

  const [isIdle, setIdle] = useState(false)
  useEffect(
    () =>
      whenIdle(() => {
        prefetchAll()
        setIdle(true)
      }),
    [],
  )

  useEffect(() => {
    if (isIdle && maySell) PaymentDialog.prepare()
  }, [isIdle, maySell])

  useHotkeys(
    useMemo<Hotkey[]>(
      () => [
        {
          keys: 'mod+k',
          label: 'Search patients and pages',
          group: 'Everywhere',
          run: () => setOpenDialog((now) => (now === 'palette' ? null : 'palette')),
        },
        { keys: '?', label: 'Keyboard shortcuts', group: 'Everywhere', run: () => setOpenDialog('shortcuts') },
        { keys: 'c', label: 'Create Task', group: 'Everywhere', run: () => createTask() },
        ...groups
          .flat()
          .flatMap(({ key, label, to }) => (key ? [{ keys: `g ${key}`, label, group: 'Go to', run: () => void navigate({ to }) }] : [])),
      ],
      [navigate, groups],
    ),
  )
  useHotkeys([{ keys: 'mod+b', label: 'Show or hide the sidebar', group: 'Everywhere', run: toggle }])

  const actions = {
    toggleSidebar: toggle,
    openDrawer: () => setOpenDialog('drawer'),
    openPalette: () => setOpenDialog('palette'),
    createTask: () => createTask(),
    takePayment: maySell ? () => openPayment(patientId ? { contactId: patientId } : {}) : undefined,
  }

  return (
    <>
      <a
        href="#page"
        className="fixed top-2 left-2 z-(--z-toast) -translate-y-16 rounded-md bg-inverse px-3 py-2 text-sm font-medium text-fg-inverse focus:translate-y-0"
      >
        Skip to the page
      </a>
      {/* Contains everything in it, including elements positioned for screen readers only: the document itself never scrolls. */}
      <div className="relative flex h-dvh flex-col overflow-clip bg-canvas">
        {demo && <DemoBanner />}
        <div className="flex min-h-0 flex-1">
          <aside className={open ? 'w-(--sidebar) flex-none max-md:hidden' : 'w-(--sidebar-rail) flex-none max-md:hidden'}>
            <Sidebar open={open} counts={counts} onShortcuts={() => setOpenDialog('shortcuts')} />
          </aside>
          <div className="relative flex min-w-0 flex-1 flex-col overflow-clip bg-surface md:my-2 md:mr-2 md:rounded-lg md:border md:border-line">
            <Topbar {...actions} sidebarOpen={open} unread={total} setSlot={setSlot} />
            {unread.length > 0 && <Popups unread={unread} />}
            <TopbarSlot value={slot}>
              <main id="page" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
                <PageBoundary path={pathname}>
                  <Outlet />
                </PageBoundary>
              </main>
            </TopbarSlot>
          </div>
        </div>
      </div>

      {/* Follows up on what was started, once the page is shown. */}
      {isIdle && <News />}

      {layer === 'drawer' && (
        <Drawer onClose={close}>
          <Sidebar open counts={counts} onShortcuts={() => setOpenDialog('shortcuts')} onNavigate={close} />
        </Drawer>
      )}
      {layer === 'palette' && (
        <CommandPalette
          onClose={close}
          onCreateTask={actions.createTask}
          onTakePayment={actions.takePayment}
          onShortcuts={() => setOpenDialog('shortcuts')}
        />
      )}
      {layer === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      {task && <TaskDialog state={task} />}
      {payment && <PaymentDialog state={payment} />}
      {proofAsked && <StepUpDialog action={proofAsked} onClose={resolveProof} />}
      <SessionEnd />
    </>
  )
}

/** Overdue tasks appear behind the bell, too. */
function Popups({ unread }: { unread: readonly NotificationData[] }) {
  const loaded = useLoaded(overduePopups)
  if (!loaded) return null
  const { default: OverduePopups } = loaded
  return <OverduePopups unread={unread} />
}

/** The page is complete without it: it is requested again on the next load. */
function News() {
  const loaded = useLoaded(bulkNews)
  if (!loaded) return null
  const { default: BulkChangeToasts } = loaded
  return <BulkChangeToasts />
}
