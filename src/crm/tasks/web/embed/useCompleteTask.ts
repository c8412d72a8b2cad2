import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { toast } from '../../../../ui/overlays/toast.ts'

/** Completes a task and offers Undo. Resolves to whether it is completed; `onUndone` is called after an undo. */
export function useCompleteTask(): (task: { id: string; title: string }, onUndone?: () => void) => Promise<boolean> {
  const cache = useQueryClient()
  return useCallback(
    async ({ id, title }, onUndone) => {
      const refresh = () => {
        void cache.invalidateQueries({ queryKey: orpc.tasks.key() })
        void cache.invalidateQueries({ queryKey: orpc.notifications.key() })
      }
      const undo = async (change: string) => {
        try {
          await client.tasks.undo({ id: change })
          toast.success('Task reopened')
          onUndone?.()
        } catch (error) {
          toast.error('Couldn’t undo this', messageOf(error))
        }
        refresh()
      }
      try {
        const { undo: change } = await client.tasks.complete({ id })
        refresh()
        if (change === null) toast.success(`“${title}” was already completed`)
        else toast.undoable(`“${title}” completed`, () => void undo(change))
        return true
      } catch (error) {
        toast.error('Couldn’t complete the task', messageOf(error))
        refresh()
        return false
      }
    },
    [cache],
  )
}
