import { ListFilter } from 'lucide-react'
import { type ComponentProps, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { type Hotkey, useHotkeys } from '../../../../../ui/hooks/hotkeys.ts'
import { lazyDialog } from '../../../../../ui/overlays/lazy-dialog.tsx'
import { Popover } from '../../../../../ui/overlays/Popover.tsx'
import { Skeleton } from '../../../../../ui/display/Skeleton.tsx'
import { type Loadable, loadable, useLoaded } from '../../../../../ui/hooks/useLoaded.ts'
import { whenIdle } from '../../../../../ui/client/when-idle.ts'
import { type Filter, readFilter, writeFilter } from '../../../filter.ts'
import type { Directory } from '../../embed/directory.ts'
import type { Edited } from './change-filter.ts'
import type FilterChips from './FilterChips.tsx'
import { usePendingFilter } from './usePendingFilter.ts'
import { withIds } from './with-ids.ts'

// Loaded on demand, because the list does not need it to render.
const FilterEditor = lazyDialog(
  () => import('./FilterEditor.tsx'),
  ({ onClose }) => onClose(),
)
const chips: Loadable<typeof import('./FilterChips.tsx')> = loadable(() => import('./FilterChips.tsx'))

interface FilterBarProps {
  filter: string | undefined
  directory: Directory
  onChange: (filter: string | undefined, replace: boolean) => void
}

/** The active filters as chips, and the menu to edit them. */
export function FilterBar({ filter: text, directory, onChange }: FilterBarProps) {
  const [latest, setLatest] = usePendingFilter(text ?? '')
  const filter = useMemo(() => withIds(readFilter(latest), directory), [latest, directory])
  const [edited, setEdited] = useState<Edited | null>(null)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  /** The element that opened the menu and gets the focus back. */
  const opener = useRef<HTMLButtonElement | null>(null)
  /** Each time the menu is open, the first choice adds a history entry for the back button; the following ones replace it. */
  const hasChanged = useRef(false)

  function open(wanted: Edited, from: HTMLButtonElement | null) {
    opener.current = from
    hasChanged.current = false
    setEdited(wanted)
  }
  function change(next: Filter) {
    const written = writeFilter(next)
    setLatest(written ?? '')
    onChange(written ?? undefined, edited !== null && hasChanged.current)
    hasChanged.current = true
  }
  useHotkeys(
    useMemo<Hotkey[]>(
      () => [{ keys: 'shift+f', label: 'Filter the list', group: 'Lists', run: () => open({ field: null, at: null }, null) }],
      [],
    ),
  )
  useEffect(
    () =>
      whenIdle(() => {
        FilterEditor.prepare()
        chips.prepare()
      }),
    [],
  )
  const isOn = filter.conditions.length > 0

  return (
    <>
      {isOn && (
        // On wide screens, the chips have their own line.
        <div className="relative no-scrollbar flex min-w-0 items-center gap-2 overflow-x-auto py-1 max-[60rem]:-order-1 max-[60rem]:flex-none min-[60rem]:order-last min-[60rem]:basis-full">
          <Chips
            filter={filter}
            directory={directory}
            onEdit={(at, chip) => open({ field: filter.conditions[at]!.field, at }, chip)}
            onChange={(next) => {
              change(next)
              // A removed chip loses the focus.
              if (next.conditions.length < filter.conditions.length) button?.focus()
            }}
          />
        </div>
      )}
      <Popover
        label="Filter"
        control={{
          open: edited !== null,
          onOpenChange: (wanted) => (wanted ? open({ field: null, at: null }, null) : setEdited(null)),
          returnTo: opener,
        }}
        className="w-80 overflow-hidden p-0"
        requires={FilterEditor.code}
        trigger={
          <Button
            ref={setButton}
            variant="quiet"
            icon={<ListFilter />}
            onPointerEnter={FilterEditor.prepare}
            onFocus={FilterEditor.prepare}
            className="max-[60rem]:-order-2 max-[60rem]:-ml-3"
          >
            Filter
          </Button>
        }
      >
        {edited && (
          <FilterEditor
            filter={filter}
            edited={edited}
            directory={directory}
            onEdit={setEdited}
            onChange={change}
            onClose={() => setEdited(null)}
          />
        )}
      </Popover>
    </>
  )
}

function Chips(props: ComponentProps<typeof FilterChips>) {
  const loaded = useLoaded(chips)
  if (!loaded) return <Skeleton className="h-7 w-40 flex-none" />
  const { default: FilterChips } = loaded
  return <FilterChips {...props} />
}
