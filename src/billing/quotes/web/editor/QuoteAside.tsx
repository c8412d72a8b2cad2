import type { ReactNode } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { formatMoney } from '../../../../ui/format.ts'
import { TotalsList } from '../TotalsList.tsx'
import { formatDayLabel, statusLabels } from '../labels.ts'
import type { QuoteData } from '../quote-data.ts'

interface QuoteAsideProps {
  totals: Parameters<typeof TotalsList>[0]
  /** Total of the price-list lines at list prices; null: no such lines. */
  listCents: number | null
  /** The other versions of the quote, newest first. */
  versions: readonly QuoteData[]
}

/** The quote's totals, the comparison with the price list, and earlier versions. */
export function QuoteAside({ totals, listCents, versions }: QuoteAsideProps) {
  const clock = useClock()
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="quote-total" aria-live="polite">
        <h3 id="quote-total" className="pb-1.5 text-title font-semibold">
          Total
        </h3>
        <TotalsList {...totals} />
      </section>
      {listCents !== null && (
        <section aria-labelledby="price-list-comparison">
          <h3 id="price-list-comparison" className="pb-1.5 text-title font-semibold">
            Compared with the price list
          </h3>
          <dl className="text-md">
            <Row label="List price">{formatMoney(listCents)}</Row>
            <Row label="Difference">{formatMoney(totals.totalCents - listCents)}</Row>
          </dl>
        </section>
      )}
      <section aria-labelledby="earlier-versions">
        <h3 id="earlier-versions" className="pb-1.5 text-title font-semibold">
          Earlier versions
        </h3>
        {versions.length === 0 ? (
          <p className="text-sm text-fg-2">None. Sent quotes can’t be edited; a change makes a new version.</p>
        ) : (
          <ul className="text-sm text-fg-2">
            {versions.map((one) => (
              <li key={one.id} className="flex min-h-7 items-center justify-between gap-3">
                <span className="min-w-0 truncate">
                  Version {one.revision}, {statusLabels[one.shownStatus].toLowerCase()}
                  {one.shownStatus === 'superseded' ? '' : `. ${formatDayLabel(one, clock)}`}
                </span>
                <span className="flex-none tabular-nums">{formatMoney(one.totalCents)}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex min-h-7 items-center justify-between gap-3">
    <dt className="text-fg-2">{label}</dt>
    <dd className="tabular-nums">{children}</dd>
  </div>
)
