import { Check, CircleAlert, Clock3 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import type { ConversationData, MessageData } from '../inbox-data.ts'
import type { Actions } from '../useActions.ts'

const titles = { failed: 'Not sent.', bounced: 'Not delivered.' }

interface MessageStateProps {
  message: MessageData
  channel: ConversationData['channel']
  actions: Actions
}

/** The delivery state of an outgoing message. */
export function MessageState({ message, channel, actions }: MessageStateProps) {
  const [isBusy, setBusy] = useState(false)
  const { id, status, problem, readAt } = message
  const sent = channel === 'email' ? 'Sent' : readAt ? 'Read by the patient' : 'In the portal, not read yet'
  async function again() {
    setBusy(true)
    await actions.resend(id)
    setBusy(false)
  }
  if (status === 'received') return null
  if (status === 'queued' || (status === 'sent' && problem === null)) {
    const Icon = status === 'sent' ? Check : Clock3
    return (
      <p className="flex items-center gap-1.5 px-3 pb-2 text-xs text-fg-3 md:px-4 [&_svg]:size-3.5">
        <Icon aria-hidden="true" />
        {status === 'sent' ? sent : `Sending. ${problem ?? ''}`.trim()}
      </p>
    )
  }
  return (
    <p
      className={cn(
        'flex flex-wrap items-center gap-x-2 gap-y-1 px-3 pb-3 text-sm md:px-4',
        status === 'sent' ? 'text-warning-fg' : 'text-danger-fg',
      )}
    >
      <CircleAlert aria-hidden="true" />
      <span className="min-w-0 flex-1">
        <strong className="font-semibold">{status === 'sent' ? `${sent}.` : titles[status]}</strong> {problem}
      </span>
      {status === 'failed' && (
        <Button size="sm" busy={isBusy} busyLabel="Sending…" onClick={() => void again()}>
          Resend
        </Button>
      )}
    </p>
  )
}
