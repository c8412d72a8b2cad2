import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { useSession } from '../../../ui/client/session.ts'
import type { MailProvider } from '../rules.ts'

/** It changes rarely, and then an event announces it. */
export const useConnection = () => useQuery(orpc.mailbox.connection.queryOptions({ staleTime: 5 * 60_000 }))

/** Whether a mailbox event concerns its email. An event of a draft, which the provider does not have, carries the draft's id. */
export function useConcernsMail(): (ids: ReadonlySet<string> | null) => boolean {
  const { user } = useSession()
  return (ids) => ids === null || user === null || ids.has(user.id)
}

/** Redirects to the provider's sign-in page, which returns to its callback. */
export function useConnect(): { connect: (provider: MailProvider) => void; going: MailProvider | null } {
  const { mutate, isPending, variables } = useMutation(
    orpc.mailbox.connect.mutationOptions({
      onSuccess: ({ url }) => location.assign(url),
      onError: (error) => toast.error('Your mailbox was not connected', messageOf(error)),
    }),
  )
  return { connect: (provider) => mutate({ provider }), going: isPending ? variables.provider : null }
}

/** The button label. Nylas opens a page where the provider is chosen. */
export const connectLabels: Record<MailProvider, string> = { gmail: 'Connect with Google', nylas: 'Connect another provider' }
