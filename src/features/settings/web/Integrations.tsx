import { ConnectionsCard } from '../../connections/web/embed/ConnectionsCard.tsx'
import { QuickBooksCard } from '../../quickbooks/web/embed/QuickBooksCard.tsx'

/** The outside systems that the practice works with. */
export function Integrations() {
  return (
    <section aria-labelledby="integrations" className="max-w-(--measure)">
      <h2 id="integrations" className="border-b border-line pb-3 text-lg font-semibold text-fg">
        Integrations
      </h2>
      <QuickBooksCard />
      <ConnectionsCard />
    </section>
  )
}
