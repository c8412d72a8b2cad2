import { useParams } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { useCampaign } from './campaign-data.ts'
import { CampaignDraft } from './CampaignDraft.tsx'
import { CampaignProgress } from './CampaignProgress.tsx'

/** The page of one campaign: its draft with the check before sending, then its progress and results. */
export default function CampaignPage(): ReactNode {
  const isAllowed = usePermission()('campaigns.get')
  if (isAllowed) return <Campaign />
  return (
    <>
      <TopbarTitle title="Campaign" section="Campaigns" />
      <EmptyState icon={<Lock />} title="Administrators and sales send campaigns" className="my-auto pb-24">
        Ask an administrator if you need to send one.
      </EmptyState>
    </>
  )
}

function Campaign() {
  const { id } = useParams({ from: '/staff/campaigns/$id' })
  const query = useCampaign(id)
  const title = query.data?.name ?? 'Campaign'
  return (
    <>
      <TopbarTitle title={title} section="Campaigns" crumbs={[{ label: 'Campaigns', link: { to: '/campaigns' } }, { label: title }]} />
      <div className="min-h-0 flex-1 overflow-y-auto" data-scroll-restoration-id="campaign">
        <div className="px-4 pb-10 md:px-6">
          <Asked query={query} failed="Couldn’t load the campaign">
            {(campaign) =>
              campaign.status === 'draft' ? (
                <CampaignDraft key={campaign.id} campaign={campaign} />
              ) : (
                <CampaignProgress campaign={campaign} />
              )
            }
          </Asked>
        </div>
      </div>
    </>
  )
}
