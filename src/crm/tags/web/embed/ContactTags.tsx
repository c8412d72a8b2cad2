import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { codeOf, messageOf, orpc } from '../../../../ui/client/api.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { Tag } from '../../../../ui/display/Tag.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import type { Tag as TagData } from '../../contract.ts'
import { TagPicker } from './TagPicker.tsx'

interface ContactTagsProps {
  contactId: string
  /** All tags. */
  tags: readonly TagData[]
  /** Shows the tags if they are behind a tab. */
  onShow?: () => void
}

/** A patient's tags, each removed with its ×, and a picker to add more. Changes are optimistic and revert on failure. */
export function ContactTags({ contactId, tags, onShow }: ContactTagsProps) {
  const cache = useQueryClient()
  const key = orpc.contacts.tags.queryKey({ input: { id: contactId } })
  const own = useQuery(orpc.contacts.tags.queryOptions({ input: { id: contactId } }))
  const add = useMutation(orpc.contacts.addTag.mutationOptions())
  const remove = useMutation(orpc.contacts.removeTag.mutationOptions())
  const create = useMutation(orpc.tags.create.mutationOptions())

  async function set(tag: TagData, wanted: boolean) {
    await cache.cancelQueries({ queryKey: key })
    cache.setQueryData(key, (now) => {
      const others = (now ?? []).filter(({ id }) => id !== tag.id)
      return wanted ? [...others, tag].toSorted((a, b) => a.name.localeCompare(b.name)) : others
    })
    try {
      await (wanted ? add : remove).mutateAsync({ id: contactId, tagId: tag.id })
    } catch (error) {
      toast.error(`${tag.name} was not ${wanted ? 'added' : 'removed'}`, messageOf(error), () => void set(tag, wanted))
    }
    void cache.invalidateQueries({ queryKey: key })
  }

  async function createAndAdd(name: string) {
    try {
      const tag = await create.mutateAsync({ name })
      void cache.invalidateQueries({ queryKey: orpc.tags.list.key() })
      await set(tag, true)
    } catch (error) {
      if (codeOf(error) !== 'NAME_TAKEN') {
        toast.error(`${name} was not added`, messageOf(error), () => void createAndAdd(name))
        return
      }
      // Someone else just created it.
      const all = await cache.fetchQuery({ ...orpc.tags.list.queryOptions(), staleTime: 0 })
      const tag = all.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase())
      if (tag) await set(tag, true)
    }
  }

  if (!own.data) return own.error ? <p className="text-sm text-danger-fg">Couldn’t load tags.</p> : <Skeleton className="h-5 w-40" />
  return (
    <ul aria-label="Tags" className="flex flex-wrap items-center gap-1.5">
      {own.data.map((tag) => (
        <li key={tag.id} className="flex max-w-full">
          <Tag onRemove={() => void set(tag, false)} removeLabel={`Remove tag ${tag.name}`}>
            {tag.name}
          </Tag>
        </li>
      ))}
      <li className="flex">
        <TagPicker
          tags={tags}
          chosen={own.data}
          onShow={onShow}
          onToggle={(tag, wanted) => void set(tag, wanted)}
          onCreate={(name) => void createAndAdd(name)}
        />
      </li>
    </ul>
  )
}
