import type { ReactNode } from 'react'
import { QuickBooksCard } from '../../quickbooks/web/embed/QuickBooksCard.tsx'
import { TopbarTitle } from '../../../web/layout/TopbarTitle.tsx'

/** Spec 2: /settings. */
export default function SettingsPage(): ReactNode {
  return (
    <>
      <TopbarTitle title="Settings" />
      <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-6 md:px-6">
        <section aria-labelledby="integrations" className="max-w-(--measure)">
          <h2 id="integrations" className="border-b border-line pb-3 text-lg font-semibold text-fg">
            Integrations
          </h2>
          <QuickBooksCard />
        </section>
      </div>
    </>
  )
}
