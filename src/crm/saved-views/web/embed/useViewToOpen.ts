import { useState } from 'react'
import type { ViewedList } from '../../contract.ts'
import { isEmptyList, listOf } from '../../rules.ts'
import { defaultView } from './default-view.ts'

const allPatients = 'all'
/** A list that belongs to no view. */
const unnamed = ''

/**
 * The id of the view that still has to be opened, or null. A shared link names only a view, and an empty URL means the default view when
 * the page is entered. Once a list is open, the URL holds its parameters, and removing the last filter does not open a view again.
 */
export function useViewToOpen(address: ViewedList & { view?: string }): string | null {
  const isBare = isEmptyList(listOf(address))
  const [opened, setOpened] = useState<string | null>(null)
  const named = address.view ?? (isBare && opened === null ? (defaultView() ?? allPatients) : unnamed)
  const isOpen = !isBare || named === allPatients || named === unnamed
  if (isOpen && named !== opened) setOpened(named)
  return isOpen || named === opened ? null : named
}
