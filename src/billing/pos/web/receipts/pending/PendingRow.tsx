import { Badge } from '../../../../../ui/display/Badge.tsx'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { type Clock, formatDateTime, formatMoney } from '../../../../../ui/format.ts'
import { usePermission } from '../../../../../ui/client/usePermission.ts'
import type { ReceiptData } from '../receipt-data.ts'
import { stateBadges } from '../ReceiptState.tsx'
import { formatItems, formatPaidBy, nextTry } from '../labels.ts'

interface PendingRowProps {
  receipt: ReceiptData
  clock: Clock
  takenBy: string | null
  isTrying: boolean
  onOpen: () => void
  onRetry: () => void
  onCancel: () => void
}

export function PendingRow({ receipt, clock, takenBy, isTrying, onOpen, onRetry, onCancel }: PendingRowProps) {
  const badge = stateBadges[receipt.state]
  const isRefused = receipt.state === 'failed'
  const maySettle = usePermission()(receipt.kind === 'refund' ? 'pos.refund' : 'pos.retry')
  const facts = [
    receipt.kind === 'refund' ? 'Refund' : null,
    formatItems(receipt.lines),
    formatPaidBy(receipt),
    receipt.depositAccountName,
  ].filter(Boolean)
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-3 border-b border-line px-4 py-3.5 md:px-6">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <button
            type="button"
            onClick={onOpen}
            className="relative max-w-full truncate rounded-xs text-md font-semibold text-fg touch-target outline-offset-1 hover:underline"
          >
            {receipt.customerName}
          </button>
          <Badge tone={badge.tone} icon={badge.icon}>
            {badge.label}
          </Badge>
          <span className="ml-auto text-md font-semibold text-fg tabular-nums md:hidden">{formatMoney(receipt.totalCents)}</span>
        </p>
        <p className="text-sm text-fg-2">{facts.join(' · ')}</p>
        <p className="text-sm text-fg-3">
          Taken {formatDateTime(receipt.createdAt, clock)}
          {receipt.createdBy === null ? ' online' : takenBy && ` by ${takenBy}`}
        </p>
        {receipt.problem && (
          <p className="pt-1.5 text-sm text-fg">
            {isRefused ? 'QuickBooks refused it' : 'QuickBooks could not record it'}: {receipt.problem}
          </p>
        )}
        <p className="pt-0.5 text-sm text-fg-2">
          {isRefused
            ? `QuickBooks does not have it. Cancel it here and ${receipt.kind === 'refund' ? 'refund it again' : 'take the payment again'}.`
            : whatNext(receipt, clock)}
        </p>
      </div>
      <p className="flex-none text-md font-semibold text-fg tabular-nums max-md:hidden">{formatMoney(receipt.totalCents)}</p>
      <div className="flex flex-none gap-2 max-md:w-full">
        {maySettle && !isRefused && (
          <Button busy={isTrying} busyLabel="Retrying…" onClick={onRetry}>
            Retry
          </Button>
        )}
        {maySettle && !receipt.isUncertain && (
          <Button variant="danger" disabled={isTrying} onClick={onCancel}>
            Cancel receipt
          </Button>
        )}
      </div>
    </li>
  )
}

function whatNext({ attempts, isUncertain, nextAttemptAt }: ReceiptData, clock: Clock): string {
  const tried = attempts === 1 ? 'Tried once' : `Tried ${attempts} times`
  const next = nextAttemptAt ? `${tried}, next try ${nextTry(nextAttemptAt, clock)}.` : 'It is being recorded.'
  return isUncertain ? `${next} QuickBooks may already have it. Retrying never records it twice.` : next
}
