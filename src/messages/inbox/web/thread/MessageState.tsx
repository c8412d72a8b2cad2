import { Check, CircleAlert, Clock3 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import type { MessageData } from '../inbox-data.ts'
import type { Actions } from '../useActions.ts'

const titles = { sent: 'Sent.', failed: 'Not sent.', bounced: 'Not delivered.' }

/** The delivery state of an outgoing email. */
export function MessageState({ message, actions }: { message: MessageData; actions: Actions }) {
  const [isBusy, setBusy] = useState(false)
  const { id, status, problem } = message
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
        {status === 'sent' ? 'Sent' : `Sending. ${problem ?? ''}`.trim()}
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
        <strong className="font-semibold">{titles[status]}</strong> {problem}
      </span>
      {status === 'failed' && (
        <Button size="sm" busy={isBusy} busyLabel="Sending…" onClick={() => void again()}>
          Resend
        </Button>
      )}
    </p>
  )
}
