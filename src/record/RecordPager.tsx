import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { messageOf, orpc } from '../ui/client/api.ts'
import { IconButton } from '../ui/controls/IconButton.tsx'
import { useKey } from '../ui/hooks/useKey.ts'
import { toast } from '../ui/overlays/toast.ts'
import { listInputOf } from '../crm/contacts/web/embed/list-search.ts'
import { movedTo, neighbourOf, recallPlace, rememberPlace, withPage } from '../crm/contacts/web/embed/list-place.ts'

/** Buttons to the previous and next patient in the list this one was opened from; nothing if it was not opened from a list. */
export function RecordPager({ id }: { id: string }) {
  const step = useSteps(id)
  const place = recallPlace()
  if (!place?.ids.includes(id)) return null
  return (
    <span className="flex max-md:hidden">
      <IconButton
        label="Previous patient"
        keys="k"
        icon={<ChevronUp />}
        disabled={neighbourOf(id, -1, place) === null}
        onClick={() => void step(-1)}
      />
      <IconButton
        label="Next patient"
        keys="j"
        icon={<ChevronDown />}
        disabled={neighbourOf(id, 1, place) === null}
        onClick={() => void step(1)}
      />
    </span>
  )
}

function useSteps(id: string): (by: 1 | -1) => Promise<void> {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const stepping = useRef(false)

  // Remember this patient as the current one in the list, however it was reached.
  useEffect(() => {
    const place = recallPlace()
    if (place) rememberPlace(movedTo(id, place))
  }, [id])

  async function step(by: 1 | -1) {
    if (stepping.current) return
    stepping.current = true
    try {
      const next = await neighbour(by)
      // Replace the history entry, so that Back returns to the list.
      if (next !== null) await navigate({ to: '/contacts/$id', params: { id: next }, replace: true })
    } catch (error) {
      toast.error('Couldn’t load the next patient', messageOf(error), () => void step(by))
    } finally {
      stepping.current = false
    }
  }

  async function neighbour(by: 1 | -1): Promise<string | null> {
    const place = recallPlace()
    if (!place) return null
    const next = neighbourOf(id, by, place)
    if (typeof next !== 'number') return next
    const options = orpc.contacts.list.queryOptions({ input: listInputOf({ ...place.search, page: next }) })
    const { data } = await cache.fetchQuery(options)
    const extended = withPage(
      place,
      next,
      data.map((row) => row.id),
    )
    rememberPlace(extended)
    const found = neighbourOf(id, by, extended)
    return typeof found === 'string' ? found : null
  }

  useKey('j', 'Next patient', () => void step(1))
  useKey('k', 'Previous patient', () => void step(-1))
  return step
}
