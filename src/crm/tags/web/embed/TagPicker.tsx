import { Command } from 'cmdk'
import { Check, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Popover } from '../../../../ui/overlays/Popover.tsx'
import { useKey } from '../../../../ui/hooks/useKey.ts'
import type { Tag } from '../../contract.ts'
import { newTagName } from '../tag-name.ts'

interface TagPickerProps {
  tags: readonly Tag[]
  chosen: readonly Tag[]
  onToggle: (tag: Tag, wanted: boolean) => void
  onCreate: (name: string) => void
  onShow?: () => void
}

const line = 'flex h-11 cursor-default items-center gap-2 rounded-sm px-2 data-[selected=true]:bg-hover md:h-8'

/** All tags, filtered by typing. Several can be chosen in a row, and missing ones created. */
export function TagPicker({ tags, chosen, onToggle, onCreate, onShow }: TagPickerProps) {
  const [open, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  useKey('#', 'Add a tag', () => {
    onShow?.()
    setOpen(true)
  })
  const newName = newTagName(query, tags)
  const isOn = (tag: Tag) => chosen.some(({ id }) => id === tag.id)

  function toggle(tag: Tag) {
    onToggle(tag, !isOn(tag))
    // The next search starts empty.
    setQuery('')
  }

  return (
    <Popover
      label="Tags"
      control={{
        open,
        onOpenChange: (next) => {
          setOpen(next)
          setQuery('')
        },
      }}
      className="w-64 overflow-hidden p-0"
      trigger={
        chosen.length === 0 ? (
          <Button size="sm" variant="quiet" icon={<Plus />} className="-ml-2.5">
            Add a tag
          </Button>
        ) : (
          <IconButton label="Add a tag" icon={<Plus />} size="sm" tooltipSide="top" className="size-7 md:size-5" />
        )
      }
    >
      <Command label="Tags" loop>
        <Command.Input
          value={query}
          onValueChange={setQuery}
          placeholder="Find or create a tag"
          maxLength={60}
          className="h-11 w-full border-b border-line bg-transparent px-3 text-lg outline-none md:h-9 md:text-sm"
        />
        <Command.List className="relative max-h-72 overflow-y-auto p-1">
          {newName === null && <Command.Empty className="px-2 py-3 text-fg-3">Type a name to create the first tag.</Command.Empty>}
          {tags.map((tag) => (
            <Command.Item key={tag.id} value={tag.id} keywords={[tag.name]} onSelect={() => toggle(tag)} className={line}>
              <span className="min-w-0 flex-1 truncate">{tag.name}</span>
              {isOn(tag) && <Check aria-label="On this patient" className="text-accent-fg" />}
            </Command.Item>
          ))}
          {newName !== null && (
            <Command.Item
              value={`\0new ${newName}`}
              keywords={[newName]}
              forceMount
              onSelect={() => {
                onCreate(newName)
                setQuery('')
              }}
              className={line}
            >
              <Plus className="text-fg-3" />
              <span className="min-w-0 flex-1 truncate">Create “{newName}”</span>
            </Command.Item>
          )}
        </Command.List>
      </Command>
    </Popover>
  )
}
