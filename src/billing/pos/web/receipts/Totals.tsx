import type { useQuery } from '@tanstack/react-query'
import { ChevronDown, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { PanelSection } from '../../../../ui/display/Facts.tsx'
import { formatCount, formatMoney } from '../../../../ui/format.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import type { TotalsData } from './receipt-data.ts'
import { formatTax } from '../../rules.ts'

interface TotalsProps {
  totals: Pick<ReturnType<typeof useQuery<TotalsData>>, 'data' | 'error' | 'isFetching' | 'isPlaceholderData'> & { refetch: () => unknown }
  isCancelled: boolean
}

/** Beside the list: totals of its receipts, and the amount per deposit account. */
export function TotalsPanel(props: TotalsProps) {
  return (
    <aside
      aria-label="Totals"
      className="relative w-(--panel) flex-none overflow-y-auto border-l border-line bg-subtle"
      aria-busy={props.totals.isPlaceholderData}
    >
      <Content {...props} />
    </aside>
  )
}

/** The same above the list on narrow screens: the sum, with the rest collapsed. */
export function TotalsFold(props: TotalsProps) {
  const [isOpen, setOpen] = useState(false)
  const { data } = props.totals
  if (data?.count === 0) return null
  return (
    <section aria-label="Totals" className="border-b border-line bg-subtle">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-12 w-full items-center gap-2 px-4 text-left text-sm text-fg-2 outline-offset-[-2px] md:px-6"
      >
        <span className="flex-1">{data ? formatTotalCount(data.count, props.isCancelled) : 'Totals'}</span>
        {data && <span className="text-title font-semibold text-fg tabular-nums">{formatMoney(data.totalCents)}</span>}
        <ChevronDown aria-hidden="true" className={cn('text-fg-3', isOpen && 'rotate-180')} />
      </button>
      {(isOpen || props.totals.error) && (
        <div className="border-t border-line">
          <Content {...props} />
        </div>
      )}
    </section>
  )
}

export const formatTotalCount = (count: number, isCancelled = false): string =>
  `${formatCount(count)} ${isCancelled ? 'cancelled ' : ''}${count === 1 ? 'receipt' : 'receipts'}`

function Content({ totals, isCancelled }: TotalsProps) {
  const { data, error } = totals
  if (!data) {
    return error ? (
      <ErrorState title="Couldn’t load the totals" onRetry={() => void totals.refetch()} retrying={totals.isFetching}>
        {messageOf(error)}
      </ErrorState>
    ) : (
      <div role="status" aria-label="Loading" className="flex flex-col gap-4 px-5 py-6">
        {['w-1/2', 'w-2/3', 'w-1/3', 'w-3/4'].map((width) => (
          <Skeleton key={width} className={cn('bg-active', width)} />
        ))}
      </div>
    )
  }
  return (
    <div className={totals.isPlaceholderData ? 'opacity-60' : undefined}>
      <PanelSection title={formatTotalCount(data.count, isCancelled)}>
        <Sums data={data} />
        {data.refunds.count > 0 && (
          <p className="pt-2 text-xs text-fg-3">
            {data.refunds.count === 1 ? 'One of them is a refund' : `${formatCount(data.refunds.count)} of them are refunds`} of{' '}
            {formatMoney(data.refunds.totalCents)}, taken off already.
          </p>
        )}
        {data.differing > 0 && (
          <Alert tone="warning" className="mt-3">
            {data.differing === 1 ? 'One receipt has' : `${formatCount(data.differing)} receipts have`} another total in QuickBooks.
          </Alert>
        )}
      </PanelSection>
      {!isCancelled && data.count > 0 && (
        <PanelSection
          title="Day end"
          action={
            <Button size="sm" icon={<Printer />} onClick={() => window.print()}>
              Print
            </Button>
          }
        >
          <p className="pb-3 text-xs text-fg-3">What each deposit account got, and how it was paid</p>
          <Accounts accounts={data.accounts} />
        </PanelSection>
      )}
    </div>
  )
}

/** A label and an aligned amount. */
export function Sum({ label, cents, isStrong = false }: { label: ReactNode; cents: number; isStrong?: boolean }) {
  return (
    <div className={cn('flex min-h-6 items-baseline gap-3 text-sm', isStrong && 'pt-2')}>
      <dt className={cn('min-w-0 flex-1', isStrong && 'font-semibold')}>{label}</dt>
      <dd className={cn('tabular-nums', isStrong && 'text-2xl font-semibold')}>{formatMoney(cents)}</dd>
    </div>
  )
}

/** The spec's totals block: subtotal, discount, tax by code, total. */
export function Sums({ data }: { data: Omit<TotalsData, 'count' | 'refunds' | 'differing' | 'accounts'> }) {
  const balancesCents = data.prepaidCents - data.goodwillCents - data.feeCents
  return (
    <dl>
      <Sum label="Subtotal" cents={data.subtotalCents} />
      {data.discountCents > 0 && <Sum label="Discount" cents={-data.discountCents} />}
      {data.taxes.map((tax) => (
        <Sum
          key={`${tax.taxCodeId} ${tax.rate}`}
          label={
            <>
              {formatTax(tax)} <span className="opacity-80">on {formatMoney(tax.base)}</span>
            </>
          }
          cents={tax.tax}
        />
      ))}
      <div className="mt-2 border-t border-line" />
      <Sum label="Total" cents={data.totalCents} isStrong />
      {data.prepaidCents !== 0 && (
        <>
          {balancesCents !== 0 && <Sum label="Paid with gift cards, packages and credit" cents={-balancesCents} />}
          {data.goodwillCents !== 0 && <Sum label="Goodwill" cents={-data.goodwillCents} />}
          {data.feeCents !== 0 && <Sum label="Financing fees" cents={-data.feeCents} />}
          <Sum label="Money" cents={data.totalCents - data.prepaidCents} />
        </>
      )}
    </dl>
  )
}

export function Accounts({ accounts }: Pick<TotalsData, 'accounts'>) {
  return (
    <ul className="flex flex-col gap-3">
      {accounts.map(({ id, name, totalCents, methods }) => (
        <li key={id}>
          <p className="flex items-baseline gap-3 text-sm font-medium">
            <span className="min-w-0 flex-1">{name}</span>
            <span className="tabular-nums">{formatMoney(totalCents)}</span>
          </p>
          {methods.map(({ method, count, totalCents: cents }) => (
            <p key={method ?? ''} className="flex items-baseline gap-3 pl-3 text-sm opacity-85">
              <span className="min-w-0 flex-1">
                {method ?? 'Not specified'} <span className="tabular-nums">× {formatCount(count)}</span>
              </span>
              <span className="tabular-nums">{formatMoney(cents)}</span>
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}
