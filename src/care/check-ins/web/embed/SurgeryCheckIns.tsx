import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { type Clock, formatDay, formatShortDate } from '../../../../ui/format.ts'
import { type CheckInData, formatCheckIn, formatCheckInDay } from '../check-in-labels.ts'

/** The check-ins after a surgery: planned, sent and answered. Hidden if there are none. */
export function SurgeryCheckIns({ surgeryId, contactId }: { surgeryId: string; contactId: string }) {
  const clock = useClock()
  const cache = useQueryClient()
  const may = usePermission()
  const list = useQuery(orpc.checkIns.ofSurgery.queryOptions({ input: { id: surgeryId }, enabled: may('checkIns.ofSurgery') }))
  useLive(['surgery', 'form'], () => void cache.invalidateQueries({ queryKey: orpc.checkIns.key() }), { debounceMs: 500 })
  if (list.error && !list.data) {
    return (
      <p role="alert" className="text-sm text-danger-fg">
        Couldn’t load the check-ins.{' '}
        <Button size="sm" variant="quiet" onClick={() => void list.refetch()}>
          Try again
        </Button>
      </p>
    )
  }
  if (!list.data || list.data.length === 0) return null
  return (
    <div role="group" aria-label="Check-ins">
      <div className="flex min-h-8 items-center gap-2 border-b border-line pb-1.5">
        <h3 className="text-sm font-semibold text-fg">Check-ins</h3>
        <span className="text-sm text-fg-3 tabular-nums">
          {list.data.filter(({ state }) => state === 'answered').length} of {list.data.length} answered
        </span>
        {may('forms.ofContact') && list.data.some(({ formId }) => formId !== null) && (
          <Button size="sm" variant="quiet" className="ml-auto" asChild>
            <Link to="/contacts/$id" params={{ id: contactId }} search={{ tab: 'forms' }}>
              Open forms
            </Link>
          </Button>
        )}
      </div>
      <ul>
        {list.data.map((checkIn) => {
          const { label, tone } = formatCheckIn(checkIn)
          return (
            <li key={checkIn.dueOn} className="flex min-h-11 items-center gap-3 border-b border-line py-1.5 text-sm last:border-b-0">
              <span className="min-w-0 flex-1">
                <span className="block font-medium text-fg">{formatCheckInDay(checkIn)}</span>
                <span className="block text-xs text-fg-3 tabular-nums">{describe(checkIn, clock)}</span>
                {checkIn.emailProblem !== null && (
                  <span className="block text-xs text-danger-fg">Email not sent: {checkIn.emailProblem}</span>
                )}
              </span>
              <Badge tone={tone}>{label}</Badge>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function describe({ state, dueOn, answeredAt, sentAt }: CheckInData, clock: Clock): string {
  if (answeredAt !== null) return `Answered ${formatShortDate(answeredAt, clock)}`
  if (sentAt !== null) return `Emailed ${formatShortDate(sentAt, clock)}`
  return state === 'planned' ? `On ${formatDay(dueOn)}` : formatDay(dueOn)
}
