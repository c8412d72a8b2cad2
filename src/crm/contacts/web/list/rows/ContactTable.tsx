import { useNavigate } from '@tanstack/react-router'
import { memo, type MouseEvent, useMemo } from 'react'
import { useClock } from '../../../../../ui/client/session.ts'
import { Avatar } from '../../../../../ui/display/Avatar.tsx'
import { Checkbox } from '../../../../../ui/controls/Checkbox.tsx'
import type { Clock } from '../../../../../ui/format.ts'
import { Skeleton } from '../../../../../ui/display/Skeleton.tsx'
import { surelyFits } from '../../../../../ui/hooks/text-fits.ts'
import { Table, TableBody, TableHead, TableRow, Td, Th } from '../../../../../ui/display/Table.tsx'
import { type ContactRow, fullName } from '../../embed/contact-data.ts'
import type { Directory } from '../../embed/directory.ts'
import { isSelected } from '../bulk/selection.ts'
import { HeadCell } from '../columns/HeadCell.tsx'
import { type ColumnId, type ColumnLayout, fitting, widthOf, resized } from '../columns/layout.ts'
import type { Density } from '../useDensity.ts'
import type { RowDisplay } from '../row-display.ts'
import { contactCell } from './contact-cell.tsx'
import { matchedOther } from '../../matched-other.ts'
import { PageFailed } from './PageFailed.tsx'
import type { RowsToDraw } from './visible-rows.ts'
import { useFocusFallback } from './useFocusFallback.ts'

/** In px: the checkbox column; the padding of a cell, and of the last cell of a row; and the avatar in the patient column. */
const [checkboxWidth, cellPadding, lastCellPadding, avatarWidth] = [48, 16, 32, 38]

interface ContactTableProps extends RowsToDraw {
  display: RowDisplay
  /** The width of the list. */
  room: number
}

export function ContactTable({ drawn, list, contacts, term, directory, display, room }: ContactTableProps) {
  const clock = useClock()
  const { density, layout, onLayout } = display
  const { count, currentIndex, onOpen, bulk } = list
  const { selection, toggle: onToggle } = bulk
  const shown = fitting(layout, room)
  const nameWidth = room - shown.reduce((sum, id) => sum + widthOf(layout, id), checkboxWidth)
  const columnsKey = shown.map((id) => `${id}:${widthOf(layout, id)}`).join(' ')
  const table = useMemo(
    () => ({ density, nameWidth, columnsKey, directory, clock, onOpen, onToggle }),
    [density, nameWidth, columnsKey, directory, clock, onOpen, onToggle],
  )
  return (
    <Table
      density={density}
      columns={`3rem minmax(0, 1fr) ${shown.map((id) => `${widthOf(layout, id)}px`).join(' ')}`}
      aria-label="Patients"
      aria-rowcount={count + 1}
    >
      <Head layout={layout} columnsKey={columnsKey} onLayout={onLayout} pageSelected={bulk.pageSelected} onTogglePage={bulk.togglePage} />
      <TableBody height={list.rows.height}>
        {drawn.map(({ key, index, top, contact, failed }) =>
          contact ? (
            <Row
              key={key}
              contact={contact}
              foundBy={matchedOther(contact, term)}
              index={index}
              top={top}
              table={table}
              current={currentIndex === index}
              selected={isSelected(selection, contact.id)}
              isStop={list.stopIndex === index}
            />
          ) : (
            <TableRow key={key} id={`row-${index}`} tabIndex={-1} aria-rowindex={index + 2} top={top} current={currentIndex === index}>
              <Td />
              {failed ? <PageFailed role="cell" retrying={contacts.isRetrying} onRetry={contacts.retry} /> : <LoadingCell />}
            </TableRow>
          ),
        )}
      </TableBody>
    </Table>
  )
}

interface HeadProps {
  layout: ColumnLayout
  columnsKey: string
  onLayout: (layout: ColumnLayout) => void
  /** Whether all, some or none of the page at the top are selected. */
  pageSelected: boolean | 'indeterminate'
  onTogglePage: () => void
}

/** Memoized, so that it does not render again with the rows. */
const Head = memo(function Head({ layout, columnsKey, onLayout, pageSelected, onTogglePage }: HeadProps) {
  return (
    <TableHead>
      <Th className="pr-0 pl-6">
        <Checkbox aria-label="Select this page" checked={pageSelected} onCheckedChange={onTogglePage} />
      </Th>
      <Th>Patient</Th>
      {columnsOf(columnsKey).map(({ id, width }) => (
        <HeadCell key={id} id={id} width={width} onResize={(width) => onLayout(resized(layout, id, width))} />
      ))}
    </TableHead>
  )
})

function LoadingCell() {
  return (
    <Td aria-label="Loading">
      <Skeleton className="w-2/5 bg-active" />
    </Td>
  )
}

function columnsOf(columnsKey: string) {
  const columns = columnsKey.split(' ').filter(Boolean)
  return columns.map((column, at) => {
    const [id, text] = column.split(':') as [ColumnId, string]
    const width = Number(text)
    return { id, width, room: width - (at === columns.length - 1 ? lastCellPadding : cellPadding) }
  })
}

/** What all rows have in common. Keeps its identity while nothing in it changes, so that the memoized rows do not render again. */
interface RowsTable {
  directory: Directory
  clock: Clock
  density: Density
  /** In px. */
  nameWidth: number
  /** The shown columns and their widths as a string, so that a memoized row renders again only when they change. */
  columnsKey: string
  onOpen: (id: string) => void
  /** Toggles the selection; `range`: up to this row. */
  onToggle: (id: string, range: boolean) => void
}

interface RowProps {
  contact: ContactRow
  foundBy: string | null
  index: number
  top: number
  table: RowsTable
  current: boolean
  selected: boolean
  /** Whether it is the only tab stop of the list; arrow keys reach the other rows. */
  isStop: boolean
}

const Row = memo(function Row({ contact, foundBy, index, top, table, current, selected, isStop }: RowProps) {
  const { density, nameWidth, columnsKey, directory, clock, onOpen, onToggle } = table
  const navigate = useNavigate()
  const keepFocus = useFocusFallback()
  const name = fullName(contact)
  const address = `/contacts/${contact.id}`
  const below = foundBy ?? contact.email ?? 'No email'
  const textWidth = nameWidth - avatarWidth - (columnsKey === '' ? lastCellPadding : cellPadding)
  const nameFits = (density === 'default' || !foundBy) && surelyFits(name, textWidth)

  // The name is the link; the rest of the row is a larger click target, except while text is being selected.
  function open(event: MouseEvent<HTMLElement>) {
    const target = event.target as Element
    const onLink = target.closest('a') !== null
    if (target.closest('button, input') || (!onLink && getSelection()?.isCollapsed === false)) return
    onOpen(contact.id)
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button === 1
    // The browser opens links in new tabs and windows by itself.
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
      <Td whole className="flex items-center pr-0">
        <Checkbox
          aria-label={`Select ${name}`}
          checked={selected}
          tabIndex={isStop ? 0 : -1}
          onCheckedChange={(_, withShift) => onToggle(contact.id, withShift)}
        />
      </Td>
      <Td whole className="flex items-center gap-2.5">
        <Avatar kind="patient" size={density === 'compact' ? 'sm' : 'md'} firstName={contact.firstName} lastName={contact.lastName} />
        <div className="min-w-0 leading-4">
          {/* Not a router Link: each subscribes to the router, and there would be dozens of them. */}
          <a
            href={address}
            id={`patient-${contact.id}`}
            tabIndex={isStop ? 0 : -1}
            className={`block rounded-xs leading-4.5 font-medium text-fg outline-offset-0 ${nameFits ? '' : 'truncate'}`}
          >
            {name}
            {density === 'compact' && foundBy && <span className="font-regular text-fg-3"> · {foundBy}</span>}
          </a>
          {density === 'default' && <div className={`text-xs text-fg-3 ${surelyFits(below, textWidth) ? '' : 'truncate'}`}>{below}</div>}
        </div>
      </Td>
      {columnsOf(columnsKey).map(({ id, room }) => contactCell(id, { room, contact, directory, clock }))}
    </TableRow>
  )
})
