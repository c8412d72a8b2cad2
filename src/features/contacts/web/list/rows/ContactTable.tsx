import { useNavigate } from '@tanstack/react-router'
import { memo, type MouseEvent } from 'react'
import { Avatar } from '../../../../../web/ui/Avatar.tsx'
import { Checkbox } from '../../../../../web/ui/Checkbox.tsx'
import type { Clock } from '../../../../../web/ui/format.ts'
import { Skeleton } from '../../../../../web/ui/Skeleton.tsx'
import { Table, TableBody, TableHead, TableRow, Td, Th } from '../../../../../web/ui/Table.tsx'
import { type ContactRow, fullName } from '../../embed/contact-data.ts'
import type { Directory } from '../../embed/directory.ts'
import { isSelected } from '../bulk/selection.ts'
import { HeadCell } from '../columns/HeadCell.tsx'
import { type ColumnId, type ColumnLayout, fitting, widthOf, resized } from '../columns/layout.ts'
import type { Density } from '../useDensity.ts'
import { ContactCell } from './ContactCell.tsx'
import { matchedOther } from '../../matched-other.ts'
import { PageFailed } from './PageFailed.tsx'
import type { RowsToDraw } from './rows-to-draw.ts'
import { useKeptFocus } from './useKeptFocus.ts'

interface ContactTableProps extends RowsToDraw {
  density: Density
  layout: ColumnLayout
  /** How wide the list is. */
  room: number
  onLayout: (layout: ColumnLayout) => void
  /** Whether all, some or none of the page at the top are selected. */
  pageSelected: boolean | 'indeterminate'
  onTogglePage: () => void
}

export function ContactTable({
  drawn,
  count,
  height,
  density,
  layout,
  room,
  onLayout,
  pageSelected,
  onTogglePage,
  ...row
}: ContactTableProps) {
  const shown = fitting(layout, room)
  const columnsKey = shown.join(' ')
  return (
    <Table
      density={density}
      columns={`3rem minmax(0, 1fr) ${shown.map((id) => `${widthOf(layout, id)}px`).join(' ')}`}
      aria-label="Patients"
      aria-rowcount={count + 1}
    >
      <TableHead>
        <Th className="pr-0 pl-6">
          <Checkbox aria-label="Select this page" checked={pageSelected} onCheckedChange={onTogglePage} />
        </Th>
        <Th>Patient</Th>
        {shown.map((id) => (
          <HeadCell key={id} id={id} width={widthOf(layout, id)} onResize={(width) => onLayout(resized(layout, id, width))} />
        ))}
      </TableHead>
      <TableBody height={height}>
        {drawn.map(({ key, index, top, contact, failed }) =>
          contact ? (
            <Row
              key={key}
              contact={contact}
              foundBy={matchedOther(contact, row.term)}
              index={index}
              top={top}
              density={density}
              columnsKey={columnsKey}
              directory={row.directory}
              clock={row.clock}
              onOpen={row.onOpen}
              onToggle={row.onToggle}
              current={row.currentIndex === index}
              selected={isSelected(row.selection, contact.id)}
              isStop={row.stopIndex === index}
            />
          ) : (
            <TableRow key={key} id={`row-${index}`} tabIndex={-1} aria-rowindex={index + 2} top={top} current={row.currentIndex === index}>
              <Td />
              {failed ? <PageFailed as="td" retrying={row.retrying} onRetry={row.onRetry} /> : <Waiting />}
            </TableRow>
          ),
        )}
      </TableBody>
    </Table>
  )
}

function Waiting() {
  return (
    <Td aria-label="Loading">
      <Skeleton className="w-2/5 bg-active" />
    </Td>
  )
}

interface RowProps extends Pick<RowsToDraw, 'onOpen' | 'onToggle'> {
  contact: ContactRow
  foundBy: string | null
  index: number
  top: number
  directory: Directory
  clock: Clock
  density: Density
  /** The columns that are shown, as one text: a row is drawn anew only when they change. */
  columnsKey: string
  current: boolean
  selected: boolean
  /** One stop for Tab in the whole list; arrows do the rest. */
  isStop: boolean
}

const Row = memo(function Row({
  contact,
  foundBy,
  index,
  top,
  density,
  columnsKey,
  directory,
  clock,
  current,
  selected,
  isStop,
  onToggle,
  onOpen,
}: RowProps) {
  const navigate = useNavigate()
  const keepFocus = useKeptFocus()
  const name = fullName(contact)
  const address = `/contacts/${contact.id}`

  // The name is the link; the rest of the row is only a larger target for the pointer, and leaves text that is being selected alone.
  function open(event: MouseEvent<HTMLElement>) {
    const target = event.target as Element
    const onLink = target.closest('a') !== null
    if (target.closest('button, input') || (!onLink && getSelection()?.isCollapsed === false)) return
    onOpen(contact.id)
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button === 1
    // A link's own tabs and windows are the browser's affair.
    if (elsewhere && onLink) return
    event.preventDefault()
    if (elsewhere) window.open(address, '_blank')
    else void navigate({ to: '/contacts/$id', params: { id: contact.id } })
  }

  return (
    <TableRow
      ref={keepFocus}
      data-row={contact.id}
      aria-rowindex={index + 2}
      top={top}
      current={current}
      selected={selected}
      onClick={open}
      onAuxClick={(event) => event.button === 1 && open(event)}
    >
      <Td className="flex items-center overflow-visible pr-0">
        <Checkbox
          aria-label={`Select ${name}`}
          checked={selected}
          tabIndex={isStop ? 0 : -1}
          onCheckedChange={(_, withShift) => onToggle(contact.id, withShift)}
        />
      </Td>
      <Td className="overflow-visible">
        <div className="flex items-center gap-2.5">
          <Avatar kind="patient" size={density === 'compact' ? 'sm' : 'md'} firstName={contact.firstName} lastName={contact.lastName} />
          <div className="min-w-0 leading-4">
            {/* Not the router's own link: that one watches the router, and there would be dozens of them. */}
            <a
              href={address}
              id={`patient-${contact.id}`}
              tabIndex={isStop ? 0 : -1}
              className="block truncate rounded-xs leading-4.5 font-medium text-fg outline-offset-1"
            >
              {name}
              {density === 'compact' && foundBy && <span className="font-regular text-fg-3"> · {foundBy}</span>}
            </a>
            {density === 'default' && <div className="truncate text-xs text-fg-3">{foundBy ?? contact.email ?? 'No email'}</div>}
          </div>
        </div>
      </Td>
      {columnsKey
        .split(' ')
        .map((id) => id !== '' && <ContactCell key={id} id={id as ColumnId} contact={contact} directory={directory} clock={clock} />)}
    </TableRow>
  )
})
