import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf, orpc } from '../../../../web/api.ts'
import { useClock } from '../../../../web/session.ts'
import { Alert } from '../../../../web/ui/Alert.tsx'
import { Badge } from '../../../../web/ui/Badge.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { ErrorState } from '../../../../web/ui/EmptyState.tsx'
import { Fact, Facts } from '../../../../web/ui/Facts.tsx'
import { formatDateTime, formatMoney, formatPercent } from '../../../../web/ui/format.ts'
import { SideDrawer } from '../../../../web/ui/SideDrawer.tsx'
import { Skeleton } from '../../../../web/ui/Skeleton.tsx'
import { useQuickBooks } from '../../../quickbooks/web/embed/useQuickBooks.ts'
import { stateBadges } from './ReceiptState.tsx'
import { numberOf } from './ReceiptRow.tsx'
import type { ReceiptData } from './receipt-data.ts'
import { Sum } from './Totals.tsx'
import { useReceiptChoices } from './useReceipts.ts'
import { differenceInWords, taxInWords } from './words.ts'

/** All that is known of a receipt. */
export default function ReceiptDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const receipt = useQuery(orpc.pos.receipt.queryOptions({ input: { id } }))
  const { booksUrl } = useQuickBooks().data ?? { booksUrl: null }
  const { data } = receipt
  const badge = data && stateBadges[data.state]
  const number = data && numberOf(data)
  return (
    <SideDrawer
      title={number ? `Receipt ${number}` : 'Receipt'}
      aside={
        badge && (
          <Badge tone={badge.tone} icon={badge.icon}>
            {badge.label}
          </Badge>
        )
      }
      onClose={onClose}
      footer={
        booksUrl &&
        data?.qbId && (
          <Button asChild icon={<ExternalLink />}>
            <a href={`${booksUrl}/app/salesreceipt?txnId=${encodeURIComponent(data.qbId)}`} target="_blank" rel="noopener noreferrer">
              Open in QuickBooks
            </a>
          </Button>
        )
      }
    >
      {data ? (
        <Details receipt={data} />
      ) : receipt.error ? (
        <ErrorState title="The receipt did not load" onRetry={() => void receipt.refetch()} retrying={receipt.isFetching}>
          {messageOf(receipt.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading" className="flex flex-col gap-4">
          {['w-1/2', 'w-2/3', 'w-1/3', 'w-3/4', 'w-2/5'].map((width) => (
            <Skeleton key={width} className={width} />
          ))}
        </div>
      )}
    </SideDrawer>
  )
}

function Details({ receipt }: { receipt: ReceiptData }) {
  const clock = useClock()
  const takenBy = useReceiptChoices().data?.staff.find(({ id }) => id === receipt.createdBy)?.name
  const difference = differenceInWords(receipt)
  return (
    <>
      {difference && (
        <Alert tone="warning" className="mb-4" title={difference}>
          Compare the two in QuickBooks before the day is closed.
        </Alert>
      )}
      {receipt.problem && (
        <Alert tone={receipt.state === 'failed' ? 'danger' : 'warning'} className="mb-4">
          {receipt.problem}
        </Alert>
      )}
      <Facts>
        <Fact label="Customer">
          {receipt.contactId ? (
            <Link to="/contacts/$id" params={{ id: receipt.contactId }} className="rounded-xs text-accent-fg hover:underline">
              {receipt.customerName}
            </Link>
          ) : (
            <>
              {receipt.customerName} <span className="text-fg-3">(no patient)</span>
            </>
          )}
        </Fact>
        <Fact label="Taken">
          {formatDateTime(receipt.createdAt, clock)}
          {takenBy && ` by ${takenBy}`}
        </Fact>
        <Fact label="Paid by">{receipt.paymentMethod ?? <None />}</Fact>
        <Fact label="Deposited to">{receipt.depositAccountName}</Fact>
        <Fact label="Class">{receipt.className ?? <None />}</Fact>
        <Fact label="Memo">{receipt.memo ?? <None />}</Fact>
      </Facts>
      <Lines lines={receipt.lines} />
      <dl className="border-t border-line pt-3">
        <Sum label="Subtotal" cents={receipt.subtotalCents} />
        {receipt.discountCents > 0 && (
          <Sum label={`Discount ${formatPercent(receipt.discountPercent / 100)}`} cents={-receipt.discountCents} />
        )}
        {receipt.taxes.map((tax) => (
          <Sum
            key={tax.taxCodeId}
            label={
              <>
                {taxInWords(tax)} <span className="text-fg-2">on {formatMoney(tax.base)}</span>
              </>
            }
            cents={tax.tax}
          />
        ))}
        <Sum label="Total" cents={receipt.totalCents} isStrong />
      </dl>
    </>
  )
}

function Lines({ lines }: Pick<ReceiptData, 'lines'>) {
  return (
    <ul aria-label="Items" className="mt-5 border-t border-line">
      {lines.map((line, index) => (
        // oxlint-disable-next-line no-array-index-key -- a receipt's lines never change
        <li key={index} className="flex items-baseline gap-3 border-b border-line py-2.5 text-sm last:border-b-0">
          <div className="min-w-0 flex-1">
            <p className="font-medium text-fg">{line.name}</p>
            <p className="text-xs text-fg-3 tabular-nums">
              {line.quantity} × {formatMoney(line.unitPriceCents)} · {line.taxCodeName}
              {line.exemptReason && `: ${line.exemptReason}`}
            </p>
          </div>
          <span className="flex-none tabular-nums">{formatMoney(line.amountCents)}</span>
        </li>
      ))}
    </ul>
  )
}

const None = (): ReactNode => <span className="text-fg-3">None</span>
