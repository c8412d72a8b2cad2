import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleQuestionMark, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { orpc } from '../../../ui/client/api.ts'
import { ExportMenu } from '../../../ui/display/ExportMenu.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { formatPhone } from '../../../ui/format.ts'
import { templateTitle } from '../../../messages/email-templates/rules.ts'
import { describeRefusal } from '../rules.ts'
import type { CampaignData, CheckData } from './campaign-data.ts'
import { formatCost, formatCount, formatPatients } from './labels.ts'

/** What is checked before a campaign is sent, of the draft as it is saved. */
export function CheckPanel({ campaign }: { campaign: CampaignData }) {
  const { id, channel } = campaign
  const check = useQuery(orpc.campaigns.check.queryOptions({ input: { id } }))
  return (
    <section aria-labelledby="check" className="min-w-0 lg:border-l lg:border-line lg:pl-8">
      <h2 id="check" className="pb-3 text-md font-semibold text-fg">
        Before sending
      </h2>
      <Asked query={check} failed="Couldn’t check the campaign">
        {(data) => <Checked id={id} channel={channel} data={data} />}
      </Asked>
    </section>
  )
}

type Channel = CampaignData['channel']

function Checked({ id, channel, data }: { id: string; channel: Channel; data: CheckData }) {
  const refused = data.total - data.sendable
  const bad = data.links.filter(({ problem }) => problem !== null)
  const withoutFrench = data.contents.filter(({ hasFrench }) => !hasFrench)
  return (
    <div className="flex flex-col gap-5 text-sm">
      {data.problems.map((problem) => (
        <Line key={problem} state="bad" title={problem} />
      ))}
      <div>
        <p className="text-2xl font-semibold text-fg tabular-nums">{formatCount(data.sendable)}</p>
        <p className="text-fg-2">of {formatPatients(data.total)} would receive this now</p>
      </div>
      {refused > 0 && (
        <div>
          <h3 className="flex items-center justify-between gap-2 pb-1 font-medium text-fg">
            {formatCount(refused)} refused
            <ExportMenu address="/api/campaigns/refused" filters={{ id }} compact />
          </h3>
          <Refused refused={data.refused} channel={channel} />
          <p className="pt-1 text-xs text-fg-3">A patient receives at most {data.perWeek} messages a week from campaigns and sequences.</p>
        </div>
      )}
      {data.contents.length > 0 && (
        <ul className="flex flex-col gap-3">
          <Line
            state={data.spam.length > 0 ? 'warn' : 'good'}
            title={data.spam.length > 0 ? 'Words that spam filters flag' : 'No words that spam filters flag'}
          >
            {data.spam.map(({ found, reason }) => `“${found}”: ${reason.toLowerCase()}`).join('. ')}
          </Line>
          <Line
            state={bad.length > 0 ? 'warn' : 'good'}
            title={bad.length > 0 ? 'Check these links' : `${formatCount(data.links.length)} ${data.links.length === 1 ? 'link' : 'links'}`}
          >
            {bad.map(({ url, problem }) => `${url}: ${problem}`).join('. ')}
          </Line>
          <Line
            state={withoutFrench.length > 0 ? 'warn' : 'good'}
            title={
              withoutFrench.length > 0
                ? `No French version of ${withoutFrench.map(({ name }) => templateTitle(name)).join(' and ')}`
                : 'In English and French'
            }
          >
            {withoutFrench.length > 0 && 'Patients who prefer French receive the English one.'}
          </Line>
          {data.texts && <Texts texts={data.texts} />}
          {data.from && (
            <Line state="good" title={`From ${channel === 'text' ? formatPhone(data.from) : data.from}`}>
              {channel === 'text' ? 'Replies arrive in the inbox' : `Reply-to: ${data.replyTo}`}
            </Line>
          )}
          <Line
            state="good"
            title={channel === 'text' ? 'Sender and how to stop at the end of each text' : 'Sender and unsubscribe link in each email'}
          >
            <span className="block">{data.unsubscribe.en}</span>
            <span lang="fr" className="block pt-1">
              {data.unsubscribe.fr}
            </span>
          </Line>
          {channel === 'email' && <Domain />}
        </ul>
      )}
    </div>
  )
}

/** What texts take and cost, and when they leave. */
function Texts({ texts: { segments, isShortened, cost, perHour } }: { texts: NonNullable<CheckData['texts']> }) {
  const size = (count: number) => `${count} ${count === 1 ? 'segment' : 'segments'}`
  return (
    <>
      <Line
        state={isShortened ? 'warn' : 'good'}
        title={`About ${cost > 0 ? formatCost(cost) : size(Math.max(segments.en, segments.fr))}${cost > 0 ? ' in all' : ' a text'}`}
      >
        {`${size(segments.en)} in English, ${segments.fr} in French, including the sender and how to stop.`}
        {isShortened && ' A character outside the basic alphabet, such as ê or an emoji, shortens each segment to 67 characters.'}
      </Line>
      <Line state="good" title={`At most ${formatCount(perHour)} texts an hour`}>
        Outside each patient’s quiet hours, and within the daily limit of automatic texts.
      </Line>
    </>
  )
}

/** How many were refused for each reason. */
export function Refused({ refused, channel }: { refused: CheckData['refused']; channel: Channel }) {
  return (
    <dl>
      {refused.map(({ reason, count }) => (
        <div key={reason} className="flex justify-between gap-4 py-0.5">
          <dt className="text-fg-2">{describeRefusal(reason, channel)}</dt>
          <dd className="text-fg tabular-nums">{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

const states = {
  found: { state: 'good', words: 'found' },
  missing: { state: 'bad', words: 'missing' },
  unknown: { state: 'unknown', words: 'not checked' },
} as const

/** What the DNS says of the sender’s domain. */
function Domain() {
  const query = useQuery(orpc.campaigns.senderDomain.queryOptions({ staleTime: 5 * 60_000 }))
  if (query.isPending) return <Line state="unknown" title="Checking the sender’s domain…" />
  if (!query.data) return <Line state="unknown" title="Couldn’t check the sender’s domain" />
  const { domain, spf, dkim, dmarc } = query.data
  return (
    <>
      {Object.entries({ SPF: spf, DKIM: dkim, DMARC: dmarc }).map(([name, record]) => (
        <Line key={name} state={states[record.state].state} title={`${name} ${states[record.state].words} for ${domain}`}>
          {record.found ?? (name === 'DKIM' && record.state === 'unknown' ? 'Set DKIM_SELECTOR on the server to check it.' : record.name)}
        </Line>
      ))}
    </>
  )
}

const icons = {
  good: <CircleCheck className="mt-0.5 text-success" />,
  warn: <TriangleAlert className="mt-0.5 text-warning-fg" />,
  bad: <CircleAlert className="mt-0.5 text-danger" />,
  unknown: <CircleQuestionMark className="mt-0.5 text-fg-3" />,
}
const words = { good: 'Passed', warn: 'Warning', bad: 'Failed', unknown: 'Not checked' }

function Line({ state, title, children }: { state: keyof typeof icons; title: string; children?: ReactNode }) {
  return (
    <li className="flex list-none gap-2">
      {icons[state]}
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">{words[state]}: </span>
        <span className="text-fg">{title}</span>
        {children && <span className="block text-xs text-fg-3">{children}</span>}
      </span>
    </li>
  )
}
