import { useMutation, useQuery } from '@tanstack/react-query'
import { Pause, Play, Square } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { cn } from '../../../ui/cn.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { ExportMenu } from '../../../ui/display/ExportMenu.tsx'
import { ProgressBar } from '../../../ui/display/ProgressBar.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { formatDateTime, formatMoney } from '../../../ui/format.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { attributionRule, type Variant, variants } from '../rules.ts'
import { type CampaignData, type ResultsData, useShowCampaign } from './campaign-data.ts'
import { describeAudience } from './describe-audience.ts'
import { CheckPanel, Refused } from './CheckPanel.tsx'
import { PreviewSection } from './PreviewSection.tsx'
import {
  channelLabels,
  deciderLabels,
  formatCount,
  formatPatients,
  formatShare,
  messageWords,
  statusLabels,
  variantLabels,
} from './labels.ts'

/** A campaign that was scheduled: its progress and its results. */
export function CampaignProgress({ campaign }: { campaign: CampaignData }) {
  const clock = useClock()
  const { channel, status, progress, audience, audienceName, startsAt, finishedAt, testPercent, winner } = campaign
  const { label, tone } = statusLabels[status]
  const all = progress.sent + progress.waiting + progress.stopped
  const isStarted = status !== 'scheduled'
  const isTest = testPercent !== null && testPercent < 100
  return (
    <div className="flex max-w-260 flex-col gap-8 pt-4">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 className="pb-2 text-lg font-semibold text-fg md:hidden">{campaign.name}</h2>
          <p className="text-sm text-fg-2">
            <Badge tone={tone} className="mr-2">
              {label}
            </Badge>
            {channelLabels[channel]} · {describeAudience(audience, audienceName)}
            {status === 'scheduled' && startsAt && ` · starts ${formatDateTime(startsAt, clock)}`}
            {status === 'done' && ` · ${formatCount(progress.sent)} of ${formatCount(all)} sent`}
            {finishedAt && ` · ${status === 'stopped' ? 'stopped' : 'finished'} ${formatDateTime(finishedAt, clock)}`}
          </p>
        </div>
        <Actions campaign={campaign} />
      </header>
      {isStarted && status !== 'done' && (
        <ProgressBar
          label={status === 'stopped' ? 'Sent before it was stopped' : 'Sent'}
          value={all === 0 ? 1 : progress.sent / all}
          detail={`${formatCount(progress.sent)} of ${formatCount(all)}`}
        />
      )}
      {progress.held > 0 && status === 'sending' && (
        <p className="text-sm text-fg-2">
          {formatPatients(progress.held)} will receive it later: it is their quiet hours, or today’s limit of automatic texts is reached.
        </p>
      )}
      {isTest && winner === null && (status === 'sending' || status === 'paused') && <Winner campaign={campaign} />}
      {isTest && winner !== null && (
        <p className="text-sm text-fg">{`Template ${variantLabels[winner]} won. It was sent to the patients who were not in the test.`}</p>
      )}
      {!isStarted ? (
        <div className="grid gap-x-10 gap-y-8 border-t border-line pt-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <PreviewSection campaign={campaign} />
          <CheckPanel campaign={campaign} />
        </div>
      ) : (
        <>
          {campaign.startedAt && <Results campaign={campaign} />}
          <PreviewSection campaign={campaign} isSent />
        </>
      )}
    </div>
  )
}

function Actions({ campaign: { id, channel, status } }: { campaign: CampaignData }) {
  const show = useShowCampaign()
  const [isStopping, setStopping] = useState(false)
  const options = (failed: string) => ({
    onSuccess: show,
    onError: (error: unknown) => toast.error(failed, messageOf(error)),
  })
  const pause = useMutation(orpc.campaigns.pause.mutationOptions(options('Couldn’t pause the campaign')))
  const resume = useMutation(orpc.campaigns.resume.mutationOptions(options('Couldn’t resume the campaign')))
  const stop = useMutation(
    orpc.campaigns.stop.mutationOptions({ ...options('Couldn’t stop the campaign'), onSettled: () => setStopping(false) }),
  )
  const isScheduled = status === 'scheduled'
  const isRunning = status === 'sending' || status === 'paused'
  return (
    <div className="flex flex-wrap gap-2">
      {status === 'sending' && (
        <Button icon={<Pause />} busy={pause.isPending} busyLabel="Pausing…" onClick={() => pause.mutate({ id })}>
          Pause
        </Button>
      )}
      {status === 'paused' && (
        <Button variant="filled" icon={<Play />} busy={resume.isPending} busyLabel="Resuming…" onClick={() => resume.mutate({ id })}>
          Resume
        </Button>
      )}
      {isScheduled && (
        <Button busy={stop.isPending} onClick={() => stop.mutate({ id })}>
          Return to draft
        </Button>
      )}
      {isRunning && (
        <Button variant="danger" icon={<Square />} onClick={() => setStopping(true)}>
          Stop
        </Button>
      )}
      {isStopping && (
        <ConfirmDialog
          title="Stop this campaign?"
          action={{ label: 'Stop campaign', busyLabel: 'Stopping…', isDanger: true }}
          isBusy={stop.isPending}
          onConfirm={() => stop.mutate({ id })}
          onClose={() => setStopping(false)}
        >
          No further {messageWords[channel].many} will be sent, and the campaign can’t be resumed. Those already on their way will still
          arrive.
        </ConfirmDialog>
      )}
    </div>
  )
}

function Winner({ campaign: { id, channel, decideBy, decideAfterHours } }: { campaign: CampaignData }) {
  const show = useShowCampaign()
  const choose = useMutation(
    orpc.campaigns.chooseWinner.mutationOptions({
      onSuccess: show,
      onError: (error) => toast.error('Couldn’t choose the winner', messageOf(error)),
    }),
  )
  return (
    <Alert
      tone="info"
      title={`The template with more ${deciderLabels[decideBy].toLowerCase()} will be sent to the other patients.`}
      action={
        <span className="flex gap-2">
          {variants.map((variant) => (
            <Button key={variant} size="sm" busy={choose.isPending} onClick={() => choose.mutate({ id, variant })}>
              Choose {variantLabels[variant]} now
            </Button>
          ))}
        </span>
      }
    >
      Decided {decideAfterHours} {decideAfterHours === 1 ? 'hour' : 'hours'} after the last {messageWords[channel].one} of the test.
    </Alert>
  )
}

function Results({ campaign: { id, channel } }: { campaign: CampaignData }) {
  const results = useQuery(orpc.campaigns.results.queryOptions({ input: { id } }))
  return (
    <section aria-labelledby="results">
      <h2 id="results" className="pb-3 text-md font-semibold text-fg">
        Results
      </h2>
      <Asked query={results} failed="Couldn’t load the results">
        {(data) => (
          <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
            <Figures data={data} channel={channel} />
            {data.refused.length > 0 && (
              <div className="text-sm">
                <h3 className="flex items-center justify-between gap-2 pb-1 font-medium text-fg">
                  {formatPatients(data.refused.reduce((sum, { count }) => sum + count, 0))} refused
                  <ExportMenu address="/api/campaigns/refused" filters={{ id }} compact />
                </h3>
                <Refused refused={data.refused} channel={channel} />
              </div>
            )}
          </div>
        )}
      </Asked>
    </section>
  )
}

const rows = {
  email: [
    ['sent', 'Sent'],
    ['delivered', 'Delivered'],
    ['bounced', 'Bounced'],
    ['failed', 'Not sent'],
    ['uncertain', 'Delivery uncertain'],
    ['clicked', 'Clicked'],
    ['replied', 'Replied'],
    ['unsubscribed', 'Unsubscribed'],
    ['booked', 'Booked surgery'],
  ],
  text: [
    ['sent', 'Sent'],
    ['delivered', 'Delivered'],
    ['failed', 'Not delivered'],
    ['uncertain', 'Delivery uncertain'],
    ['replied', 'Replied'],
    ['unsubscribed', 'Answered STOP'],
    ['booked', 'Booked surgery'],
  ],
} as const
const delivered = {
  email: 'Delivered means accepted by the email provider and not bounced. Opens are not tracked.',
  text: 'Delivered means that the carrier reported its arrival. Clicks in texts are not counted.',
} as const

/** A line for each figure; of a test, a column for A and for B. */
function Figures({ data, channel }: { data: ResultsData; channel: CampaignData['channel'] }) {
  const columns: { key: Variant | 'total'; label: string; figures: ResultsData['total'] }[] = [
    ...data.variants.map((figures) => ({ key: figures.variant, label: variantLabels[figures.variant], figures })),
    { key: 'total', label: data.variants.length > 0 ? 'Total' : 'Patients', figures: data.total },
  ]
  const shown = rows[channel].filter(([name]) => name !== 'uncertain' || data.total.uncertain > 0)
  return (
    <div className={cn('overflow-x-auto', columns.length === 1 && 'max-w-160')}>
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-xs text-fg-3">
            <th scope="col" className="py-2 text-left font-medium">
              Result
            </th>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col" className="w-32 py-2 pr-12 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(([name, label]) => (
            <tr key={name} className="border-b border-line">
              <th scope="row" className="py-2 text-left font-regular text-fg-2">
                {label}
              </th>
              {columns.map(({ key, figures }) => (
                <td key={key} className="py-2 text-right text-fg tabular-nums">
                  {formatCount(figures[name])}
                  {name !== 'sent' && <span className="inline-block w-12 text-fg-3">{formatShare(figures[name], figures.sent)}</span>}
                  {name === 'sent' && <span className="inline-block w-12" />}
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row" className="py-2 text-left font-regular text-fg-2">
              Revenue
            </th>
            {columns.map(({ key, figures }) => (
              <td key={key} className="py-2 text-right text-fg tabular-nums">
                {formatMoney(figures.revenueCents)}
                <span className="inline-block w-12" />
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      <p className="max-w-160 pt-3 text-xs text-fg-3">
        {delivered[channel]} {attributionRule}
      </p>
    </div>
  )
}
