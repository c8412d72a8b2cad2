import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { type Clock, formatDateTime, formatTime } from '../../../../ui/format.ts'
import type { MessageData } from '../inbox-data.ts'
import { channelIcons } from '../icons.ts'
import { channelLabels } from '../labels.ts'
import type { Actions } from '../useActions.ts'

const titles = { failed: 'Not sent.', bounced: 'Not delivered.', uncertain: 'Delivery uncertain.' }

const originLabels = { sequence: 'Sequence', campaign: 'Campaign' }

interface MessageStateProps {
  message: MessageData
  /** Who wrote it; where the message itself does not say. */
  author?: string
  actions: Actions
  clock: Clock
  onByEmail?: ((text: string) => void) | undefined
}

/** Below a message of ours: its channel, its author, and how far it has come. */
export function MessageState({ message, author, actions, clock, onByEmail }: MessageStateProps) {
  const [isBusy, setBusy] = useState(false)
  const { id, channel, status, problem, readAt, segments, origin, linkOpenedAt } = message
  const isText = channel === 'sms'
  const Icon = channelIcons[channel]
  async function again() {
    setBusy(true)
    await actions.resend(id)
    setBusy(false)
  }
  if (status === 'received') return null
  const time = formatTime(message.sentAt ?? message.createdAt, clock.timeZone)
  const sent = channel !== 'portal' ? `Sent ${time}` : readAt ? 'Read by the patient' : 'In the portal, not read yet'
  const sender = origin ? `${originLabels[origin.kind]} “${origin.name}”` : author
  const parts = [channelLabels[channel], sender, segments !== null && segments > 1 ? `${segments} segments` : undefined].filter(Boolean)
  const opened = linkOpenedAt && `Link opened ${formatTime(linkOpenedAt, clock.timeZone)}`
  const facts = (state: string) => [...parts, state, opened].filter(Boolean).join(' · ')
  if (status === 'queued' || status === 'sending' || status === 'delivered' || (status === 'sent' && problem === null)) {
    const state = {
      queued: `${isText ? 'Queued' : 'Sending'}.${problem ? ` ${problem}` : ''}`,
      sending: 'Sending',
      sent,
      delivered: `Delivered ${time}`,
    }[status]
    return (
      <p className="flex items-center gap-1.5 text-xs text-fg-3" title={formatDateTime(message.sentAt ?? message.createdAt, clock)}>
        <Icon aria-hidden="true" className="size-3.5!" />
        {facts(state)}
      </p>
    )
  }
  // A text that Twilio took, but the phone did not get.
  const isUndelivered = status === 'failed' && isText && !message.canResend
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1 text-xs">
      <p className="min-w-0 text-fg-3">
        <Icon aria-hidden="true" className="mr-1.5 inline size-3.5! align-[-2px]" />
        {parts.join(' · ')}{' '}
        <span className={status === 'sent' || status === 'uncertain' ? 'text-warning-fg' : 'text-danger-fg'}>
          <CircleAlert aria-hidden="true" className="mr-1 inline size-3.5! align-[-2px]" />
          {isUndelivered && problem ? (
            `Not delivered: ${problem.charAt(0).toLowerCase()}${problem.slice(1)}`
          ) : (
            <>
              <strong className="font-semibold">{status !== 'sent' ? titles[status] : channel === 'portal' ? `${sent}.` : 'Sent.'}</strong>{' '}
              {problem}
              {status === 'uncertain' && ` It will not be sent again.${isText ? ' Call the patient, or ask in another text.' : ''}`}
            </>
          )}
        </span>
      </p>
      {message.canResend && (
        <Button size="sm" busy={isBusy} busyLabel="Sending…" onClick={() => void again()}>
          Resend
        </Button>
      )}
      {isText && (status === 'failed' || status === 'uncertain') && onByEmail && (
        <Button size="sm" variant="quiet" className="text-accent-fg" onClick={() => onByEmail(message.body)}>
          Send by email
        </Button>
      )}
    </div>
  )
}
