import { Avatar } from '../../../../../web/ui/Avatar.tsx'
import { Badge } from '../../../../../web/ui/Badge.tsx'
import { cn } from '../../../../../web/ui/cn.ts'
import { type Clock, formatAge, formatDateTime, formatPhone, formatShortDate } from '../../../../../web/ui/format.ts'
import { None, Td } from '../../../../../web/ui/Table.tsx'
import { StageName } from '../../../../pipeline/web/embed/StageName.tsx'
import { capitalised, followUp, formerStaff, lastContact, procedureName, sourceName, unknownSource } from '../../contact-text.ts'
import type { ContactRow } from '../../embed/contact-data.ts'
import { byId, type Directory } from '../../embed/directory.ts'
import type { ColumnId } from '../columns/layout.ts'

interface ContactCellProps {
  id: ColumnId
  contact: ContactRow
  directory: Directory
  clock: Clock
}

/** What a column shows of a patient. What cuts its own text off needs no cell that does: each such box costs the scrolling time. */
export function ContactCell({ id, contact, directory, clock }: ContactCellProps) {
  switch (id) {
    case 'stage':
      return (
        <Td className="overflow-visible text-fg">
          <StageName stages={directory.stages} id={contact.funnelStageId} age={formatAge(contact.stageEnteredAt, clock)} />
        </Td>
      )
    case 'procedure':
      return <Td>{procedureName(contact, directory) ?? <None />}</Td>
    case 'phone':
      return <Td className="tabular-nums">{contact.phone ? formatPhone(contact.phone) : <None />}</Td>
    case 'source': {
      const source = sourceName(contact, directory)
      return <Td>{source === unknownSource ? <None>{source}</None> : source}</Td>
    }
    case 'owner':
      return (
        <Td className="overflow-visible">
          <Staff id={contact.assignedSalesRepId} nobody="Unassigned" directory={directory} />
        </Td>
      )
    case 'provider':
      return (
        <Td className="overflow-visible">
          <Staff id={contact.assignedProviderId} nobody="None" directory={directory} />
        </Td>
      )
    case 'followUp':
      return (
        <Td className="tabular-nums">
          <FollowUpText instant={contact.nextFollowUpDate} clock={clock} />
        </Td>
      )
    case 'lastContact':
      return (
        <Td numeric>
          <LastContact contact={contact} clock={clock} />
        </Td>
      )
    case 'email':
      return <Td>{contact.email ?? <None />}</Td>
    case 'city':
      return <Td>{contact.city ?? <None />}</Td>
    case 'added':
      return <Td className="tabular-nums">{formatShortDate(contact.createdAt, clock)}</Td>
    case 'status':
      return <Td>{capitalised(contact.status)}</Td>
  }
}

function Staff({ id, nobody, directory }: { id: string | null; nobody: string; directory: Directory }) {
  if (id === null) return <None>{nobody}</None>
  const person = byId(directory.people, id)
  if (!person) return directory.people.length > 0 ? <None>{formerStaff}</None> : null
  return (
    <span className="flex items-center gap-2" title={person.fullName}>
      <Avatar kind="staff" size="xs" id={person.id} firstName={person.firstName} lastName={person.lastName} />
      <span className="truncate">{person.firstName}</span>
    </span>
  )
}

function FollowUpText({ instant, clock }: { instant: string | null; clock: Clock }) {
  const due = followUp(instant, clock)
  if (!due || instant === null) return <None />
  return (
    <span
      title={formatDateTime(instant, clock)}
      className={cn(due.when === 'overdue' && 'text-danger-fg', due.when === 'today' && 'font-medium text-fg')}
    >
      {due.text}
      {due.when === 'overdue' && <span className="sr-only"> (overdue)</span>}
    </span>
  )
}

function LastContact({ contact, clock }: { contact: ContactRow; clock: Clock }) {
  const last = lastContact(contact, clock)
  if (last === null) return <None />
  if (last === 'new') return <Badge tone="accent">New</Badge>
  return <span title={contact.lastContactDate ? formatDateTime(contact.lastContactDate, clock) : undefined}>{last.ago}</span>
}
