import { Badge } from '../../../ui/display/Badge.tsx'
import { TableRow, Td } from '../../../ui/display/Table.tsx'
import { type Clock, formatMoney } from '../../../ui/format.ts'
import { formatDeadline } from './deadline.ts'
import type { DisputeData } from './dispute-data.ts'
import { badgeOf, formatReason } from './labels.tsx'

export const disputeColumns = 'minmax(0, 1fr) minmax(0, 1.2fr) 13rem 8rem 9.5rem'

interface DisputeProps {
  dispute: DisputeData
  clock: Clock
  onOpen: () => void
}

const nameOf = ({ contact }: DisputeData): string => `${contact.firstName} ${contact.lastName}`.trim()

export function DisputeRow({ dispute, clock, onOpen, top, isCurrent }: DisputeProps & { top: number; isCurrent: boolean }) {
  const { tone, icon, label } = badgeOf(dispute)
  return (
    <TableRow top={top} current={isCurrent} data-row={dispute.id} onClick={onOpen}>
      <Td whole className="flex items-center">
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation()
            onOpen()
          }}
          className="truncate rounded-xs text-left font-medium text-fg outline-offset-1 hover:underline"
        >
          {nameOf(dispute)}
        </button>
      </Td>
      <Td>{formatReason(dispute.reason)}</Td>
      <Td>{formatDeadline(dispute, clock)}</Td>
      <Td numeric className="font-medium text-fg">
        {formatMoney(dispute.amountCents)}
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
export function DisputeCard({ dispute, clock, onOpen }: DisputeProps) {
  const { tone, icon, label } = badgeOf(dispute)
  const name = nameOf(dispute)
  return (
    <li data-row={dispute.id} className="border-b border-line">
      <button
        type="button"
        onClick={onOpen}
        className="grid h-17 w-full grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 gap-y-1 px-4 text-left outline-offset-[-2px]"
      >
        <span className="truncate text-title leading-5 font-semibold text-fg">{name}</span>
        <span className="text-right text-title leading-5 font-semibold text-fg tabular-nums">{formatMoney(dispute.amountCents)}</span>
        <span className="truncate text-sm text-fg-2">{formatDeadline(dispute, clock)}</span>
        <Badge tone={tone} icon={icon} className="justify-self-end">
          {label}
        </Badge>
      </button>
    </li>
  )
}
