import { CalendarClock } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '../../../../ui/display/Avatar.tsx'
import { cn } from '../../../../ui/cn.ts'
import { type Clock, formatAge, formatDateTime } from '../../../../ui/format.ts'
import { None } from '../../../../ui/display/Table.tsx'
import { followUp, formerStaff, procedureName } from '../embed/contact-text.ts'
import { byId, type Directory } from '../embed/directory.ts'
import type { Card } from './useBoard.ts'

interface CardContentProps {
  card: Card
  directory: Directory
  clock: Clock
  /** The patient's name, as a link on the board and as text under the pointer. */
  name: ReactNode
  menu?: ReactNode
}

/** The content of a card: name, procedure or lost reason, time in stage, owner and next follow-up. */
export function CardContent({ card, directory, clock, name, menu }: CardContentProps) {
  const due = followUp(card.nextFollowUpDate, clock)
  return (
    <>
      <span className="flex h-6 items-center gap-1">
        {name}
        {menu}
      </span>
      <span className="flex items-baseline justify-between gap-2 text-xs">
        <span className="truncate text-fg-2">{card.lostReason ?? procedureName(card, directory) ?? <None>No procedure</None>}</span>
        <span className="flex-none text-fg-3 tabular-nums" title={`In this stage since ${formatDateTime(card.stageEnteredAt, clock)}`}>
          {formatAge(card.stageEnteredAt, clock)}
          <span className="sr-only"> in this stage</span>
        </span>
      </span>
      <span className="flex h-6 items-center justify-between gap-2 pt-1 text-xs">
        <Owner id={card.assignedSalesRepId} directory={directory} />
        {due && card.nextFollowUpDate !== null && (
          <span
            title={`Next follow-up ${formatDateTime(card.nextFollowUpDate, clock)}`}
            className={cn(
              'flex flex-none items-center gap-1 tabular-nums [&_svg]:size-3.5',
              due.when === 'overdue' ? 'text-danger-fg' : due.when === 'today' ? 'font-medium text-fg' : 'text-fg-2',
            )}
          >
            <CalendarClock aria-hidden="true" />
            <span className="sr-only">Next follow-up{due.when === 'overdue' ? ', overdue,' : ''} </span>
            {due.text}
          </span>
        )}
      </span>
    </>
  )
}

function Owner({ id, directory }: { id: string | null; directory: Directory }) {
  const person = byId(directory.people, id)
  if (id === null) return <None>Unassigned</None>
  if (!person) return directory.people.length > 0 ? <None>{formerStaff}</None> : <span />
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-fg-2" title={person.fullName}>
      <Avatar kind="staff" size="xs" id={person.id} firstName={person.firstName} lastName={person.lastName} />
      <span className="truncate">{person.firstName}</span>
    </span>
  )
}
