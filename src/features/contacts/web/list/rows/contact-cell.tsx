import type { ReactElement } from 'react'
import { Avatar } from '../../../../../web/ui/Avatar.tsx'
import { Badge } from '../../../../../web/ui/Badge.tsx'
import { type Clock, formatAge, formatDateTime, formatPhone, formatShortDate } from '../../../../../web/ui/format.ts'
import { Td } from '../../../../../web/ui/Table.tsx'
import { StageName } from '../../../../pipeline/web/embed/StageName.tsx'
import { capitalised, followUp, formerStaff, lastContact, procedureName, sourceName, unknownSource } from '../../contact-text.ts'
import { surelyFits } from '../../../../../web/ui/surely-fits.ts'
import type { ContactRow } from '../../embed/contact-data.ts'
import { byId, type Directory } from '../../embed/directory.ts'
import type { ColumnId } from '../columns/layout.ts'

interface Shown {
  /** Of the column, in px. */
  width: number
  contact: ContactRow
  directory: Directory
  clock: Clock
}

/**
 * What a column shows of a patient. Functions rather than components, and few elements: a scroll makes a row of ten cells each time it comes to
 * the next patient.
 */
export function contactCell(id: ColumnId, { width, contact, directory, clock }: Shown): ReactElement {
  switch (id) {
    case 'stage':
      return (
        <Td key={id} whole className="text-fg">
          <StageName
            stages={directory.stages}
            id={contact.funnelStageId}
            age={formatAge(contact.stageEnteredAt, clock)}
            room={roomIn(width)}
          />
        </Td>
      )
    case 'procedure':
      return textCell(id, width, procedureName(contact, directory))
    case 'phone':
      return textCell(id, width, contact.phone && formatPhone(contact.phone), 'None', 'tabular-nums')
    case 'source': {
      const source = sourceName(contact, directory)
      return textCell(id, width, source === unknownSource ? null : source, source)
    }
    case 'owner':
      return staffCell(id, width, contact.assignedSalesRepId, 'Unassigned', directory)
    case 'provider':
      return staffCell(id, width, contact.assignedProviderId, 'None', directory)
    case 'followUp':
      return followUpCell(id, width, contact.nextFollowUpDate, clock)
    case 'lastContact':
      return lastContactCell(id, width, contact, clock)
    case 'email':
      return textCell(id, width, contact.email)
    case 'city':
      return textCell(id, width, contact.city)
    case 'added':
      return textCell(id, width, formatShortDate(contact.createdAt, clock), 'None', 'tabular-nums')
    case 'status':
      return textCell(id, width, capitalised(contact.status))
  }
}

const quiet = 'text-fg-3'

/** Of a cell's width, what its text has. */
const roomIn = (width: number) => width - 16

function textCell(column: ColumnId, width: number, text: string | null, none = 'None', looks = '') {
  const said = text || none
  return (
    <Td key={column} whole={surelyFits(said, roomIn(width))} className={text ? looks : `${quiet} ${looks}`}>
      {said}
    </Td>
  )
}

/** What an avatar and the gap after it take of a cell, in px. */
const besideAvatar = 28

function staffCell(column: ColumnId, width: number, id: string | null, nobody: string, directory: Directory) {
  const person = byId(directory.people, id)
  if (!person) {
    const isUnknown = id !== null && directory.people.length === 0
    return (
      <Td key={column} className={quiet}>
        {id === null ? nobody : !isUnknown && formerStaff}
      </Td>
    )
  }
  return (
    <Td key={column} className="flex items-center gap-2" whole title={person.fullName}>
      <Avatar kind="staff" size="xs" id={person.id} firstName={person.firstName} lastName={person.lastName} />
      <span className={surelyFits(person.firstName, roomIn(width) - besideAvatar) ? '' : 'truncate'}>{person.firstName}</span>
    </Td>
  )
}

const dueLooks = { overdue: 'text-danger-fg', today: 'font-medium text-fg', later: '' }

function followUpCell(column: ColumnId, width: number, instant: string | null, clock: Clock) {
  const due = followUp(instant, clock)
  if (!due || instant === null) return textCell(column, width, null)
  return (
    <Td
      key={column}
      whole={surelyFits(due.text, roomIn(width))}
      title={formatDateTime(instant, clock)}
      aria-label={due.when === 'overdue' ? `${due.text} (overdue)` : undefined}
      className={`tabular-nums ${dueLooks[due.when]}`}
    >
      {due.text}
    </Td>
  )
}

function lastContactCell(column: ColumnId, width: number, contact: ContactRow, clock: Clock) {
  const last = lastContact(contact, clock)
  if (last === null) return textCell(column, width, null, 'None', 'text-right')
  const at = contact.lastContactDate
  const isNew = last === 'new'
  return (
    <Td
      key={column}
      numeric
      whole={isNew || surelyFits(last.ago, roomIn(width))}
      title={at === null ? undefined : formatDateTime(at, clock)}
    >
      {isNew ? <Badge tone="accent">New</Badge> : last.ago}
    </Td>
  )
}
