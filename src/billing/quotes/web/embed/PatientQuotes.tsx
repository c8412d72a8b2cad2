import { Link, useNavigate } from '@tanstack/react-router'
import { FilePlus2 } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { financingLabels, type FinancingStatus, financingStatuses } from '../../financing-rules.ts'
import { quoteName } from '../../rules.ts'
import type { QuoteData, QuotePatient } from '../quote-data.ts'
import { useQuotes } from '../useQuotes.ts'
import { financingLabel, financingTones, formatDayLabel, statusLabels, statusTones } from '../labels.ts'

const QuoteDrawer = lazyDialog(
  () => import('../detail/QuoteDrawer.tsx'),
  ({ onClose }) => onClose(),
)
/** A patient's quotes in their newest versions, for users who may see amounts. */
export function PatientQuotes({ patient }: { patient: QuotePatient }) {
  const list = useQuotes(patient.id)
  const [looked, setLooked] = useState<string | null>(null)
  const [stage, setStage] = useState<FinancingStatus | null>(null)
  const navigate = useNavigate()
  const all = list.data ?? []
  const newest = all.filter(({ isNewest }) => isNewest)
  const hasFinancing = newest.some(({ financing }) => financing !== null)
  const shown = newest.filter(({ financing }) => !hasFinancing || stage === null || financing?.status === stage)
  const one = all.find(({ id }) => id === looked)
  return (
    <section aria-label="Quotes" className="max-w-160 pb-5">
      <div className="flex items-center justify-between gap-3 pb-1">
        <h3 className="text-title font-semibold">Quotes</h3>
        <Button asChild icon={<FilePlus2 />}>
          <Link to="/contacts/$id/quotes/new" params={{ id: patient.id }}>
            New quote
          </Link>
        </Button>
      </div>
      {list.error && !list.data ? (
        <ErrorState title="Couldn’t load quotes" onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {messageOf(list.error)}
        </ErrorState>
      ) : list.isPending ? (
        <div role="status" aria-label="Loading" className="flex flex-col gap-3 py-3">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </div>
      ) : newest.length === 0 ? (
        <p className="py-2 text-sm text-fg-2">No quotes yet. What the patient accepts is charged to their account.</p>
      ) : (
        <>
          {hasFinancing && (
            <Select
              aria-label="Financing"
              value={stage}
              onValueChange={setStage}
              options={financingStatuses.map((status) => ({ value: status, label: `Financing: ${financingLabels[status].toLowerCase()}` }))}
              noneLabel="All quotes"
              className="mb-1 md:w-64"
            />
          )}
          {shown.length === 0 && <p className="py-2 text-sm text-fg-2">No quote is in this stage of financing.</p>}
          <ul aria-label="Quotes" className="-mx-2">
            {shown.map((quote) => (
              <QuoteRow key={quote.id} quote={quote} onOpen={() => setLooked(quote.id)} />
            ))}
          </ul>
        </>
      )}
      {one && (
        <QuoteDrawer
          quote={one}
          versions={all.filter(({ number }) => number === one.number)}
          onLook={setLooked}
          onEdit={() => void navigate({ to: '/contacts/$id/quotes/$quoteId/edit', params: { id: patient.id, quoteId: one.id } })}
          onClose={() => setLooked(null)}
        />
      )}
    </section>
  )
}

function QuoteRow({ quote, onOpen }: { quote: QuoteData; onOpen: () => void }) {
  const clock = useClock()
  return (
    <li>
      <button
        type="button"
        onPointerEnter={QuoteDrawer.prepare}
        onClick={onOpen}
        className="flex min-h-11 w-full items-center gap-3 rounded-sm px-2 py-1.5 text-left text-sm outline-offset-[-2px] hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium text-fg">{quote.title}</span>
          <span className="block text-xs text-fg-3 md:truncate">
            {quoteName(quote)} · {formatDayLabel(quote, clock)}
          </span>
        </span>
        {quote.financing && <Badge tone={financingTones[quote.financing.status]}>{financingLabel(quote.financing)}</Badge>}
        <Badge tone={statusTones[quote.shownStatus]}>{statusLabels[quote.shownStatus]}</Badge>
        <span className="min-w-24 flex-none text-right tabular-nums">{formatMoney(quote.totalCents)}</span>
      </button>
    </li>
  )
}
