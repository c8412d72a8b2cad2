import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, TagIcon } from 'lucide-react'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { formatCount } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'

const TagDialog = lazyDialog(
  () => import('../TagDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The settings card of the practice's tags. */
export function TagsCard() {
  const cache = useQueryClient()
  const tags = useQuery(orpc.tags.list.queryOptions())
  const counts = useQuery(orpc.tags.counts.queryOptions()).data
  useLive(['vocabulary', 'contact'], () => void cache.invalidateQueries({ queryKey: orpc.tags.key() }), { debounceMs: 500 })
  /** The id of the tag in the dialog, or 'new'. */
  const [open, setOpen] = useState<string | null>(null)
  const shown = tags.data?.find(({ id }) => id === open)
  const countOf = (id: string) => counts?.find(({ tagId }) => tagId === id)?.count ?? 0
  const add = (
    <Button icon={<Plus />} onPointerEnter={TagDialog.prepare} onClick={() => setOpen('new')}>
      Add tag
    </Button>
  )
  return (
    <Section id="tags" title="Tags" actions={tags.data && tags.data.length > 0 && add}>
      <Asked query={tags} failed="Couldn’t load tags">
        {(list) =>
          list.length > 0 ? (
            <ul aria-label="Tags" className="-mx-2 pt-3">
              {list.map((tag) => (
                <li key={tag.id}>
                  <OpenRow onPointerEnter={TagDialog.prepare} onFocus={TagDialog.prepare} onClick={() => setOpen(tag.id)}>
                    <span className="min-w-0 flex-1 truncate text-md font-medium text-fg">{tag.name}</span>
                    {counts && (
                      <span className="flex-none text-sm text-fg-2 tabular-nums">
                        {formatCount(countOf(tag.id))} <span className="text-fg-3">{countOf(tag.id) === 1 ? 'patient' : 'patients'}</span>
                      </span>
                    )}
                  </OpenRow>
                </li>
              ))}
            </ul>
          ) : (
            <EmptyState icon={<TagIcon />} title="No tags yet" actions={add}>
              Add tags to group patients, such as VIP or Newsletter.
            </EmptyState>
          )
        }
      </Asked>
      {(open === 'new' || shown) && (
        <TagDialog
          key={open}
          tag={shown ?? null}
          tags={tags.data ?? []}
          count={shown ? countOf(shown.id) : 0}
          onClose={() => setOpen(null)}
        />
      )}
    </Section>
  )
}
