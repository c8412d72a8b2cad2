import { useMutation } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { toast } from '../../../ui/overlays/toast.ts'

/** Opens Intuit's page, which redirects to /qbo/callback. */
export const useConnect = () =>
  useMutation(
    orpc.quickbooks.connect.mutationOptions({
      onSuccess: ({ url }) => location.assign(url),
      onError: (error) => toast.error('QuickBooks was not connected', messageOf(error)),
    }),
  )
