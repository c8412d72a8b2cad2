import { Command } from 'cmdk'
import { Check, ListFilter, Tag as TagIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '../../../../web/ui/Button.tsx'
import { FilterChip } from '../../../../web/ui/FilterChip.tsx'
import { Popover } from '../../../../web/ui/Popover.tsx'
import { StageIcon } from '../../../pipeline/web/embed/StageName.tsx'
import { byId, type Directory } from '../embed/directory.ts'
import type { ListSearch } from './list-search.ts'

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

  function choose(field: Field, id: string) {
    onChange({ [field]: search[field] === id ? undefined : id })
    setOpen(null)
  }

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
          <Button variant="quiet" icon={<ListFilter />} className={isFiltered ? undefined : 'max-md:-ml-3'}>
            Filter
          </Button>
        }
      >
        <Command label="Filter" loop>
          <Command.Input
            placeholder={open === 'stage' ? 'Stage' : open === 'tag' ? 'Tag' : 'Stage or tag'}
            className="h-11 w-full border-b border-line bg-transparent px-3 text-lg outline-none md:h-9 md:text-sm"
          />
          <Command.List className="max-h-80 overflow-y-auto p-1">
            <Command.Empty className="px-2 py-3 text-fg-3">Nothing is called that.</Command.Empty>
            {open !== 'tag' && (
              <Group heading="Stage">
                {stages.map((stage) => (
                  <Value
                    key={stage.id}
                    name={stage.name}
                    id={stage.id}
                    icon={<StageIcon stages={stages} stage={stage} />}
                    chosen={search.stage === stage.id}
                    onSelect={() => choose('stage', stage.id)}
                  />
                ))}
              </Group>
            )}
            {open !== 'stage' && tags.length > 0 && (
              <Group heading="Tag">
                {tags.map((tag) => (
                  <Value
                    key={tag.id}
                    name={tag.name}
                    id={tag.id}
                    icon={<TagIcon className="size-3.5! text-fg-3" />}
                    chosen={search.tag === tag.id}
                    onSelect={() => choose('tag', tag.id)}
                  />
                ))}
              </Group>
            )}
          </Command.List>
        </Command>
      </Popover>
    </>
  )
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-fg-3"
    >
      {children}
    </Command.Group>
  )
}

interface ValueProps {
  id: string
  name: string
  icon: ReactNode
  chosen: boolean
  onSelect: () => void
}

function Value({ id, name, icon, chosen, onSelect }: ValueProps) {
  return (
    <Command.Item
      value={id}
      keywords={[name]}
      onSelect={onSelect}
      className="flex h-11 cursor-default items-center gap-2.5 rounded-sm px-2 data-[selected=true]:bg-hover md:h-8"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {chosen && <Check aria-label="Chosen" className="text-accent-fg" />}
    </Command.Item>
  )
}
