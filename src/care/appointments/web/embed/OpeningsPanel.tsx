import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { toInstant } from '../../../../shared/zoned-time.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { formatDateTime, formatTimeOfDay, today } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import type { VisitTypeData } from '../../../availability/web/embed/useAvailability.ts'
import type { RequestedSlot } from '../../../calendar/web/embed/day/DayPanel.tsx'
import { daysShown, stepFrom, titleOf } from '../../../calendar/web/embed/periods.ts'
import type { DayOpenings } from '../../opening-rules.ts'

interface OpeningsPanelProps {
  slot: RequestedSlot
  /** Adds its buffers, and offers its people and rooms where none is chosen. */
  visitType: VisitTypeData | null
  secondPersonId: string | null
  onChange: (part: { day: string; time?: string }) => void
}

const partsOfDay = [
  { title: 'Morning', from: '00:00', to: '12:00' },
  { title: 'Afternoon', from: '12:00', to: '17:00' },
  { title: 'Evening', from: '17:00', to: '24:00' },
]

/** Openings of the provider and the room: by week, for the chosen day, and the next one. */
export function OpeningsPanel({ slot, visitType, secondPersonId, onChange }: OpeningsPanelProps) {
  const { day, time, minutes, providerId, roomId, except } = slot
  const name = useId()
  const clock = useClock()
  const now = today(clock)
  const isDay = /^20\d\d-\d\d-\d\d$/.test(day)
  // The week follows the chosen day until the user goes to another week.
  const [browsed, setBrowsed] = useState<{ from: string; day: string } | null>(null)
  const from = browsed?.day === day ? browsed.from : daysShown('week', isDay ? day : now).from
  const isEnabled = minutes !== null && minutes >= 5 && minutes <= 720 && (visitType !== null || providerId !== null || roomId !== null)
  const { data, error } = useQuery(
    orpc.appointments.openings.queryOptions({
      input: {
        from,
        days: 7,
        minutes: minutes ?? 0,
        ...(visitType && { visitTypeId: visitType.id }),
        ...(providerId && { providerId }),
        ...(secondPersonId && { secondPersonId }),
        ...(roomId && { roomId }),
        ...(except && { except }),
      },
      enabled: isEnabled,
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
  )
  if (!isEnabled) return <p className="text-sm text-fg-3">Choose a visit, a provider or a room to see openings.</p>
  if (error && !data) {
    return (
      <p role="alert" className="text-sm text-danger-fg">
        Couldn’t load openings. Overlaps are still refused.
      </p>
    )
  }
  if (!data) return <Skeleton className="w-2/3" />
  const { days, next } = data
  const buffer = visitType ? visitType.bufferBefore + visitType.bufferAfter : 0
  const chosen = days.find((opening) => opening.day === day)
  const browse = (by: 1 | -1) => setBrowsed({ from: stepFrom('week', from, by), day })

  return (
    <section aria-label="Openings" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-sm font-semibold">{titleOf('week', from)}</h3>
        <div className="ml-auto flex items-center gap-1.5">
          {next ? (
            <Button size="sm" className="text-accent-fg tabular-nums" onClick={() => onChange(next)}>
              Next available: {formatDateTime(toInstant(next, clock.timeZone), clock)}
            </Button>
          ) : (
            <span className="text-sm text-warning-fg">No opening within a year</span>
          )}
          <IconButton label="Previous week" size="sm" variant="outlined" icon={<ChevronLeft />} onClick={() => browse(-1)} />
          <IconButton label="Next week" size="sm" variant="outlined" icon={<ChevronRight />} onClick={() => browse(1)} />
        </div>
      </div>
      <ul aria-label="Week" className="grid grid-cols-7 gap-1">
        {days.map((opening) => (
          <li key={opening.day}>
            <button
              type="button"
              aria-pressed={opening.day === day}
              aria-label={`${format(parseISO(opening.day), 'EEEE, MMMM d')}: ${formatAvailability(opening, now)}`}
              onClick={() => onChange({ day: opening.day })}
              className={cn(
                'flex w-full flex-col items-center rounded-md py-1 text-xs tabular-nums',
                opening.day === day
                  ? 'bg-accent text-on-accent'
                  : opening.times.length > 0
                    ? 'text-fg hover:bg-hover'
                    : 'text-fg-3 hover:bg-hover',
              )}
            >
              <span>{format(parseISO(opening.day), 'EEE')}</span>
              <span className="text-md font-semibold">{Number(opening.day.slice(8))}</span>
              <span className="truncate">{formatAvailability(opening, now)}</span>
            </button>
          </li>
        ))}
      </ul>
      {chosen && chosen.times.length === 0 && (
        <p className="text-sm text-warning-fg">
          {chosen.day < now ? 'This day has passed.' : chosen.isClosed ? 'No working hours on this day.' : 'No openings on this day.'}
        </p>
      )}
      {chosen && chosen.times.length > 0 && (
        <div role="radiogroup" aria-label="Openings of the day" className="flex flex-col gap-2">
          {partsOfDay.map(({ title, from: begin, to }) => {
            const times = chosen.times.filter((start) => start >= begin && start < to)
            if (times.length === 0) return null
            return (
              <div key={title}>
                <h4 className="pb-1 text-xs font-medium text-fg-3">{title}</h4>
                <div className="grid grid-cols-[repeat(auto-fill,minmax(5.25rem,1fr))] gap-1.5">
                  {times.map((start) => (
                    <label
                      key={start}
                      className="relative flex h-11 items-center justify-center rounded-md border border-line-2 bg-raised text-sm tabular-nums hover:bg-hover has-checked:border-accent has-checked:bg-selected has-checked:text-accent-fg md:h-8"
                    >
                      <input
                        type="radio"
                        name={name}
                        value={start}
                        checked={start === time}
                        onChange={() => onChange({ day, time: start })}
                        className="absolute -inset-px appearance-none rounded-md"
                      />
                      {formatTimeOfDay(start)}
                    </label>
                  ))}
                </div>
              </div>
            )
          })}
        </div>
      )}
      {visitType && buffer > 0 && (
        <p className="text-sm text-fg-3">
          Openings fit {minutes} minutes plus {buffer} minutes of buffer.
        </p>
      )}
    </section>
  )
}

/** '9 open', 'full', 'closed', 'past' */
function formatAvailability({ day, isClosed, times }: DayOpenings, now: string): string {
  if (day < now) return 'past'
  if (isClosed) return 'closed'
  return times.length === 0 ? 'full' : `${times.length} open`
}
