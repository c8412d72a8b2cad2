import { SearchInput } from '../../../ui/controls/SearchInput.tsx'
import { Toolbar, ToolbarSelect } from '../../../ui/display/Toolbar.tsx'
import { useSearchTerm } from '../../../ui/hooks/useSearchTerm.ts'
import { deviceKinds } from '../rules.ts'
import { kindLabels } from './embed/labels.ts'
import type { StockSearch } from './stock-search.ts'
import { usePlaces } from './embed/usePlaces.ts'

export interface StockListProps {
  search: StockSearch
  /** `replace`: without a new history entry. */
  onChange: (part: StockSearch, replace?: boolean) => void
  narrow: boolean
}

const kinds = deviceKinds.map((value) => ({ value, label: kindLabels[value] }))

/** Filters by name, lot or serial number, kind and place. */
export function StockToolbar({ search, onChange }: Omit<StockListProps, 'narrow'>) {
  const { places } = usePlaces()
  const [term, setTerm] = useSearchTerm(search.search ?? '', (entered) =>
    onChange({ search: entered || undefined }, search.search !== undefined && entered !== ''),
  )
  return (
    <Toolbar label="Stock filters">
      <SearchInput
        value={term}
        onValueChange={setTerm}
        label="Device, UDI-DI, lot or serial number"
        placeholder="Device, lot or serial"
        className="w-full flex-none text-sm sm:w-56 md:text-sm"
      />
      <ToolbarSelect
        label="Kind"
        value={search.kind}
        onChange={(kind) => onChange({ kind })}
        options={kinds}
        any="All kinds"
        className="min-w-0 flex-1 sm:w-40 sm:flex-none"
      />
      <ToolbarSelect
        label="Place"
        value={search.place}
        onChange={(place) => onChange({ place })}
        options={places.map(({ id, name }) => ({ value: id, label: name }))}
        any="All places"
        className="min-w-0 flex-1 sm:w-40 sm:flex-none"
      />
    </Toolbar>
  )
}
