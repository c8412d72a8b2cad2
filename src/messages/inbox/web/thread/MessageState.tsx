import { Check, CheckCheck, CircleAlert, Clock3 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import type { ConversationData, MessageData } from '../inbox-data.ts'
import type { Actions } from '../useActions.ts'

const titles = { failed: 'Not sent.', bounced: 'Not delivered.', uncertain: 'Delivery uncertain.' }
const icons = { queued: Clock3, sending: Clock3, sent: Check, delivered: CheckCheck }

interface MessageStateProps {
  message: MessageData
  channel: ConversationData['channel']
  actions: Actions
}

/** The delivery state of an outgoing message. */
export function MessageState({ message, channel, actions }: MessageStateProps) {
  const [isBusy, setBusy] = useState(false)
  const { id, status, problem, readAt, segments } = message
  const isText = channel === 'sms'
  const sent = channel !== 'portal' ? 'Sent' : readAt ? 'Read by the patient' : 'In the portal, not read yet'
  async function again() {
    setBusy(true)
    await actions.resend(id)
    setBusy(false)
  }
  if (status === 'received') return null
  if (status === 'queued' || status === 'sending' || status === 'delivered' || (status === 'sent' && problem === null)) {
    const Icon = icons[status]
    const words = { queued: `${isText ? 'Queued' : 'Sending'}. ${problem ?? ''}`.trim(), sending: 'Sending', sent, delivered: 'Delivered' }[
      status
    ]
    return (
      <p className={cn('flex items-center gap-1.5 text-xs text-fg-3 [&_svg]:size-3.5', !isText && 'px-3 pb-2 md:px-4')}>
        <Icon aria-hidden="true" />
        {words}
        {segments !== null && segments > 1 && ` · ${segments} segments`}
      </p>
    )
  }
  // A text that Twilio took, but the phone did not get.
  const title = status === 'failed' && isText && !message.canResend ? 'Not delivered.' : status === 'sent' ? `${sent}.` : titles[status]
  return (
    <p
      className={cn(
        'flex flex-wrap items-center gap-x-2 gap-y-1 text-sm',
        !isText && 'px-3 pb-3 md:px-4',
        status === 'sent' || status === 'uncertain' ? 'text-warning-fg' : 'text-danger-fg',
      )}
    >
      <CircleAlert aria-hidden="true" />
      <span className="min-w-0 flex-1">
        <strong className="font-semibold">{title}</strong> {problem}
        {status === 'uncertain' && ' It will not be sent again. Call the patient, or ask in another text.'}
      </span>
      {message.canResend && (
        <Button size="sm" busy={isBusy} busyLabel="Sending…" onClick={() => void again()}>
          Resend
        </Button>
      )}
    </p>
  )
}
