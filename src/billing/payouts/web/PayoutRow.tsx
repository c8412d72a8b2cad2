import { Badge } from '../../../ui/display/Badge.tsx'
import { None, TableRow, Td } from '../../../ui/display/Table.tsx'
import { formatDay, formatMoney } from '../../../ui/format.ts'
import { differenceLabels } from '../rules.ts'
import { badgeOf } from './labels.tsx'
import type { PayoutData } from './payout-data.ts'

export const payoutColumns = 'minmax(9rem, 1fr) 8.5rem 8.5rem 7rem 8.5rem 9.5rem'

interface PayoutProps {
  payout: PayoutData
  onOpen: () => void
}

/** What is taken off the payments besides the fees. */
const otherCents = ({ refundCents, disputeCents, otherCents: others }: PayoutData): number => refundCents + disputeCents + others

const Amount = ({ cents, payout }: { cents: number; payout: PayoutData }) =>
  payout.state === 'reading' ? <None>Not known yet</None> : cents === 0 ? <None>{formatMoney(0)}</None> : formatMoney(cents)

/** What there is to know about it at a glance: what differs, or why it is not posted. */
const summaryOf = ({ state, differences, deposit, postingProblem }: PayoutData): string | null => {
  if (state === 'differences') return differences.map(({ kind }) => differenceLabels[kind]).join('; ')
  return (state === 'matched' && (deposit?.problem ?? postingProblem)) || null
}

export function PayoutRow({ payout, onOpen, top, isCurrent }: PayoutProps & { top: number; isCurrent: boolean }) {
  const { tone, icon, label } = badgeOf(payout)
  const summary = summaryOf(payout)
  return (
    <TableRow top={top} current={isCurrent} data-row={payout.id} onClick={onOpen}>
      <Td whole className="flex flex-col justify-center">
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation()
            onOpen()
          }}
          className="truncate rounded-xs text-left leading-4.5 font-medium text-fg outline-offset-1 hover:underline"
        >
          {formatDay(payout.arrivesOn)}
        </button>
        {summary !== null && <span className="truncate text-xs text-fg-3">{summary}</span>}
      </Td>
      <Td numeric>
        <Amount cents={payout.grossCents} payout={payout} />
      </Td>
      <Td numeric>
        <Amount cents={otherCents(payout)} payout={payout} />
      </Td>
      <Td numeric>
        <Amount cents={-payout.feeCents} payout={payout} />
      </Td>
      <Td numeric className="font-medium text-fg">
        {formatMoney(payout.amountCents)}
      </Td>
      <Td whole className="flex items-center justify-end">
        <Badge tone={tone} icon={icon}>
          {label}
        </Badge>
      </Td>
    </TableRow>
  )
}

/** The row on a phone, 68 px high. */
export function PayoutCard({ payout, onOpen }: PayoutProps) {
  const { tone, icon, label } = badgeOf(payout)
  const day = formatDay(payout.arrivesOn)
  const sums = `Payments ${formatMoney(payout.grossCents)} · fees ${formatMoney(payout.feeCents)}`
  const facts = payout.state === 'reading' ? 'Being read from Stripe' : sums
  return (
    <li data-row={payout.id} className="border-b border-line">
      <button
        type="button"
        onClick={onOpen}
        className="grid h-17 w-full grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 gap-y-1 px-4 text-left outline-offset-[-2px]"
      >
        <span className="truncate text-title leading-5 font-semibold text-fg">{day}</span>
        <span className="text-right text-title leading-5 font-semibold text-fg tabular-nums">{formatMoney(payout.amountCents)}</span>
        <span className="truncate text-sm text-fg-2 tabular-nums">{facts}</span>
        <Badge tone={tone} icon={icon} className="justify-self-end">
          {label}
        </Badge>
      </button>
    </li>
  )
}
