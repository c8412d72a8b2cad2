import { useNavigate, useSearch } from '@tanstack/react-router'
import { CalendarHeart, CalendarPlus, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { TopbarTitle } from '../../../../web/layout/TopbarTitle.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { EmptyState } from '../../../../web/ui/EmptyState.tsx'
import { TabPanel, Tabs } from '../../../../web/ui/Tabs.tsx'
import { useMay } from '../../../../web/useMay.ts'
import { AppointmentsTab } from './AppointmentsTab.tsx'
import { type CalendarSearch, type Tab, tabLabels } from './calendar-search.ts'

/** Spec 2: /surgeries, when patients come: their appointments, and later their surgeries. */
export default function SurgeriesPage(): ReactNode {
  const search = useSearch({ from: '/staff/surgeries' })
  const navigate = useNavigate({ from: '/surgeries' })
  const may = useMay()
  const change = (part: CalendarSearch, replace = false) =>
    void navigate({ to: '/surgeries', search: (before) => ({ ...before, ...part }), replace })
  const shown: Tab = search.tab ?? 'appointments'
  const mayBook = may('appointments.book')

  return (
    <>
      <TopbarTitle title="Surgeries" />
      <Tabs<Tab>
        aria-label="Surgeries"
        value={shown}
        onValueChange={(tab) => change({ tab: tab === 'surgeries' ? tab : undefined, appointment: undefined })}
        items={(Object.keys(tabLabels) as Tab[]).map((value) => ({ value, label: tabLabels[value] }))}
        className="flex-1"
        actions={
          shown === 'appointments' &&
          mayBook && (
            <Button variant="filled" icon={<CalendarPlus />} className="max-md:h-9" onClick={() => change({ book: 'new' })}>
              <span className="max-md:sr-only">Book appointment</span>
              <span aria-hidden="true" className="md:hidden">
                Book
              </span>
            </Button>
          )
        }
      >
        <TabPanel value={shown} tabIndex={-1} className="flex flex-1 flex-col">
          {shown === 'surgeries' ? (
            <EmptyState icon={<CalendarHeart />} title="Surgeries are on their way" className="my-auto pb-24">
              Booked surgeries by date, with what is still missing before each.
            </EmptyState>
          ) : may('appointments.list') ? (
            <AppointmentsTab search={search} onChange={change} />
          ) : (
            <EmptyState icon={<Lock />} title="Billing sees no appointments" className="my-auto pb-24">
              Administrators, sales, providers and the front desk book them.
            </EmptyState>
          )}
        </TabPanel>
      </Tabs>
    </>
  )
}
