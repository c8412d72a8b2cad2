import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'

export type CampaignData = Awaited<ReturnType<Client['campaigns']['get']>>
export type CheckData = Awaited<ReturnType<Client['campaigns']['check']>>
export type ResultsData = Awaited<ReturnType<Client['campaigns']['results']>>

/** A campaign, kept current while it is sent. */
export function useCampaign(id: string) {
  const cache = useQueryClient()
  const query = useQuery(orpc.campaigns.get.queryOptions({ input: { id } }))
  useLive(
    ['campaign'],
    (ids) => {
      if (ids === null || ids.has(id)) void cache.invalidateQueries({ queryKey: orpc.campaigns.key() })
    },
    { debounceMs: 500 },
  )
  return query
}

/** Shows a campaign as a call has returned it, and refreshes what depends on it. */
export function useShowCampaign() {
  const cache = useQueryClient()
  return (campaign: CampaignData) => {
    cache.setQueryData(orpc.campaigns.get.queryKey({ input: { id: campaign.id } }), campaign)
    void cache.invalidateQueries({ queryKey: orpc.campaigns.list.key() })
    void cache.invalidateQueries({ queryKey: orpc.campaigns.check.key({ input: { id: campaign.id } }) })
    void cache.invalidateQueries({ queryKey: orpc.campaigns.results.key({ input: { id: campaign.id } }) })
  }
}
