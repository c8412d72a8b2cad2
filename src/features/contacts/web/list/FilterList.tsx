import { Command } from 'cmdk'
import { Check, Tag as TagIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { StageIcon } from '../../../pipeline/web/embed/StageName.tsx'
import type { Directory } from '../embed/directory.ts'
import type { ListSearch } from './list-search.ts'

type Field = 'stage' | 'tag'

interface FilterListProps {
  search: ListSearch
  directory: Directory
  /** The values of one field alone; null for all of them. */
  only: Field | null
  onChoose: (field: Field, id: string) => void
}

/** Every value of every filter, narrowed by typing. */
export default function FilterList({ search, directory: { stages, tags }, only, onChoose }: FilterListProps) {
  return (
    <Command label="Filter" loop>
      <Command.Input
        autoFocus
        placeholder={only === 'stage' ? 'Stage' : only === 'tag' ? 'Tag' : 'Stage or tag'}
        className="h-11 w-full border-b border-line bg-transparent px-3 text-lg outline-none md:h-9 md:text-sm"
      />
      <Command.List className="max-h-96 overflow-y-auto p-1">
        <Command.Empty className="px-2 py-3 text-fg-3">Nothing is called that.</Command.Empty>
        {only !== 'tag' && (
          <Group heading="Stage">
            {stages.map((stage) => (
              <Value
                key={stage.id}
                name={stage.name}
                id={stage.id}
                icon={<StageIcon stages={stages} stage={stage} />}
                chosen={search.stage === stage.id}
                onSelect={() => onChoose('stage', stage.id)}
              />
            ))}
          </Group>
        )}
        {only !== 'stage' && tags.length > 0 && (
          <Group heading="Tag">
            {tags.map((tag) => (
              <Value
                key={tag.id}
                name={tag.name}
                id={tag.id}
                icon={<TagIcon className="size-3.5! text-fg-3" />}
                chosen={search.tag === tag.id}
                onSelect={() => onChoose('tag', tag.id)}
              />
            ))}
          </Group>
        )}
      </Command.List>
    </Command>
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
