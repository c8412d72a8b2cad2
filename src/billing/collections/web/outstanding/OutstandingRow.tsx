import { OctagonPause } from 'lucide-react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { cn } from '../../../../ui/cn.ts'
import { type Clock, formatAgo, formatDateTime, formatDay, formatMoney, today } from '../../../../ui/format.ts'
import { None, TableRow, Td } from '../../../../ui/display/Table.tsx'
import type { OutstandingData } from '../account-data.ts'
import { formatDue } from '../account-labels.ts'

export const outstandingColumns = 'minmax(0,1fr) 7.5rem 7.5rem 7.5rem 6.5rem 8rem 6rem 6.5rem 8rem'

interface OutstandingProps {
  owing: OutstandingData
  clock: Clock
  people: readonly Person[]
  onOpen: () => void
}

const nameOf = ({ contact: { firstName, lastName } }: OutstandingData) => `${firstName} ${lastName}`
const late = 'font-medium text-danger-fg'

export function OutstandingRow({ owing, clock, people, onOpen, top, isCurrent }: OutstandingProps & { top: number; isCurrent: boolean }) {
  const day = today(clock)
  const { promise } = owing
  const due = formatDue(owing.nextDueOn, day)
  return (
    <TableRow top={top} current={isCurrent} data-row={owing.contact.id} onClick={onOpen}>
      <Td whole className="flex flex-col items-start justify-center">
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation()
            onOpen()
          }}
          className="max-w-full truncate rounded-xs text-left leading-4.5 font-medium text-fg outline-offset-1 hover:underline"
        >
          {nameOf(owing)}
        </button>
        <ProcedureLine owing={owing} className="max-w-full truncate text-xs text-fg-3" />
      </Td>
      <Td numeric className="font-medium text-fg">
        {formatMoney(owing.balanceCents)}
      </Td>
      <Td numeric>{owing.beforeSurgeryCents > 0 ? formatMoney(owing.beforeSurgeryCents) : <None />}</Td>
      <Td className="tabular-nums">{formatDay(owing.nextDueOn)}</Td>
      <Td whole className="flex items-center">
        <Badge tone={due.tone}>{due.label}</Badge>
      </Td>
      <Td whole className="flex flex-col justify-center tabular-nums">
        {promise ? (
          <>
            <span className="truncate leading-4.5">{formatMoney(promise.amountCents ?? 0)}</span>
            {promise.dueOn && (
              <span className={cn('truncate text-xs', promise.dueOn < day ? late : 'text-fg-3')}>by {formatDay(promise.dueOn)}</span>
            )}
          </>
        ) : (
          <None />
        )}
      </Td>
      <Td whole>{owing.isHeld ? <OnHold /> : <None />}</Td>
      <Td>
        {owing.lastContactDate ? (
          <span title={formatDateTime(owing.lastContactDate, clock)}>{formatAgo(owing.lastContactDate, clock)}</span>
        ) : (
          <None>Never</None>
        )}
      </Td>
      <Td>{owing.ownerId === null ? <None>Unassigned</None> : ownerOf(owing.ownerId, people)}</Td>
    </TableRow>
  )
}

/** 'Facelift, Sep 24, 2026'; without a surgery the procedure of interest alone. */
function ProcedureLine({ owing: { procedure }, className }: { owing: OutstandingData; className: string }) {
  if (!procedure) return null
  const { name, surgeryDay } = procedure
  const text = surgeryDay ? `${name}, ${formatDay(surgeryDay)}` : name
  return (
    <span title={text} className={className}>
      {text}
    </span>
  )
}

/** Those who have left are not among the people; none are until they have arrived. */
const ownerOf = (id: string, people: readonly Person[]) =>
  people.find((person) => person.id === id)?.fullName ?? (people.length > 0 && <None>Former staff</None>)

const OnHold = () => (
  <Badge tone="warning" icon={<OctagonPause />}>
    On hold
  </Badge>
)

/** The same on a phone: 68 high. */
export function OutstandingCard({ owing, clock, onOpen }: Omit<OutstandingProps, 'people'>) {
  const due = formatDue(owing.nextDueOn, today(clock))
  return (
    <li data-row={owing.contact.id} className="border-b border-line">
      <button type="button" onClick={onOpen} className="flex h-17 w-full items-center gap-3 px-4 text-left outline-offset-[-2px] md:px-6">
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <span className="truncate text-title leading-5 font-semibold text-fg">{nameOf(owing)}</span>
            {owing.isHeld && <OnHold />}
          </span>
          <span className="flex items-center gap-2 text-sm tabular-nums">
            <span className="truncate text-fg-2">{owing.procedure?.name ?? formatDay(owing.nextDueOn)}</span>
            <Badge tone={due.tone}>{due.label}</Badge>
          </span>
        </span>
        <span className="flex-none text-right tabular-nums">
          <span className="block text-title leading-5 font-semibold text-fg">{formatMoney(owing.balanceCents)}</span>
          {owing.beforeSurgeryCents > 0 && <span className="block text-sm text-fg-2">before surgery</span>}
        </span>
      </button>
    </li>
  )
}
