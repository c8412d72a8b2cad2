import { useState } from 'react'
import type { ViewedList } from '../../contract.ts'
import { isEmptyList, listOf } from '../../rules.ts'
import { defaultView } from './default-view.ts'

const allPatients = 'all'
/** A list that no view has named. */
const unnamed = ''

/**
 * Which view has still to be opened: an address that someone sent names a view and nothing of what it shows, and one that says nothing at all
 * means, when the page is come to, the view that the list opens with. Once a list is open, the address says what is shown; anyone who then takes
 * the last filter away has not asked for a view again.
 */
export function useViewToOpen(address: ViewedList & { view?: string }): string | null {
  const isBare = isEmptyList(listOf(address))
  const [opened, setOpened] = useState<string | null>(null)
  const named = address.view ?? (isBare && opened === null ? (defaultView() ?? allPatients) : unnamed)
  const isOpen = !isBare || named === allPatients || named === unnamed
  if (isOpen && named !== opened) setOpened(named)
  return isOpen || named === opened ? null : named
}
