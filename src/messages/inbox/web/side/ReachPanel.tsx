import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Fact, Facts, PanelSection } from '../../../../ui/display/Facts.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { type Clock, formatShortDate } from '../../../../ui/format.ts'
import { unbroken } from '../../../../ui/unbroken.ts'
import type { ConversationData, WayData } from '../inbox-data.ts'
import { problemLabels } from '../labels.ts'
import { canSend } from '../reply/ways.ts'

/** How a patient can be contacted, channel by channel, and whether marketing is allowed. */
export function ReachPanel({ contactId, ways, clock }: { contactId: string; ways: ConversationData['ways']; clock: Clock }) {
  return (
    <PanelSection title="Can be contacted">
      <Facts>
        <Reach label="Text" ways={ways.filter(({ channel }) => channel === 'sms')} none="No phone number" />
        <Reach label="Email" ways={ways.filter(({ channel }) => channel === 'email')} none="No address" />
        <Marketing contactId={contactId} clock={clock} />
      </Facts>
      {ways.some(({ channel }) => channel === 'sms') && (
        <p className="pt-2 text-xs text-fg-3">“ARRÊT” or “STOP” ends every text at once.</p>
      )}
    </PanelSection>
  )
}

function Reach({ label, ways, none }: { label: string; ways: readonly WayData[]; none: string }) {
  const problem = ways.find((way) => way.problem !== null)?.problem
  return (
    <Fact label={label}>
      {ways.some(canSend) ? (
        <Badge tone="success">Yes</Badge>
      ) : (
        <Badge tone={problem ? 'warning' : 'neutral'}>{problem ? problemLabels[problem] : none}</Badge>
      )}
    </Fact>
  )
}

const bases = { express: 'Express', inquiry: 'Inquiry', purchase: 'Purchase', none: 'No consent' }

/** The consent to marketing by each channel, with its basis and its time. */
function Marketing({ contactId, clock }: { contactId: string; clock: Clock }) {
  const cache = useQueryClient()
  const { data, error } = useQuery(orpc.consent.get.queryOptions({ input: { id: contactId } }))
  useLive(['contact'], (ids) => {
    if (ids === null || ids.has(contactId)) void cache.invalidateQueries({ queryKey: orpc.consent.key() })
  })
  const rows = [
    { label: 'Marketing texts', live: data?.text.live, stopped: data?.text.unsubscribed },
    { label: 'Marketing emails', live: data?.live, stopped: data?.unsubscribed },
  ]
  return rows.map(({ label, live, stopped = [] }) => (
    <Fact key={label} label={label}>
      {!data ? (
        error ? (
          <span className="text-danger-fg">Couldn’t load</span>
        ) : (
          <Skeleton className="w-2/3" />
        )
      ) : live && live.basis !== 'none' ? (
        <Badge
          tone={live.expiresAt ? 'neutral' : 'success'}
          className="h-auto min-h-5 whitespace-normal"
        >{`${bases[live.basis]}, ${timeOf(live, clock)}`}</Badge>
      ) : (
        <Badge tone={stopped.length > 0 ? 'warning' : 'neutral'}>{stopped.length > 0 ? 'Unsubscribed' : 'No consent'}</Badge>
      )}
    </Fact>
  ))
}

const timeOf = ({ expiresAt, givenAt }: { expiresAt: string | null; givenAt: string }, clock: Clock): string =>
  expiresAt
    ? `until ${unbroken(formatShortDate(new Date(Date.parse(expiresAt) - 1), clock))}`
    : `since ${unbroken(formatShortDate(givenAt, clock))}`
