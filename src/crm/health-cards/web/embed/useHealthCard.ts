import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'

export type HealthCardData = NonNullable<Awaited<ReturnType<Client['healthCards']['get']>>['card']>

/** A patient's health card without its number. Not asked for by roles that may not see it. */
export function useHealthCard(contactId: string) {
  const cache = useQueryClient()
  const may = usePermission()
  const { get } = orpc.healthCards
  const isAllowed = may('healthCards.get')
  const query = useQuery(get.queryOptions({ input: { contactId }, enabled: isAllowed }))
  useLive(['contact'], (ids) => {
    if (isAllowed && (ids === null || ids.has(contactId))) void cache.invalidateQueries({ queryKey: get.key({ input: { contactId } }) })
  })
  return { isAllowed, query, card: query.data?.card ?? null }
}
