import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pin, PinOff } from 'lucide-react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { cn } from '../../../ui/cn.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import type { Entry } from './entry.ts'

/** Pins or unpins a note. With a mouse the button appears on hover; on touch screens and for keyboard focus it is always visible. */
export function PinButton({ entry: { id, contactId, pinnedAt } }: { entry: Entry }) {
  const cache = useQueryClient()
  const isPinned = pinnedAt !== null
  const options = { onSettled: () => cache.invalidateQueries({ queryKey: orpc.interactions.key() }) }
  const pin = useMutation(orpc.interactions.pin.mutationOptions(options))
  const unpin = useMutation(orpc.interactions.unpin.mutationOptions(options))

  async function toggle() {
    try {
      await (isPinned ? unpin : pin).mutateAsync({ contactId, id })
    } catch (error) {
      toast.error(isPinned ? 'Couldn’t unpin the note' : 'Couldn’t pin the note', messageOf(error))
    }
  }

  return (
    <IconButton
      label={isPinned ? 'Unpin this note' : 'Pin this note'}
      icon={isPinned ? <PinOff /> : <Pin />}
      size="sm"
      aria-busy={pin.isPending || unpin.isPending}
      onClick={() => void toggle()}
      className={cn(
        '-my-1.5 md:size-6 md:-my-0.5 [&_svg]:size-3.5',
        !isPinned && 'pointer-fine:opacity-0 pointer-fine:group-hover/item:opacity-100 focus-visible:opacity-100',
      )}
    />
  )
}
