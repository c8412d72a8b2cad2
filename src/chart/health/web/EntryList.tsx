import { useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import type { EntryKind } from '../rules.ts'
import { useEditing } from './editing.ts'
import { EntryEditor } from './EntryEditor.tsx'
import { EntryRow } from './EntryRow.tsx'
import type { EntryData } from './health-data.ts'
import type { HealthActions } from './useHealth.ts'

interface EntryListProps {
  label: string
  contactId: string
  shown: readonly EntryData[]
  /** Behind "Show past". */
  past: readonly EntryData[]
  /** The kinds that can be added. */
  kinds: readonly [EntryKind, ...EntryKind[]]
  nextSurgeryOn: string | null
  actions: HealthActions
  /** Shown when there is nothing; null if something else says so. */
  empty: string | null
  isNarrow?: boolean
}

/** Entries that are edited in place, and the editor of a new one. */
export function EntryList({ label, contactId, shown, past, kinds, nextSurgeryOn, actions, empty, isNarrow }: EntryListProps) {
  const { isOpen } = useEditing()
  const [showsPast, setShowsPast] = useState(false)
  const isAdding = isOpen({ add: kinds[0] })
  const row = (entry: EntryData) => (
    <EntryRow key={entry.id} contactId={contactId} entry={entry} nextSurgeryOn={nextSurgeryOn} actions={actions} isNarrow={isNarrow} />
  )
  return (
    <>
      {shown.length === 0 && !isAdding && empty !== null && <p className="py-2.5 text-sm text-fg-3">{empty}</p>}
      {shown.length > 0 && <ul aria-label={label}>{shown.map(row)}</ul>}
      {isAdding && <EntryEditor contactId={contactId} entry={null} kinds={kinds} actions={actions} />}
      {past.length > 0 && (
        <>
          <Button size="sm" variant="quiet" className="mt-1 -ml-2.5" aria-expanded={showsPast} onClick={() => setShowsPast(!showsPast)}>
            {showsPast ? 'Hide past' : `Show past (${past.length})`}
          </Button>
          {showsPast && <ul aria-label={`${label}, past`}>{past.map(row)}</ul>}
        </>
      )}
    </>
  )
}
