import { useQuery } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { providerName, useNames } from '../../../calendar/web/embed/names.ts'
import { formatTimes } from '../../../calendar/web/embed/times.ts'
import { type GapData, useLiveWaitingList } from '../entry-data.ts'
import { GapDialog } from './dialogs.ts'

/** The gaps of a day for which patients wait, of one provider or of all. Nothing if there are none. */
export function WaitingGaps({ day, providerId }: { day: string; providerId: string | undefined }) {
  return usePermission()('waitingList.gaps') ? <Gaps day={day} providerId={providerId} /> : null
}

function Gaps({ day, providerId }: { day: string; providerId: string | undefined }) {
  const clock = useClock()
  const names = useNames()
  useLiveWaitingList()
  const [open, setOpen] = useState<GapData | null>(null)
  const { data, error } = useQuery(orpc.waitingList.gaps.queryOptions({ input: { from: day, days: 1 } }))
  if (error && !data)
    return (
      <p role="alert" className="border-b border-line px-4 py-2 text-sm text-danger-fg md:px-6">
        Couldn’t load who on the waiting list fits this day.
      </p>
    )
  const gaps = (data ?? []).filter((gap) => providerId === undefined || gap.providerId === providerId)
  if (gaps.length === 0) return null
  return (
    <section aria-label="Waiting list" className="flex flex-none items-center gap-2 overflow-x-auto border-b border-line px-4 py-2 md:px-6">
      <Hourglass aria-hidden="true" className="flex-none text-fg-3" />
      <h3 className="sr-only">Gaps that patients on the waiting list fit</h3>
      <ul className="flex gap-2">
        {gaps.map((gap) => (
          <li key={`${gap.providerId} ${gap.startsAt}`}>
            <Button size="sm" className="tabular-nums" onClick={() => setOpen(gap)}>
              {formatTimes(gap.startsAt, gap.endsAt, clock.timeZone)} · {providerName(gap.providerId, names)} ·{' '}
              <span className="text-accent-fg">
                {gap.fitting.length} on the waiting list {gap.fitting.length === 1 ? 'fits' : 'fit'}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {open && <GapDialog gap={open} onClose={() => setOpen(null)} />}
    </section>
  )
}
