import type { ContactRow } from '../../embed/contact-data.ts'
import type { Directory } from '../../embed/directory.ts'
import { firstOfPage, type ListView, pageOfRow, rowAt } from './list-view.ts'
import type { LoadedList } from './useContactList.ts'
import type { PatientRowsState } from './usePatientRows.ts'

/** A row of the list that is visible, or close to it. */
export interface DrawnRow {
  key: string
  /** From 0, in the whole list. */
  index: number
  /** Its position, in px. */
  top: number
  /** Undefined while its page is loading, or if it could not be loaded. */
  contact: ContactRow | undefined
  /** Whether it shows that its page could not be loaded; one row per page does. */
  failed: boolean
}

/** The common props of table and cards. */
export interface RowsToDraw {
  drawn: readonly DrawnRow[]
  list: Pick<PatientRowsState, 'rows' | 'count' | 'currentIndex' | 'stopIndex' | 'onOpen' | 'bulk'>
  /** To load failed pages again. */
  contacts: Pick<LoadedList, 'isRetrying' | 'retry'>
  /** The search term, so that a row can show which of several emails or phones matched. */
  term: string
  directory: Directory
}

interface Wanted {
  view: ListView
  first: number
  end: number
  shift: number
  rowHeight: number
  /** The first visible row. */
  seen: number
  /** Always rendered, because it may have the focus. */
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
    // Pages loaded at different times may contain a patient twice, until the older page is refetched.
    const contact = row && !known.has(row.id) ? row : undefined
    if (contact) known.add(contact.id)
    const isFailed = !contact && failed.includes(pageOfRow(index)) && saysFailed.has(index)
    return { key: contact?.id ?? `row-${index}`, index, top: index * rowHeight - shift, contact, failed: isFailed }
  })
}
