import type { ReactElement } from 'react'
import { Avatar } from '../../../../../ui/display/Avatar.tsx'
import { Badge } from '../../../../../ui/display/Badge.tsx'
import { type Clock, formatAge, formatDateTime, formatPhone, formatShortDate } from '../../../../../ui/format.ts'
import { Td } from '../../../../../ui/display/Table.tsx'
import { StageName } from '../../../../pipeline/web/embed/StageName.tsx'
import { capitalised, followUp, formerStaff, lastContact, procedureName, sourceName, unknownSource } from '../../embed/contact-text.ts'
import { surelyFits } from '../../../../../ui/hooks/text-fits.ts'
import type { ContactRow } from '../../embed/contact-data.ts'
import { valueText } from '../../embed/field-labels.ts'
import { byId, type Directory } from '../../embed/directory.ts'
import type { ColumnId } from '../columns/layout.ts'

interface Shown {
  /** The width available for text, in px. */
  room: number
  contact: ContactRow
  directory: Directory
  clock: Clock
}

/**
 * The cell of a column. Uses functions instead of components, and few elements, because scrolling renders ten cells for every new row.
 */
export function contactCell(id: ColumnId, { room, contact, directory, clock }: Shown): ReactElement {
  switch (id) {
    case 'stage':
      return (
        <Td key={id} whole className="text-fg">
          <StageName stages={directory.stages} id={contact.funnelStageId} age={formatAge(contact.stageEnteredAt, clock)} room={room} />
        </Td>
      )
    case 'procedure':
      return textCell(id, room, procedureName(contact, directory))
    case 'phone':
      return textCell(id, room, contact.phone && formatPhone(contact.phone), 'None', 'tabular-nums')
    case 'source': {
      const source = sourceName(contact, directory)
      return textCell(id, room, source === unknownSource ? null : source, source)
    }
    case 'owner':
      return staffCell(id, room, contact.assignedSalesRepId, 'Unassigned', directory)
    case 'provider':
      return staffCell(id, room, contact.assignedProviderId, 'None', directory)
    case 'followUp':
      return followUpCell(id, room, contact.nextFollowUpDate, clock)
    case 'lastContact':
      return lastContactCell(id, room, contact, clock)
    case 'added':
      return textCell(id, room, formatShortDate(contact.createdAt, clock), 'None', 'tabular-nums')
    case 'status':
      return textCell(id, room, capitalised(contact.status))
    default:
      return textCell(id, room, contact[id] && valueText(id, contact[id]))
  }
}

const quiet = 'text-fg-3'

function textCell(column: ColumnId, room: number, text: string | null, none = 'None', styles = '') {
  const content = text || none
  return (
    <Td key={column} whole={surelyFits(content, room)} className={text ? styles : `${quiet} ${styles}`}>
      {content}
    </Td>
  )
}

/** The width of the avatar and its gap, in px. */
const avatarWidth = 28

function staffCell(column: ColumnId, room: number, id: string | null, none: string, directory: Directory) {
  const person = byId(directory.people, id)
  if (!person) {
    return (
      <Td key={column} className={quiet}>
        {id === null ? none : directory.people.length > 0 && formerStaff}
      </Td>
    )
  }
  return (
    <Td key={column} className="flex items-center gap-2" whole title={person.fullName}>
      <Avatar kind="staff" size="xs" id={person.id} firstName={person.firstName} lastName={person.lastName} />
      <span className={surelyFits(person.firstName, room - avatarWidth) ? '' : 'truncate'}>{person.firstName}</span>
    </Td>
  )
}

const dueStyles = { overdue: 'text-danger-fg', today: 'font-medium text-fg', later: '' }

function followUpCell(column: ColumnId, room: number, instant: string | null, clock: Clock) {
  const due = followUp(instant, clock)
  if (!due || instant === null) return textCell(column, room, null)
  return (
    <Td
      key={column}
      whole={surelyFits(due.text, room)}
      title={formatDateTime(instant, clock)}
      aria-label={due.when === 'overdue' ? `${due.text} (overdue)` : undefined}
      className={`tabular-nums ${dueStyles[due.when]}`}
    >
      {due.text}
    </Td>
  )
}

function lastContactCell(column: ColumnId, room: number, contact: ContactRow, clock: Clock) {
  const last = lastContact(contact, clock)
  if (last === null) return textCell(column, room, null, 'None', 'text-right')
  const at = contact.lastContactDate
  const isNew = last === 'new'
  return (
    <Td key={column} numeric whole={isNew || surelyFits(last.ago, room)} title={at === null ? undefined : formatDateTime(at, clock)}>
      {isNew ? <Badge tone="accent">New</Badge> : last.ago}
    </Td>
  )
}
