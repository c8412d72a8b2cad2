import type { Clock } from '../../../../../ui/format.ts'
import type { ContactRow } from '../../embed/contact-data.ts'
import type { Directory } from '../../embed/directory.ts'
import type { Selection } from '../bulk/selection.ts'
import { firstOfPage, type ListView, pageOfRow, rowAt } from './list-view.ts'

/** A row of the list that is in sight, or nearly. */
export interface DrawnRow {
  key: string
  /** From 0, in the whole list. */
  index: number
  /** Where it stands, in px. */
  top: number
  /** Not there while its page is on its way, or when it could not be loaded. */
  contact: ContactRow | undefined
  /** Says that the page could not be loaded: one row of the page does. */
  failed: boolean
}

/** What the table and the cards have in common. */
export interface RowsToDraw {
  drawn: readonly DrawnRow[]
  /** How many rows the whole list has. */
  count: number
  /** How high the element is that they stand in, in px. */
  height: number
  /** What was searched for, so that a row can say which of several emails or phones was meant. */
  term: string
  directory: Directory
  clock: Clock
  /** The row that the keyboard is on. */
  currentIndex: number | null
  /** The row that Tab comes to. */
  stopIndex: number
  selection: Selection
  /** Selects or lets go; `range`: everyone up to this one. */
  onToggle: (id: string, range: boolean) => void
  onOpen: (id: string) => void
  retrying: boolean
  onRetry: () => void
}

interface Wanted {
  view: ListView
  first: number
  end: number
  shift: number
  rowHeight: number
  /** The first row in sight. */
  seen: number
  /** Stays drawn wherever it is, for it may have the focus. */
  current: number | null
  /** Pages that could not be loaded. */
  failed: readonly number[]
}

export function rowsToDraw({ view, first, end, shift, rowHeight, seen, current, failed }: Wanted): DrawnRow[] {
  const indexes = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)
  if (current !== null && current < first) indexes.unshift(current)
  if (current !== null && current >= end) indexes.push(current)
  const saysFailed = new Set(failed.map((page) => Math.max(firstOfPage(page), seen)))
  const known = new Set<string>()
  return indexes.map((index) => {
    const row = rowAt(view, index)
    // Pages that were loaded at different times may have a patient twice, until the older one is loaded again.
    const contact = row && !known.has(row.id) ? row : undefined
    if (contact) known.add(contact.id)
    const isFailed = !contact && failed.includes(pageOfRow(index)) && saysFailed.has(index)
    return { key: contact?.id ?? `row-${index}`, index, top: index * rowHeight - shift, contact, failed: isFailed }
  })
}
