import { useNavigate, useSearch } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { useClock } from '../../../../ui/client/session.ts'
import { CountBadge } from '../../../../ui/display/CountBadge.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { ExportMenu } from '../../../../ui/display/ExportMenu.tsx'
import { today } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { TabPanel, Tabs } from '../../../../ui/display/Tabs.tsx'
import { usePhone } from '../../../../ui/hooks/useMedia.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { OutstandingTab } from '../../../collections/web/embed/OutstandingTab.tsx'
import { useOutstandingCount } from '../../../collections/web/embed/useOutstandingCount.ts'
import { DisputesTab } from '../../../disputes/web/embed/DisputesTab.tsx'
import { useOpenDisputes } from '../../../disputes/web/embed/useOpenDisputes.ts'
import { PayoutsTab } from '../../../payouts/web/embed/PayoutsTab.tsx'
import { useDifferingPayouts } from '../../../payouts/web/embed/useDifferingPayouts.ts'
import { PendingTab } from './pending/PendingTab.tsx'
import { filtersOf, type ReceiptsSearch, type Tab, tabLabels } from './receipts-search.ts'
import { ReceiptsTab } from './ReceiptsTab.tsx'
import { useLiveReceipts, usePending } from './useReceipts.ts'

const ReceiptDrawer = lazyDialog(
  () => import('./ReceiptDrawer.tsx'),
  ({ onClose }) => onClose(),
)

/** Spec 2: /collections, with outstanding balances, receipts, those not yet in QuickBooks, and Stripe's payouts and disputes. */
export default function ReceiptsPage(): ReactNode {
  const isAllowed = usePermission()('pos.receipts')
  return (
    <>
      <TopbarTitle title="Collections" />
      {isAllowed ? (
        <Receipts />
      ) : (
        <EmptyState icon={<Lock />} title="Providers see no payments">
          Administrators, sales, the front desk and billing take payments and see the receipts.
        </EmptyState>
      )}
    </>
  )
}

function Receipts() {
  const search = useSearch({ from: '/staff/collections' })
  const navigate = useNavigate({ from: '/collections' })
  const pending = usePending(true)
  const outstanding = useOutstandingCount()
  const differing = useDifferingPayouts()
  const disputed = useOpenDisputes()
  useLiveReceipts()
  const change = (part: ReceiptsSearch, replace = false) =>
    void navigate({ to: '/collections', search: (before) => ({ ...before, ...part }), replace })
  const clock = useClock()
  const may = usePermission()
  const phone = usePhone()
  const shown = search.tab ?? 'outstanding'
  const open = (receipt: string) => change({ receipt })

  return (
    <>
      <Tabs<Tab>
        aria-label="Collections"
        value={shown}
        onValueChange={(tab) => change({ tab, receipt: undefined, accountOf: undefined, payout: undefined, dispute: undefined })}
        items={[
          { value: 'outstanding', label: tabLabels.outstanding, ...(outstanding !== undefined && { count: outstanding }) },
          { value: 'receipts', label: tabLabels.receipts },
          { value: 'pending', label: tabLabels.pending, badge: <CountBadge count={pending.data?.total ?? 0} label="pending receipts" /> },
          { value: 'payouts', label: tabLabels.payouts, badge: <CountBadge count={differing} label="payouts with differences" /> },
          { value: 'disputes', label: tabLabels.disputes, badge: <CountBadge count={disputed} label="disputes that wait for evidence" /> },
        ]}
        className="flex-1"
        actions={
          shown === 'outstanding' && may('collections.export') ? (
            <ExportMenu
              address="/api/collections/outstanding"
              filters={{ show: search.show, age: search.age, ownerId: search.owner }}
              compact={phone}
            />
          ) : (
            (shown === 'receipts' && may('pos.export') && (
              <ExportMenu address="/api/pos/receipts" filters={filtersOf(search, today(clock))} compact={phone} />
            )) ||
            (shown === 'payouts' && may('payouts.export') && (
              <ExportMenu address="/api/payouts" filters={{ state: search.payouts }} compact={phone} />
            ))
          )
        }
      >
        <TabPanel value={shown} tabIndex={-1} className="flex flex-1 flex-col">
          {shown === 'outstanding' ? (
            <OutstandingTab search={search} onChange={change} />
          ) : shown === 'receipts' ? (
            <ReceiptsTab search={search} onChange={change} onOpen={open} />
          ) : shown === 'pending' ? (
            <PendingTab pending={pending} onOpen={open} />
          ) : shown === 'payouts' ? (
            <PayoutsTab search={search} onChange={change} />
          ) : (
            <DisputesTab search={search} onChange={change} />
          )}
        </TabPanel>
      </Tabs>
      {search.receipt && <ReceiptDrawer id={search.receipt} onClose={() => change({ receipt: undefined }, true)} />}
    </>
  )
}
