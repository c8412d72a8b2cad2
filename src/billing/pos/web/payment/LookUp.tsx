import { Search } from 'lucide-react'
import { Popover as Primitive } from 'radix-ui'
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Spinner } from '../../../../ui/display/Spinner.tsx'

/** Spec 5 and 9. */
export const minQueryLength = 2
export const searchDebounce = 300

interface Found {
  key: string
  label: string
  detail?: ReactNode
  /** Shown right-aligned: a price. */
  aside?: ReactNode
  icon?: ReactNode
  /** The heading that it is under. Results of one group follow each other. */
  group?: string
}

interface Results {
  found: readonly Found[]
  loading: boolean
  /** Text of an empty list. */
  empty: ReactNode
  failed?: { message: string; retry: () => void } | null
}

interface LookUpProps {
  query: string
  onQueryChange: (query: string) => void
  results: Results
  onChoose: (key: string) => void
  /** The list's accessible name: 'Items'. */
  listLabel: string
  placeholder: string
  autoFocus?: boolean
}

/** A search field with results below. It stays open after each pick, so that several can be picked in a row. */
export function LookUp(props: LookUpProps) {
  const { query, onQueryChange, results, listLabel, placeholder, autoFocus } = props
  const lookUp = useLookUp(props)
  const { open, setShut, listId, chosen, optionId } = lookUp
  return (
    <Primitive.Root open={open} onOpenChange={(next) => setShut(!next)}>
      <Primitive.Anchor asChild>
        <div className="min-w-0 flex-1">
          <Input
            role="combobox"
            aria-expanded={open}
            aria-controls={open ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={chosen && optionId(chosen.key)}
            autoComplete="off"
            autoFocus={autoFocus}
            enterKeyHint="search"
            placeholder={placeholder}
            value={query}
            onChange={(event) => {
              setShut(false)
              onQueryChange(event.target.value)
            }}
            onKeyDown={lookUp.onKeyDown}
            leading={<Search aria-hidden="true" />}
            trailing={open && results.loading ? <Spinner /> : undefined}
          />
        </div>
      </Primitive.Anchor>
      <Primitive.Portal>
        <Primitive.Content
          role="presentation"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => {
            if (event.target instanceof Element && event.target.closest(`[aria-controls="${CSS.escape(listId)}"]`)) event.preventDefault()
          }}
          className="z-(--z-popover) max-h-[min(18rem,var(--radix-popover-content-available-height))] w-(--radix-popover-trigger-width) min-w-64 animate-menu overflow-y-auto rounded-md bg-raised p-1 text-sm shadow-md outline-none"
        >
          <ResultList lookUp={lookUp} results={results} listLabel={listLabel} />
          <ResultStatus results={results} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

type LookUpState = ReturnType<typeof useLookUp>

/** Whether the list is open, its active result, and the keys of the search field. */
function useLookUp({ query, onQueryChange, results: { found, loading }, onChoose }: LookUpProps) {
  const id = useId()
  const [isShut, setShut] = useState(false)
  // The first result is active once it has loaded; until then Enter would pick a result of an earlier query.
  const [activeIndex, setActiveIndex] = useState(0)
  const now = loading ? '' : found.map(({ key }) => key).join(' ')
  const [known, setKnown] = useState(now)
  if (now !== known) {
    setKnown(now)
    setActiveIndex(0)
  }
  const open = !isShut && query.trim().length >= minQueryLength
  const chosen = open && !loading ? found[activeIndex] : undefined
  const optionId = (key: string) => `${id}${key}`

  function choose(key: string) {
    onQueryChange('')
    onChoose(key)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      if (!open) return setShut(false)
      const next = (activeIndex + step + found.length) % found.length
      setActiveIndex(next)
      document.getElementById(optionId(found[next]!.key))?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      if (chosen) choose(chosen.key)
    }
  }

  return { open, setShut, listId: `${id}list`, optionId, activeIndex, setActiveIndex, chosen, choose, onKeyDown }
}

interface ResultListProps {
  lookUp: LookUpState
  results: Results
  listLabel: string
}

function ResultList({ lookUp, results: { found, loading }, listLabel }: ResultListProps) {
  const { listId, optionId, activeIndex, setActiveIndex, choose } = lookUp
  const groups = Map.groupBy([...found.entries()], ([, { group }]) => group)
  return (
    <div role="listbox" aria-label={listLabel} id={listId} aria-busy={loading}>
      {[...groups].map(([group, entries]) =>
        group === undefined ? (
          entries.map(option)
        ) : (
          <div key={group} role="group" aria-label={group}>
            <p aria-hidden="true" className="px-2 pt-1.5 pb-0.5 text-xs text-fg-3">
              {group}
            </p>
            {entries.map(option)}
          </div>
        ),
      )}
    </div>
  )

  function option([index, { key, label, detail, aside, icon }]: [number, Found]) {
    return (
      <button
        type="button"
        tabIndex={-1}
        key={key}
        id={optionId(key)}
        role="option"
        aria-selected={!loading && index === activeIndex}
        aria-disabled={loading || undefined}
        onPointerMove={() => setActiveIndex(index)}
        // Keeps the focus in the field.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => !loading && choose(key)}
        className={cn(
          'flex min-h-11 w-full items-center gap-2 rounded-sm px-2 py-1 text-left md:min-h-9',
          !loading && index === activeIndex && 'bg-hover',
        )}
      >
        {icon}
        <span className="min-w-0 flex-1">
          <span className="block truncate">{label}</span>
          {detail && <span className="block truncate text-xs text-fg-3">{detail}</span>}
        </span>
        {aside && <span className="flex-none tabular-nums">{aside}</span>}
      </button>
    )
  }
}

/** Why the list is empty or may be incomplete. */
function ResultStatus({ results: { found, loading, empty, failed } }: { results: Results }) {
  if (failed) {
    return (
      <p role="alert" className="flex items-center justify-between gap-2 px-2 py-1.5 text-danger-fg">
        {failed.message}
        <Button size="sm" variant="quiet" onClick={failed.retry}>
          Try again
        </Button>
      </p>
    )
  }
  if (found.length > 0) return null
  return (
    <p role="status" className="px-2 py-2 text-fg-2">
      {loading ? 'Searching…' : empty}
    </p>
  )
}
