import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf, orpc } from '../api.ts'
import { leaveLive } from '../live.ts'
import { forgetPlace } from '../return-place.ts'
import { leaveTo } from '../session.ts'
import { toast } from '../ui/toast.ts'

export function useSignOut() {
  const cache = useQueryClient()
  return useMutation(
    orpc.auth.signOut.mutationOptions({
      async onMutate() {
        leaveLive(true)
        await cache.cancelQueries()
      },
      onSuccess() {
        forgetPlace()
        leaveTo('/auth')
      },
      onError(error) {
        leaveLive(false)
        toast.single('error', 'Error signing out', messageOf(error))
      },
    }),
  )
}
