import type { ReactNode } from 'react'
import { CalendarFeedCard } from '../../calendar-feeds/web/embed/CalendarFeedCard.tsx'
import { TemplatesCard } from '../../email-templates/web/embed/TemplatesCard.tsx'
import { LeadSourcesCard } from '../../lead-sources/web/embed/LeadSourcesCard.tsx'
import { HoursCard } from '../../practice/web/embed/HoursCard.tsx'
import { RoomsCard } from '../../practice/web/embed/RoomsCard.tsx'
import { QuickBooksCard } from '../../quickbooks/web/embed/QuickBooksCard.tsx'
import { ChecklistsCard } from '../../surgeries/web/embed/ChecklistsCard.tsx'
import { TopbarTitle } from '../../../web/layout/TopbarTitle.tsx'

/** Spec 2: /settings. */
export default function SettingsPage(): ReactNode {
  return (
    <>
      <TopbarTitle title="Settings" />
      <div className="relative flex min-h-0 flex-1 flex-col gap-8 overflow-y-auto px-4 py-6 md:px-6">
        <section aria-labelledby="integrations" className="max-w-(--measure)">
          <h2 id="integrations" className="border-b border-line pb-3 text-lg font-semibold text-fg">
            Integrations
          </h2>
          <QuickBooksCard />
        </section>
        <CalendarFeedCard />
        <HoursCard />
        <RoomsCard />
        <ChecklistsCard />
        <TemplatesCard />
        <LeadSourcesCard />
      </div>
    </>
  )
}
