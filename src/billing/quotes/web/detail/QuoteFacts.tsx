import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { dayAt } from '../../../../shared/zoned-time.ts'
import { cn } from '../../../../ui/cn.ts'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { formatDate, formatDateTime, formatDay, formatMoney } from '../../../../ui/format.ts'
import { defaultDepositName, instalmentLabels, kindLabels } from '../../rules.ts'
import type { QuoteData } from '../quote-data.ts'
import { FinancingPart } from './FinancingPart.tsx'
import { TotalsList } from '../TotalsList.tsx'
import { formatDayLabel, statusLabels } from '../labels.ts'

interface QuoteFactsProps {
  quote: QuoteData
  versions: readonly QuoteData[]
  onLook: (id: string) => void
}

export function QuoteFacts({ quote, versions, onLook }: QuoteFactsProps) {
  const clock = useClock()
  const labels = instalmentLabels(quote, quote.surgery && dayAt(new Date(quote.surgery.startsAt), clock.timeZone))
  const people = useQuery(orpc.people.list.queryOptions({ staleTime: 10 * 60_000 })).data ?? []
  const by = (id: string | null) => (id === null ? '' : ` by ${people.find((one) => one.id === id)?.fullName ?? 'someone who left'}`)
  const { sentAt, sentTo, sentBy, acceptedAt, acceptedBy, acceptedName, acceptedAddress, endedAt, endedBy, endReason } = quote
  return (
    <>
      <Facts>
        <Fact label="Procedure">{quote.title}</Fact>
        {quote.surgery && (
          <Fact label="Surgery">
            {quote.surgery.procedures.join(', ')}, {formatDate(quote.surgery.startsAt, clock.timeZone)}
          </Fact>
        )}
        <Fact label="Valid until">{formatDay(quote.validUntil)}</Fact>
        <Fact label="Created">
          {formatDateTime(quote.createdAt, clock)}
          {by(quote.createdBy)}
        </Fact>
        {sentAt && (
          <Fact label={sentTo ? 'Sent' : 'Delivered'}>
            {formatDateTime(sentAt, clock)}
            {by(sentBy)}
            {sentTo && ` to ${sentTo}`}
          </Fact>
        )}
        {acceptedAt && (
          <Fact label="Accepted">
            {formatDateTime(acceptedAt, clock)}
            {acceptedBy ? by(acceptedBy) : ' by the patient in the portal'}
            {acceptedName && `, signed “${acceptedName}”`}
            {acceptedAddress && <span className="block text-xs text-fg-3">From {acceptedAddress}</span>}
          </Fact>
        )}
        {endedAt && (
          <Fact label={statusLabels[quote.status]}>
            {formatDateTime(endedAt, clock)}
            {endedBy ? by(endedBy) : ' by the patient in the portal'}
            {endReason && <span className="block">{endReason}</span>}
          </Fact>
        )}
      </Facts>
      <ul aria-label="Lines" className="mt-5 border-y border-line">
        {quote.lines.map((line, index) => (
          // oxlint-disable-next-line no-array-index-key -- the lines of what is shown never change
          <li key={index} className="flex items-baseline gap-3 border-b border-line py-2.5 text-sm last:border-b-0">
            <div className="min-w-0 flex-1">
              <p className="font-medium break-words text-fg">{line.words}</p>
              <p className="text-xs text-fg-3 tabular-nums">
                {kindLabels[line.kind]} · {line.quantity} × {formatMoney(line.unitPriceCents)} · {line.taxCodeName}
                {line.exemptReason && `: ${line.exemptReason}`}
              </p>
            </div>
            <span className="flex-none tabular-nums">{formatMoney(line.amountCents)}</span>
          </li>
        ))}
      </ul>
      <div className="pt-3">
        <TotalsList {...quote} />
      </div>
      <Part title="Payment schedule">
        <dl className="text-sm">
          {quote.depositCents > 0 && <Due label={`${quote.depositName ?? defaultDepositName}: on acceptance`} cents={quote.depositCents} />}
          {quote.instalments.map(({ dueOn, amountCents }, index) => (
            // oxlint-disable-next-line no-array-index-key -- two instalments may be alike
            <Due key={index} label={`${labels[index]}: ${formatDay(dueOn)}`} cents={amountCents} />
          ))}
        </dl>
        {quote.isBeforeSurgery && quote.surgery === null && <p className="pt-1 text-xs text-fg-3">Due before surgery</p>}
      </Part>
      <FinancingPart quote={quote} />
      {quote.note && (
        <Part title="Note to the patient">
          <p className="text-sm break-words whitespace-pre-line text-fg-2">{quote.note}</p>
        </Part>
      )}
      {versions.length > 1 && (
        <Part title="Versions">
          <ul aria-label="Versions" className="-mx-2">
            {versions.map((one) => (
              <li key={one.id}>
                <button
                  type="button"
                  aria-current={one.id === quote.id || undefined}
                  onClick={() => onLook(one.id)}
                  className={cn(
                    'flex min-h-11 w-full items-center gap-3 rounded-sm px-2 text-left text-sm hover:bg-hover md:min-h-9',
                    one.id === quote.id && 'bg-selected',
                  )}
                >
                  <span className="min-w-0 flex-1 truncate">
                    Version {one.revision}, {statusLabels[one.shownStatus].toLowerCase()}{' '}
                    <span className="text-fg-3">{one.shownStatus === 'superseded' ? '' : formatDayLabel(one, clock)}</span>
                  </span>
                  <span className="flex-none tabular-nums">{formatMoney(one.totalCents)}</span>
                </button>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-5 border-t border-line pt-4">
    <h3 className="pb-1.5 text-sm font-semibold">{title}</h3>
    {children}
  </section>
)

const Due = ({ label, cents }: { label: string; cents: number }) => (
  <div className="flex min-h-7 items-center justify-between gap-3">
    <dt className="text-fg-2">{label}</dt>
    <dd className="tabular-nums">{formatMoney(cents)}</dd>
  </div>
)
