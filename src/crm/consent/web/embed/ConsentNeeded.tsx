import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { useMay } from '../../../../ui/client/useMay.ts'

const RecordDialog = lazyDialog(
  () => import('../RecordDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface ConsentNeededProps {
  contactId: string
  /** Where the mail goes. */
  address: string
  /** Why it was refused. */
  message: string
  className?: string
}

/** Where a commercial email was refused: why, and the ways to the patient's consent. Nothing that was written is lost on them. */
export function ConsentNeeded({ contactId, address, message, className }: ConsentNeededProps) {
  const may = useMay()
  const [isRecording, setRecording] = useState(false)
  const consent = useQuery(orpc.consent.get.queryOptions({ input: { id: contactId }, staleTime: 0 }))
  const state = consent.isFetchedAfterMount ? consent.data : undefined
  const unsubscribed = state?.unsubscribed ?? []
  const isThere = state?.live != null && !unsubscribed.some((one) => one.toLowerCase() === address.toLowerCase())
  const Icon = isThere ? CircleCheck : CircleAlert
  return (
    <div className={cn('text-sm', className)}>
      <p role={isThere ? 'status' : 'alert'} className={cn('flex gap-1.5', isThere ? 'text-success-fg' : 'text-danger-fg')}>
        <Icon aria-hidden="true" className="mt-0.5" />
        <span>{isThere ? 'The consent is recorded. Send the message again.' : message}</span>
      </p>
      {!isThere && (
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
            See the patient’s consent
          </Link>
        </div>
      )}
      {isRecording && <RecordDialog contactId={contactId} unsubscribed={unsubscribed} onClose={() => setRecording(false)} />}
    </div>
  )
}
