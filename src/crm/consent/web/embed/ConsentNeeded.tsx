import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatPhone } from '../../../../ui/format.ts'
import { cn } from '../../../../ui/cn.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import type { ConsentChannel } from '../../rules.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'

const RecordDialog = lazyDialog(
  () => import('../RecordDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface ConsentNeededProps {
  contactId: string
  channel?: ConsentChannel
  /** The recipient's address. */
  address: string
  /** The refusal message. */
  message: string
  className?: string
}

/** Explains why a commercial message was refused and links to the patient's consent, without losing the message being written. */
export function ConsentNeeded({ contactId, channel = 'email', address, message, className }: ConsentNeededProps) {
  const may = usePermission()
  const [isRecording, setRecording] = useState(false)
  const consent = useQuery(orpc.consent.get.queryOptions({ input: { id: contactId }, staleTime: 0 }))
  const state = consent.isFetchedAfterMount ? consent.data : undefined
  const unsubscribed = (channel === 'text' ? state?.text.unsubscribed : state?.unsubscribed) ?? []
  const live = channel === 'text' ? state?.text.live : state?.live
  const hasConsent = live != null && !unsubscribed.some((one) => formatPhone(one).toLowerCase() === formatPhone(address).toLowerCase())
  const Icon = hasConsent ? CircleCheck : CircleAlert
  return (
    <div className={cn('text-sm', className)}>
      <p role={hasConsent ? 'status' : 'alert'} className={cn('flex gap-1.5', hasConsent ? 'text-success-fg' : 'text-danger-fg')}>
        <Icon aria-hidden="true" className="mt-0.5" />
        <span>{hasConsent ? 'Consent recorded. You can send the message now.' : message}</span>
      </p>
      {!hasConsent && (
        <div className="-ml-2 flex flex-wrap items-center gap-1 pt-1 pl-5">
          {may('consent.record') && (
            <Button size="sm" variant="quiet" onClick={() => setRecording(true)}>
              Record consent
            </Button>
          )}
          <Link
            to="/contacts/$id"
            params={{ id: contactId }}
            target="_blank"
            className="relative rounded-xs px-2 text-sm font-medium text-accent-fg touch-target hover:text-accent-hover"
          >
            View the patient’s consent
          </Link>
        </div>
      )}
      {isRecording && <RecordDialog contactId={contactId} channel={channel} state={state} onClose={() => setRecording(false)} />}
    </div>
  )
}
