import { useMutation } from '@tanstack/react-query'
import { messageOf, orpc } from '../api.ts'
import { leaveTo } from '../session.ts'
import { toast } from '../ui/toast.ts'

export function useSignOut() {
  return useMutation(
    orpc.auth.signOut.mutationOptions({
      onSuccess: () => leaveTo('/auth'),
      onError: (error) => toast.single('error', 'Error signing out', messageOf(error)),
    }),
  )
}
