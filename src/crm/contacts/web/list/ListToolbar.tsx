import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowUpDown, ListChecks, Plus, Rows3, Rows4 } from 'lucide-react'
import { memo, useMemo, useRef } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DropdownMenu, MenuRadioGroup } from '../../../../ui/overlays/DropdownMenu.tsx'
import { type Hotkey, useHotkeys } from '../../../../ui/hooks/hotkeys.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { SearchInput } from '../../../../ui/controls/SearchInput.tsx'
import type { Directory } from '../embed/directory.ts'
import { ColumnsMenu } from './columns/ColumnsMenu.tsx'
import { FilterBar } from './filters/FilterBar.tsx'
import { LayoutSwitch } from './LayoutSwitch.tsx'
import { type ListSearch, orderLabels, sortLabels } from '../embed/list-search.ts'
import { MoreMenu } from './MoreMenu.tsx'
import type { RowDisplay } from './row-display.ts'
import { useSearchTerm } from '../../../../ui/hooks/useSearchTerm.ts'

/** Selection mode for touch screens, where a tap selects a row. Leaving it clears the selection. */
export interface SelectionMode {
  isOn: boolean
  onChange: (isOn: boolean) => void
}

interface ListToolbarProps {
  search: ListSearch
  directory: Directory
  onChange: (change: ListSearch, replace?: boolean) => void
  /** Too narrow for one line. */
  narrow: boolean
  /** Density and columns of the rows; not for the board. */
  rows?: RowDisplay
  /** Not for the board. */
  selecting?: SelectionMode
  /** Moves focus from the search field to the rows. */
  onArrowDown: () => void
}

/** Search, filters, order and row height. */
export const ListToolbar = memo(function ListToolbar({
  search,
  directory,
  onChange,
  narrow,
  rows,
  selecting,
  onArrowDown,
}: ListToolbarProps) {
  const input = useRef<HTMLInputElement>(null)
  // The first letter adds a history entry for the back button; the following ones replace it.
  const [term, setTerm] = useSearchTerm(search.search ?? '', (entered) =>
    onChange({ search: entered || undefined }, search.search !== undefined && entered !== ''),
  )
  const navigate = useNavigate()
  useHotkeys(
    useMemo<Hotkey[]>(
      () => [
        { keys: '/', label: 'Search the list', group: 'Lists', run: () => input.current?.focus() },
        { keys: 'n', label: 'New patient', group: 'Lists', run: () => void navigate({ to: '/contacts/new' }) },
      ],
      [navigate],
    ),
  )

  const find = (
    <SearchInput
      ref={input}
      value={term}
      onValueChange={setTerm}
      label="Search patients by name, email or phone"
      placeholder="Name, email or phone"
      keyHint="/"
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      onKeyDownCapture={(event) => {
        if (event.key !== 'ArrowDown' || event.nativeEvent.isComposing) return
        event.preventDefault()
        onArrowDown()
      }}
      className="min-w-0 flex-1"
    />
  )
  const filters = <FilterBar filter={search.filter} directory={directory} onChange={(filter, replace) => onChange({ filter }, replace)} />
  const order =
    search.layout === 'board' ? (
      <OrderMenu labels={orderLabels} value={search.order ?? 'latest'} onChange={(order) => onChange({ order })} />
    ) : (
      <OrderMenu labels={sortLabels} value={search.sort ?? 'newest'} onChange={(sort) => onChange({ sort })} />
    )

  if (narrow) {
    return (
      <div className="flex flex-none flex-col border-b border-line">
        <div className="flex items-center gap-2 px-4 pt-3 pb-2 md:px-6">
          {find}
          <Button asChild variant="filled" className="w-11 px-0 md:w-8">
            <Link to="/contacts/new" aria-label="New patient">
              <Plus />
            </Link>
          </Button>
        </div>
        <div className="relative no-scrollbar flex items-center gap-2 overflow-x-auto px-4 pb-2 md:px-6">
          <LayoutSwitch search={search} short />
          {selecting && (
            <Button
              variant={selecting.isOn ? 'outlined' : 'quiet'}
              icon={<ListChecks />}
              aria-pressed={selecting.isOn}
              onClick={() => selecting.onChange(!selecting.isOn)}
            >
              Select
            </Button>
          )}
          {filters}
          {order}
          <MoreMenu search={search} shown={rows?.layout.shown} />
        </div>
      </div>
    )
  }
  return (
    <div className="flex min-h-13 flex-none flex-wrap items-center gap-2 border-b border-line px-6 py-2">
      <div className="flex w-59 flex-none">{find}</div>
      {filters}
      <span className="flex-1" />
      {order}
      {rows && (
        <>
          <IconButton
            label={rows.density === 'compact' ? 'Comfortable rows' : 'Compact rows'}
            aria-pressed={rows.density === 'compact'}
            icon={rows.density === 'compact' ? <Rows3 /> : <Rows4 />}
            onClick={rows.onToggleDensity}
          />
          <ColumnsMenu layout={rows.layout} onChange={rows.onLayout} />
        </>
      )}
      <LayoutSwitch search={search} />
      <MoreMenu search={search} shown={rows?.layout.shown} />
    </div>
  )
})

interface OrderMenuProps<Order extends string> {
  /** The default first; it is left out of the URL. */
  labels: Record<Order, string>
  value: Order
  onChange: (order: Order | undefined) => void
}

function OrderMenu<Order extends string>({ labels, value, onChange }: OrderMenuProps<Order>) {
  const orders = Object.keys(labels) as Order[]
  return (
    <DropdownMenu
      trigger={
        <Button variant="quiet" icon={<ArrowUpDown />} aria-label={`Sort: ${labels[value]}`}>
          {labels[value]}
        </Button>
      }
    >
      <MenuRadioGroup
        value={value}
        onValueChange={(order) => onChange(order === orders[0] ? undefined : order)}
        options={orders.map((order) => ({ value: order, label: labels[order] }))}
      />
    </DropdownMenu>
  )
}
