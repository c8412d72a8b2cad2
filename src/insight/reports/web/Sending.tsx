import { Clock } from 'lucide-react'
import { useClock } from '../../../ui/client/session.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import type { Saved } from './saved-data.ts'
import { formatSchedule } from './schedule-labels.ts'
import { useChoices } from './useReport.ts'

/** Schedule of a saved report: recipients, next and last sending. */
export function Sending({ saved: { schedule, nextAt, lastAt, stopped } }: { saved: Saved }) {
  const clock = useClock()
  const { data: choices } = useChoices()
  if (!schedule) return null
  if (stopped)
    return (
      <Alert tone="warning" title="This report is no longer sent">
        {stopped === 'owner'
          ? 'The person who saved it no longer has access to reports. Save it under your own name to resume sending.'
          : 'No recipient has access to reports any longer. Choose new recipients.'}
      </Alert>
    )
  const names = schedule.recipientIds.map((id) => choices?.people.find((person) => person.id === id)?.name ?? 'someone who has left')
  return (
    <p className="flex items-baseline gap-2 text-sm text-fg-2">
      <Clock aria-hidden="true" className="translate-y-0.5 text-fg-3" />
      <span>
        {`Sent ${formatSchedule(schedule)} to ${names.join(', ')}. `}
        {nextAt && `Next: ${formatDateTime(nextAt, clock)}. `}
        {lastAt ? `Last: ${formatDateTime(lastAt, clock)}.` : 'Not sent yet.'}
      </span>
    </p>
  )
}
