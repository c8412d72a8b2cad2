import { TriangleAlert } from 'lucide-react'
import { type Clock, formatDateTime, formatDue, formatMoney } from '../../../../ui/format.ts'
import { None, TableRow, Td } from '../../../../ui/display/Table.tsx'
import type { ReceiptData } from './receipt-data.ts'
import { formatDifference, formatItems, formatPaidBy, formatRefund } from './labels.ts'

export const receiptColumns = '9.5rem minmax(0, 1fr) 10.5rem 8.5rem 8.5rem'

interface ReceiptProps {
  receipt: ReceiptData
  clock: Clock
  takenBy: string | null
  onOpen: () => void
}

/** The receipt's name; one that QuickBooks never had has no number. */
export const numberOf = ({ docNumber, qbId }: Pick<ReceiptData, 'docNumber' | 'qbId'>): string | null => docNumber ?? qbId

export function ReceiptRow({ receipt, clock, takenBy, onOpen, top, isCurrent }: ReceiptProps & { top: number; isCurrent: boolean }) {
  const difference = formatDifference(receipt)
  return (
    <TableRow top={top} current={isCurrent} data-row={receipt.id} onClick={onOpen}>
      <Td whole className="flex flex-col justify-center tabular-nums">
        <span className="truncate leading-4.5 font-medium text-fg">
          {numberOf(receipt) ?? <None>No number</None>}
          <Given receipt={receipt} />
        </span>
        <span className="truncate text-xs text-fg-3" title={formatDateTime(receipt.createdAt, clock)}>
          {formatDue(receipt.createdAt, clock)}
        </span>
      </Td>
      <Td whole className="flex flex-col justify-center">
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation()
            onOpen()
          }}
          className="truncate rounded-xs text-left leading-4.5 font-medium text-fg outline-offset-1 hover:underline"
        >
          {receipt.customerName}
        </button>
        <span className="truncate text-xs text-fg-3">{formatItems(receipt.lines)}</span>
      </Td>
      <Td whole className="flex flex-col justify-center">
        <span className="truncate leading-4.5">{formatPaidBy(receipt) ?? <None>Not specified</None>}</span>
        <span className="truncate text-xs text-fg-3">{receipt.depositAccountName}</span>
      </Td>
      <Td>{takenBy ?? <None />}</Td>
      <Td numeric whole className="flex items-center justify-end gap-1.5 font-medium text-fg">
        {difference && (
          <span title={difference} className="flex text-warning-fg">
            <TriangleAlert aria-hidden="true" />
            <span className="sr-only">{difference}</span>
          </span>
        )}
        {formatMoney(receipt.totalCents)}
      </Td>
    </TableRow>
  )
}

/** Whether and how much was refunded. */
function Given({ receipt }: { receipt: ReceiptData }) {
  const words = formatRefund(receipt)
  return words && <span className="ml-1.5 text-xs font-normal text-fg-3">{words}</span>
}

/** The row on a phone, 68 px high. */
export function ReceiptCard({ receipt, clock, onOpen }: ReceiptProps) {
  const facts = [formatDue(receipt.createdAt, clock), numberOf(receipt), formatRefund(receipt), formatPaidBy(receipt)].filter(Boolean)
  const difference = formatDifference(receipt)
  return (
    <li data-row={receipt.id} className="border-b border-line">
      <button type="button" onClick={onOpen} className="flex h-17 w-full items-center gap-3 px-4 text-left outline-offset-[-2px]">
        <span className="min-w-0 flex-1">
          <span className="block truncate text-title leading-5 font-semibold text-fg">{receipt.customerName}</span>
          <span className="block truncate text-sm text-fg-2 tabular-nums">{facts.join(' · ')}</span>
        </span>
        {difference && (
          <span className="flex text-warning-fg">
            <TriangleAlert aria-hidden="true" />
            <span className="sr-only">{difference}</span>
          </span>
        )}
        <span className="flex-none text-title font-semibold text-fg tabular-nums">{formatMoney(receipt.totalCents)}</span>
      </button>
    </li>
  )
}
