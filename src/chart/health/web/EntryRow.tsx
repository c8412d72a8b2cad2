import { Badge } from '../../../ui/display/Badge.tsx'
import { cn } from '../../../ui/cn.ts'
import { useClock } from '../../../ui/client/session.ts'
import { isActive } from '../rules.ts'
import { useEditing, useReturnedFocus } from './editing.ts'
import { EntryEditor } from './EntryEditor.tsx'
import type { EntryData } from './health-data.ts'
import { formatDetail, formatState, sourceLabels } from './labels.ts'
import type { HealthActions } from './useHealth.ts'

interface EntryRowProps {
  contactId: string
  entry: EntryData
  nextSurgeryOn: string | null
  actions: HealthActions
  /** Without columns, where the list is narrow. */
  isNarrow?: boolean
}

/** An entry; a click opens its editor in place. */
export function EntryRow({ contactId, entry, nextSurgeryOn, actions, isNarrow = false }: EntryRowProps) {
  const clock = useClock()
  const { isOpen, edit } = useEditing()
  const isEdited = isOpen({ id: entry.id })
  const button = useReturnedFocus(isEdited)
  const state = formatState(entry, nextSurgeryOn, clock)
  const detail = formatDetail(entry)
  const isInError = entry.status === 'entered_in_error'
  return (
    <li className="border-b border-line last:border-b-0">
      {isEdited ? (
        <EntryEditor contactId={contactId} entry={entry} kinds={[]} actions={actions} />
      ) : (
        <button
          ref={button}
          type="button"
          onClick={() => edit({ id: entry.id })}
          className={cn(
            '-mx-2 flex min-h-11 w-[calc(100%+1rem)] flex-wrap items-center gap-x-3 gap-y-0.5 rounded-sm px-2 py-1.5 text-left text-sm outline-offset-[-2px] hover:bg-hover md:min-h-10',
            !isNarrow && 'md:grid md:grid-cols-[minmax(0,1.2fr)_minmax(0,1.6fr)_11rem_5.5rem]',
          )}
        >
          <span className="sr-only">Edit </span>
          <span
            className={cn(
              'min-w-0 flex-1 wrap-anywhere',
              isActive(entry) ? 'font-medium text-fg' : 'text-fg-2',
              isInError && 'line-through',
            )}
          >
            {entry.name}
          </span>
          {!isNarrow && (
            <span className="min-w-0 wrap-anywhere text-fg-2 max-md:order-last max-md:w-full max-md:empty:hidden">{detail}</span>
          )}
          {!(isNarrow && isActive(entry)) && (
            <span className="flex-none text-fg-2">{state.tone ? <Badge tone={state.tone}>{state.text}</Badge> : state.text}</span>
          )}
          {!isNarrow && <span className="text-fg-3 max-md:hidden">{sourceLabels[entry.source]}</span>}
        </button>
      )}
    </li>
  )
}
