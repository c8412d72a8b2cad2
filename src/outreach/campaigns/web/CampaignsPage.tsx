import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Lock, Megaphone, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { useClock } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { HelpLink } from '../../../ui/display/HelpLink.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { formatDateTime, formatShortDate } from '../../../ui/format.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import type { CampaignData } from './campaign-data.ts'
import { describeAudience } from './describe-audience.ts'
import { channelLabels, formatCount, statusLabels } from './labels.ts'
import { NewCampaignDialog } from './NewCampaignDialog.tsx'

const perPage = 50

/** The page /campaigns (issue 28). */
export default function CampaignsPage(): ReactNode {
  const isAllowed = usePermission()('campaigns.list')
  return (
    <>
      <TopbarTitle title="Campaigns" />
      {isAllowed ? (
        <Campaigns />
      ) : (
        <EmptyState icon={<Lock />} title="Administrators and sales send campaigns">
          Ask an administrator if you need to send one.
        </EmptyState>
      )}
    </>
  )
}

function Campaigns() {
  const { page = 1, search, filter } = useSearch({ from: '/staff/campaigns' })
  const navigate = useNavigate({ from: '/campaigns' })
  const cache = useQueryClient()
  const list = useQuery(orpc.campaigns.list.queryOptions({ input: { page, limit: perPage }, placeholderData: keepPreviousData }))
  const [isNew, setNew] = useState(search !== undefined || filter !== undefined)
  useLive(['campaign'], () => void cache.invalidateQueries({ queryKey: orpc.campaigns.list.key() }), { debounceMs: 500 })
  const add = (variant: 'filled' | 'outlined') => (
    <Button variant={variant} icon={<Plus />} onClick={() => setNew(true)}>
      New campaign
    </Button>
  )
  const open = (to: number) => void navigate({ search: { page: to > 1 ? to : undefined } })
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-10 md:px-6" data-scroll-restoration-id="campaigns">
      <header className="flex min-h-14 flex-wrap items-center justify-between gap-2 border-b border-line py-2">
        <p className="text-sm text-fg-3 max-md:hidden">
          Emails and texts to many patients at once. Only those who may be contacted receive them.
        </p>
        {list.data && list.data.total > 0 && add('filled')}
      </header>
      <Asked query={list} failed="Couldn’t load the campaigns">
        {({ data, total }) =>
          data.length === 0 ? (
            <EmptyState icon={<Megaphone />} title="No campaigns yet" actions={add('filled')}>
              <p>Choose patients and a template. Before you send, you see who will not receive it and why.</p>
              <HelpLink to="sales#campaigns" className="mt-1">
                How campaigns work
              </HelpLink>
            </EmptyState>
          ) : (
            <>
              <ul aria-label="Campaigns">
                {data.map((campaign) => (
                  <Row key={campaign.id} campaign={campaign} />
                ))}
              </ul>
              {total > perPage && (
                <nav aria-label="Pages" className="flex items-center gap-3 py-4 text-sm text-fg-3">
                  <Button disabled={page === 1} onClick={() => open(page - 1)}>
                    Newer
                  </Button>
                  <span className="tabular-nums">
                    Page {page} of {Math.ceil(total / perPage)}
                  </span>
                  <Button disabled={page * perPage >= total} onClick={() => open(page + 1)}>
                    Older
                  </Button>
                </nav>
              )}
            </>
          )
        }
      </Asked>
      {isNew && (
        <NewCampaignDialog
          audience={{ ...(search !== undefined && { search }), ...(filter !== undefined && { filter }) }}
          onClose={() => {
            setNew(false)
            if (search !== undefined || filter !== undefined) void navigate({ search: {}, replace: true })
          }}
        />
      )}
    </div>
  )
}

function Row({ campaign }: { campaign: CampaignData }) {
  const clock = useClock()
  const { id, name, channel, status, audienceName, audience, startsAt, createdAt, progress, finishedAt } = campaign
  const { label, tone } = statusLabels[status]
  const when =
    status === 'scheduled' && startsAt
      ? `Starts ${formatDateTime(startsAt, clock)}`
      : finishedAt
        ? formatShortDate(finishedAt, clock)
        : `Created ${formatShortDate(createdAt, clock)}`
  const all = progress.sent + progress.waiting
  return (
    <li className="border-b border-line">
      <Link
        to="/campaigns/$id"
        params={{ id }}
        className="-mx-2 grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 rounded-sm px-2 py-2 text-sm outline-offset-[-2px] hover:bg-hover md:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)_9rem_12rem_6rem]"
      >
        <span className="font-medium text-fg max-md:line-clamp-2 md:truncate">{name}</span>
        <span className="truncate text-fg-2 max-md:hidden">
          {channelLabels[channel]} · {describeAudience(audience, audienceName)}
        </span>
        <span className="text-fg-2 tabular-nums max-md:order-3 md:text-right">
          {status === 'draft' || status === 'scheduled' ? (
            <span className="line-clamp-1 md:hidden">
              {channelLabels[channel]} · {describeAudience(audience, audienceName)}
            </span>
          ) : (
            `${formatCount(progress.sent)} of ${formatCount(all)} sent`
          )}
        </span>
        <span className="text-fg-3 tabular-nums max-md:order-4 max-md:text-right md:pl-4">{when}</span>
        <span className="flex justify-end max-md:order-2">
          <Badge tone={tone}>{label}</Badge>
        </span>
      </Link>
    </li>
  )
}
