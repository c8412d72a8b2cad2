import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { leaveLive } from '../../../ui/client/live.ts'
import { clearPlace } from '../../../ui/client/return-path.ts'
import { leaveTo } from '../../../ui/client/session.ts'
import { toast } from '../../../ui/overlays/toast.ts'

export function useSignOut() {
  const cache = useQueryClient()
  return useMutation(
    orpc.auth.signOut.mutationOptions({
      async onMutate() {
        leaveLive(true)
        await cache.cancelQueries()
      },
      onSuccess() {
        clearPlace()
        leaveTo('/auth')
      },
      onError(error) {
        leaveLive(false)
        toast.single('error', 'Error signing out', messageOf(error))
      },
    }),
  )
}
