import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'

const RecordDialog = lazyDialog(
  () => import('../RecordDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface ConsentNeededProps {
  contactId: string
  /** The recipient's address. */
  address: string
  /** The refusal message. */
  message: string
  className?: string
}

/** Explains why a commercial email was refused and links to the patient's consent, without losing the message being written. */
export function ConsentNeeded({ contactId, address, message, className }: ConsentNeededProps) {
  const may = usePermission()
  const [isRecording, setRecording] = useState(false)
  const consent = useQuery(orpc.consent.get.queryOptions({ input: { id: contactId }, staleTime: 0 }))
  const state = consent.isFetchedAfterMount ? consent.data : undefined
  const unsubscribed = state?.unsubscribed ?? []
  const hasConsent = state?.live != null && !unsubscribed.some((one) => one.toLowerCase() === address.toLowerCase())
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
      {isRecording && <RecordDialog contactId={contactId} unsubscribed={unsubscribed} onClose={() => setRecording(false)} />}
    </div>
  )
}
