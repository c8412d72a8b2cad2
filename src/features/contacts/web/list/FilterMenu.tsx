import { ListFilter } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../../web/ui/Button.tsx'
import { FilterChip } from '../../../../web/ui/FilterChip.tsx'
import { Popover } from '../../../../web/ui/Popover.tsx'
import { Skeleton } from '../../../../web/ui/Skeleton.tsx'
import { byId, type Directory } from '../embed/directory.ts'
import type { ListSearch } from './list-search.ts'

// What the list does not need to be drawn comes when somebody reaches for it.
const loadList = () => import('./FilterList.tsx')
const FilterList = lazy(loadList)

type Field = 'stage' | 'tag'

interface FilterMenuProps {
  search: ListSearch
  directory: Directory
  onChange: (change: Pick<ListSearch, Field>) => void
}

/** The filters that are on, as chips, and the menu that sets them: one list of every value, narrowed by typing. */
export function FilterMenu({ search, directory, onChange }: FilterMenuProps) {
  const [open, setOpen] = useState<Field | 'all' | null>(null)
  const { stages, tags } = directory
  const isFiltered = Boolean(search.stage ?? search.tag)

  return (
    <>
      {search.stage && (
        <FilterChip
          field="Stage"
          value={byId(stages, search.stage)?.name ?? 'Unknown'}
          onEdit={() => setOpen('stage')}
          onRemove={() => onChange({ stage: undefined })}
        />
      )}
      {search.tag && (
        <FilterChip
          field="Tag"
          value={byId(tags, search.tag)?.name ?? 'Unknown'}
          onEdit={() => setOpen('tag')}
          onRemove={() => onChange({ tag: undefined })}
        />
      )}
      <Popover
        label="Filter"
        open={open !== null}
        onOpenChange={(wanted) => setOpen(wanted ? 'all' : null)}
        className="w-64 overflow-hidden p-0"
        trigger={
          <Button
            variant="quiet"
            icon={<ListFilter />}
            onPointerEnter={() => void loadList()}
            onFocus={() => void loadList()}
            className={isFiltered ? undefined : 'max-[60rem]:-ml-3'}
          >
            Filter
          </Button>
        }
      >
        <Suspense fallback={<Skeleton className="m-3 w-40" />}>
          <FilterList
            search={search}
            directory={directory}
            only={open === 'all' ? null : open}
            onChoose={(field, id) => {
              onChange({ [field]: search[field] === id ? undefined : id })
              setOpen(null)
            }}
          />
        </Suspense>
      </Popover>
    </>
  )
}
