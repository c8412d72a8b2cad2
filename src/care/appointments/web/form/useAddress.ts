import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'

/** Where a patient is written to; null: nowhere; undefined while it is not known. */
export function useAddress(contactId: string | null): string | null | undefined {
  const contact = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId ?? '' }, enabled: contactId !== null }))
  return contact.data?.email
}
