import { Link } from '@tanstack/react-router'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CountBadge } from '../../../../ui/display/CountBadge.tsx'
import { formatCount } from '../../../../ui/format.ts'
import { useQueueCounts } from './useQueueCounts.ts'

/** Links to the queue if any leads are waiting. */
export function LeadsToCompleteButton({ short }: { short: boolean }) {
  const waiting = useQueueCounts()?.waiting ?? 0
  if (waiting === 0) return null
  return (
    <Button asChild>
      <Link to="/contacts/leads" aria-label={`Leads to complete: ${formatCount(waiting)}`}>
        {short ? 'Leads' : 'Leads to complete'}
        <CountBadge count={waiting} label="waiting" />
      </Link>
    </Button>
  )
}

/** A notice about waiting leads, of one source or of all. */
export function LeadsToCompleteNotice({ sourceId }: { sourceId?: string }) {
  const counts = useQueueCounts()
  const waiting = (sourceId ? counts?.sources.find(({ id }) => id === sourceId)?.waiting : counts?.waiting) ?? 0
  if (waiting === 0) return null
  return (
    <Alert
      tone="warning"
      title={waiting === 1 ? '1 lead is missing required fields.' : `${formatCount(waiting)} leads are missing required fields.`}
      action={
        <Button asChild>
          <Link to="/contacts/leads" search={sourceId ? { source: sourceId } : {}}>
            Complete leads
          </Link>
        </Button>
      }
    >
      {waiting === 1 ? 'It becomes a patient once it is complete.' : 'They become patients once they are complete.'}
    </Alert>
  )
}
