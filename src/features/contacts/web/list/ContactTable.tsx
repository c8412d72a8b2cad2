import { Link, useNavigate } from '@tanstack/react-router'
import { memo, type MouseEvent } from 'react'
import { Avatar } from '../../../../web/ui/Avatar.tsx'
import { Badge } from '../../../../web/ui/Badge.tsx'
import { Checkbox } from '../../../../web/ui/Checkbox.tsx'
import { cn } from '../../../../web/ui/cn.ts'
import { type Clock, formatAge, formatDateTime, formatPhone, formatShortDate } from '../../../../web/ui/format.ts'
import { None, Table, TableHead, TableRow, Td, Th } from '../../../../web/ui/Table.tsx'
import { StageName } from '../../../pipeline/web/embed/StageName.tsx'
import { capitalised, followUp, formerStaff, lastContact, procedureName, sourceName, unknownSource } from '../contact-text.ts'
import { type ContactRow, fullName } from '../embed/contact-data.ts'
import { byId, type Directory } from '../embed/directory.ts'
import { isSelected, pageState, type Selection } from './bulk/selection.ts'
import { HeadCell } from './columns/HeadCell.tsx'
import { type ColumnId, type ColumnLayout, fitting, resized, widthOf } from './columns/layout.ts'
import type { Density } from './useDensity.ts'

interface RowsProps {
  rows: readonly ContactRow[]
  directory: Directory
  clock: Clock
  /** The row that the keyboard is on. */
  current: string | null
  selection: Selection
  /** Selects or lets go; `range`: everybody up to this one. */
  onToggle: (id: string, range: boolean) => void
  onOpen: (id: string) => void
}

interface ContactTableProps extends RowsProps {
  density: Density
  layout: ColumnLayout
  /** How wide the list is. */
  room: number
  onLayout: (layout: ColumnLayout) => void
  onTogglePage: () => void
}

export function ContactTable({ rows, density, layout, room, onLayout, selection, onTogglePage, ...row }: ContactTableProps) {
  const shown = fitting(layout, room)
  const columnsKey = shown.join(' ')
  return (
    <Table density={density} className="table-fixed" aria-label="Patients">
      <TableHead>
        <Th className="w-12 pr-0 pl-6">
          <Checkbox
            aria-label="Select this page"
            checked={pageState(
              selection,
              rows.map(({ id }) => id),
            )}
            onCheckedChange={onTogglePage}
          />
        </Th>
        <Th>Patient</Th>
        {shown.map((id) => (
          <HeadCell key={id} id={id} width={widthOf(layout, id)} onResize={(width) => onLayout(resized(layout, id, width))} />
        ))}
      </TableHead>
      <tbody>
        {rows.map((contact, index) => (
          <Row
            key={contact.id}
            contact={contact}
            density={density}
            columnsKey={columnsKey}
            {...row}
            current={row.current === contact.id}
            selected={isSelected(selection, contact.id)}
            // One stop for Tab in the whole list; arrows do the rest.
            isStop={row.current === contact.id || (index === 0 && !rows.some(({ id }) => id === row.current))}
          />
        ))}
      </tbody>
    </Table>
  )
}

interface RowProps extends Pick<RowsProps, 'directory' | 'clock' | 'onOpen' | 'onToggle'> {
  contact: ContactRow
  density: Density
  /** The columns that are shown, as one text: a row is drawn anew only when they change. */
  columnsKey: string
  current: boolean
  selected: boolean
  isStop: boolean
}

const Row = memo(function Row({ contact, density, columnsKey, directory, clock, current, selected, isStop, onToggle, onOpen }: RowProps) {
  const navigate = useNavigate()
  const name = fullName(contact)
  const link = { to: '/contacts/$id', params: { id: contact.id } } as const

  // The name is the link; the rest of the row is only a larger target for the pointer, and leaves text that is being selected alone.
  function open(event: MouseEvent<HTMLElement>) {
    if ((event.target as Element).closest('a, button, input') || getSelection()?.isCollapsed === false) return
    onOpen(contact.id)
    if (event.ctrlKey || event.metaKey || event.button === 1) window.open(`/contacts/${contact.id}`, '_blank')
    else void navigate(link)
  }

  return (
    <TableRow
      data-row={contact.id}
      current={current}
      selected={selected}
      onClick={open}
      onAuxClick={(event) => event.button === 1 && open(event)}
      className="scroll-mt-9"
    >
      <Td className="overflow-visible pr-0">
        <Checkbox
          aria-label={`Select ${name}`}
          checked={selected}
          tabIndex={isStop ? 0 : -1}
          onCheckedChange={(_, withShift) => onToggle(contact.id, withShift)}
        />
      </Td>
      <Td>
        <div className="flex items-center gap-2.5">
          <Avatar kind="patient" size={density === 'compact' ? 'sm' : 'md'} firstName={contact.firstName} lastName={contact.lastName} />
          <div className="min-w-0 leading-4">
            <Link
              {...link}
              id={`patient-${contact.id}`}
              tabIndex={isStop ? 0 : -1}
              onClick={() => onOpen(contact.id)}
              className="block truncate rounded-xs leading-4.5 font-medium text-fg outline-offset-1"
            >
              {name}
            </Link>
            {density === 'default' && <div className="truncate text-xs text-fg-3">{contact.email ?? 'No email'}</div>}
          </div>
        </div>
      </Td>
      {columnsKey
        .split(' ')
        .map((id) => id !== '' && <Cell key={id} id={id as ColumnId} contact={contact} directory={directory} clock={clock} />)}
    </TableRow>
  )
})

function Cell({ id, contact, directory, clock }: { id: ColumnId; contact: ContactRow; directory: Directory; clock: Clock }) {
  switch (id) {
    case 'stage':
      return (
        <Td className="text-fg">
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
        <Td>
          <Staff id={contact.assignedSalesRepId} nobody="Unassigned" directory={directory} />
        </Td>
      )
    case 'provider':
      return (
        <Td>
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
