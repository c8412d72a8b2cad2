import { useNavigate, useSearch } from '@tanstack/react-router'
import { CalendarPlus, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { AppointmentsTab } from '../../../appointments/web/embed/AppointmentsTab.tsx'
import { TopbarTitle } from '../../../../web/layout/TopbarTitle.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { EmptyState } from '../../../../web/ui/EmptyState.tsx'
import { TabPanel, Tabs } from '../../../../web/ui/Tabs.tsx'
import { useMay } from '../../../../web/useMay.ts'
import { SurgeriesTab } from './SurgeriesTab.tsx'
import { type SurgeriesSearch, type Tab, tabLabels } from './surgeries-search.ts'

/** Spec 2: /surgeries, when patients come: their surgeries, and their appointments. */
export default function SurgeriesPage(): ReactNode {
  const search = useSearch({ from: '/staff/surgeries' })
  const navigate = useNavigate({ from: '/surgeries' })
  const may = useMay()
  const change = (part: SurgeriesSearch, replace = false) =>
    void navigate({ to: '/surgeries', search: (before) => ({ ...before, ...part }), replace })
  const shown: Tab = search.tab ?? 'surgeries'
  const isOfSurgeries = shown === 'surgeries'
  const mayBook = may(isOfSurgeries ? 'surgeries.create' : 'appointments.book')

  return (
    <>
      <TopbarTitle title="Surgeries" />
      <Tabs<Tab>
        aria-label="Surgeries"
        value={shown}
        onValueChange={(tab) =>
          change({ tab: tab === 'appointments' ? tab : undefined, view: undefined, appointment: undefined, surgery: undefined })
        }
        items={(Object.keys(tabLabels) as Tab[]).map((value) => ({ value, label: tabLabels[value] }))}
        className="flex-1"
        actions={
          mayBook && (
            <Button variant="filled" icon={<CalendarPlus />} className="max-md:h-9" onClick={() => change({ book: 'new' }, true)}>
              <span className="max-md:sr-only">{isOfSurgeries ? 'Book surgery' : 'Book appointment'}</span>
              <span aria-hidden="true" className="md:hidden">
                Book
              </span>
            </Button>
          )
        }
      >
        <TabPanel value={shown} tabIndex={-1} className="flex flex-1 flex-col">
          {isOfSurgeries ? (
            may('surgeries.list') ? (
              <SurgeriesTab search={search} onChange={change} />
            ) : (
              <NotForBilling what="surgeries">The surgical date and the revenue stand on the patient’s page.</NotForBilling>
            )
          ) : may('appointments.list') ? (
            <AppointmentsTab search={search} onChange={change} />
          ) : (
            <NotForBilling what="appointments">Administrators, sales, providers and the front desk book them.</NotForBilling>
          )}
        </TabPanel>
      </Tabs>
    </>
  )
}

function NotForBilling({ what, children }: { what: string; children: ReactNode }) {
  return (
    <EmptyState icon={<Lock />} title={`Billing sees no ${what}`} className="my-auto pb-24">
      {children}
    </EmptyState>
  )
}
