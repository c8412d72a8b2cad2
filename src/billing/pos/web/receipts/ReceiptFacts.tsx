import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cardName } from '../../../../shared/cards.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { formatDateTime, formatMoney, formatPercent } from '../../../../ui/format.ts'
import { formatPrepaidPart, formatSplit } from '../../../prepaid/rules.ts'
import { formatTax } from '../../rules.ts'
import type { ReceiptDetails } from './receipt-data.ts'
import { refundableOf } from './refund/refund.ts'
import { Sum } from './Totals.tsx'
import { useReceiptChoices } from './useReceipts.ts'
import { formatDifference, formatPaidBy, formatTakenBy } from './labels.ts'

/** Customer, items, totals and refunds. */
export function ReceiptFacts({ receipt }: { receipt: ReceiptDetails }) {
  const clock = useClock()
  const takenBy = formatTakenBy(receipt, useReceiptChoices().data?.staff ?? [])
  const difference = formatDifference(receipt)
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
          {receipt.createdBy === null ? ' online' : takenBy && ` by ${takenBy}`}
        </Fact>
        {receipt.refundOf && (
          <Fact label="Refund of">
            <ReceiptLink id={receipt.refundOf}>The original receipt</ReceiptLink>
          </Fact>
        )}
        {receipt.refundReason && <Fact label="Reason">{receipt.refundReason}</Fact>}
        <Fact label={receipt.kind === 'refund' ? 'Refund method' : 'Paid by'}>
          {formatPaidBy(receipt) ?? <None />}
          {receipt.card && <span className="block text-fg-2">{cardName(receipt.card)}</span>}
        </Fact>
        <Fact label={receipt.kind === 'refund' ? 'Refunded from' : 'Deposited to'}>{receipt.depositAccountName}</Fact>
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
                {formatTax(tax)} <span className="text-fg-2">on {formatMoney(tax.base)}</span>
              </>
            }
            cents={tax.tax}
          />
        ))}
        <Sum label="Total" cents={receipt.totalCents} isStrong />
        {receipt.prepaid.map(({ kind, last4, amountCents }) => (
          <Sum key={`${kind} ${last4 ?? ''}`} label={formatPrepaidPart({ kind, last4 })} cents={-amountCents} />
        ))}
        {receipt.prepaid.length > 0 && (
          <Sum
            label={receipt.kind === 'refund' ? 'Refunded in money' : 'Paid in money'}
            cents={receipt.totalCents - receipt.prepaidCents}
          />
        )}
      </dl>
      {receipt.refunds.length > 0 && <Refunds receipt={receipt} />}
    </>
  )
}

const ReceiptLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link
    from="/collections"
    to="/collections"
    search={(before) => ({ ...before, receipt: id })}
    replace
    className="rounded-xs text-accent-fg hover:underline"
  >
    {children}
  </Link>
)

/** Refunds, and what can still be refunded. */
function Refunds({ receipt }: { receipt: ReceiptDetails }) {
  const clock = useClock()
  const usedCents = receipt.usedOfLines.reduce((sum, cents) => sum + cents, 0)
  return (
    <section aria-label="Refunds" className="mt-4 border-t border-line pt-3">
      <ul>
        {receipt.refunds.map((refund) => (
          <li key={refund.id} className="flex min-h-6 items-baseline gap-3 text-sm">
            <span className="min-w-0 flex-1">
              <ReceiptLink id={refund.id}>Refund {refund.docNumber ?? ''}</ReceiptLink>{' '}
              <span className="text-fg-3">
                {formatDateTime(refund.createdAt, clock)}
                {refund.state === 'pending' && ', pending'}
              </span>
              <Split refund={refund} />
            </span>
            <span className="tabular-nums">{formatMoney(refund.totalCents)}</span>
          </li>
        ))}
      </ul>
      <dl>
        {usedCents > 0 && <Sum label="Used, not refundable" cents={usedCents} />}
        <Sum label="Left to refund" cents={refundableOf(receipt)} />
      </dl>
    </section>
  )
}

/** Where the parts of a refund went. */
function Split({ refund }: { refund: ReceiptDetails['refunds'][number] }) {
  const split = formatSplit(refund)
  return split && <span className="block text-xs text-fg-3 tabular-nums">{split}</span>
}

function Lines({ lines }: Pick<ReceiptDetails, 'lines'>) {
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
