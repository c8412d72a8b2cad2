import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { TriangleAlert } from 'lucide-react'
import { weekdayOf } from '../../../../../platform/practice/rules.ts'
import { useHours } from '../../../../../platform/practice/web/embed/usePractice.ts'
import { asSentence } from '../../../../../shared/sentence.ts'
import { useClock } from '../../../../../ui/client/session.ts'
import { Alert } from '../../../../../ui/display/Alert.tsx'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { cn } from '../../../../../ui/cn.ts'
import { formatTimeOfDay, today } from '../../../../../ui/format.ts'
import { Skeleton } from '../../../../../ui/display/Skeleton.tsx'
import { freeStarts, minuteOf, overlaps, type Span, timeOf } from '../../../../appointments/opening-rules.ts'
import { type Names, providerName, roomName } from '../names.ts'
import { formatTimes } from '../times.ts'
import { bookingsOf, type BookedSpan, useDay } from './useDay.ts'

/** The time, provider and room in the form. */
export interface RequestedSlot {
  /** '' until typed. */
  day: string
  time: string
  /** Null while the duration is invalid. */
  minutes: number | null
  providerId: string | null
  roomId: string | null
  /** The booking being moved, which does not block its own time. */
  except: string | null
}

interface DayPanelProps {
  slot: RequestedSlot
  names: Names
  /** Undefined if free times are shown elsewhere. */
  onTime?: (time: string) => void
  /** Given, the user can continue without a room if only the room is booked. */
  onWithoutRoom?: () => void
}

const maxFreeTimes = 6

/** Other bookings of the provider and the room on a day, and times when both are free. */
export function DayPanel({ slot, names, onTime, onWithoutRoom }: DayPanelProps) {
  const { day, time, minutes, providerId, roomId, except } = slot
  const { isDay, taken, isKnown, hasFailed } = useDay(day, except)
  const hours = useHours().data
  const clock = useClock()
  if (!isDay) return <p className="text-sm text-fg-3">Choose a date to see availability.</p>
  const requested = time !== '' && minutes !== null ? { from: minuteOf(time), to: minuteOf(time) + minutes } : null
  const open = hours?.find(({ weekday }) => weekday === weekdayOf(day))
  const now = today(clock)
  const elapsed = day === now ? minutesIntoDay(clock.now, clock.timeZone) : 0
  const conflicting = bookingsOf(taken, { providerId, roomId })
  const free =
    onTime && isKnown && open && minutes !== null && day >= now && (providerId !== null || roomId !== null)
      ? freeStarts({
          taken: conflicting,
          open: { from: minuteOf(open.opens), to: minuteOf(open.closes) },
          minutes,
          from: Math.max(elapsed, requested?.from ?? 0),
          limit: maxFreeTimes,
        }).filter((start) => start !== requested?.from)
      : []
  const clashes = requested ? conflicting.filter((booking) => overlaps(booking, requested)) : []
  const isOnlyRoom =
    clashes.length > 0 && roomId !== null && clashes.every((booking) => booking.roomId === roomId && booking.providerId !== providerId)
  const groups = [
    { id: providerId, name: providerName(providerId, names), key: 'providerId' as const },
    { id: roomId, name: roomName(roomId, names), key: 'roomId' as const },
  ].filter(({ id }) => id !== null)

  return (
    <section aria-label="Other bookings" className="flex flex-col gap-4">
      {clashes[0] && (
        <Alert
          tone="warning"
          title={`${formatTimeOfDay(time)} is already booked`}
          action={
            isOnlyRoom &&
            onWithoutRoom && (
              <Button size="sm" onClick={onWithoutRoom}>
                Continue without a room
              </Button>
            )
          }
        >
          {(clashes[0].providerId === providerId && providerName(providerId, names)) || roomName(roomId, names)}: {clashes[0].patient},{' '}
          {clashes[0].what}, {asSentence(formatTimes(clashes[0].startsAt, clashes[0].endsAt, clock.timeZone))}
        </Alert>
      )}
      <div>
        <h3 className="text-sm font-semibold text-fg">
          {format(parseISO(day), day.slice(0, 4) === now.slice(0, 4) ? 'EEEE, MMM d' : 'EEEE, MMM d, yyyy')}
        </h3>
        {hours && (
          <p className="text-sm text-fg-3">
            {open ? `Open ${formatTimeOfDay(open.opens)} to ${formatTimeOfDay(open.closes)}` : 'The practice is closed'}
          </p>
        )}
      </div>
      {hasFailed ? (
        <p role="alert" className="text-sm text-danger-fg">
          Couldn’t load other bookings. Overlaps are still refused.
        </p>
      ) : !isKnown ? (
        <Skeleton className="w-2/3" />
      ) : groups.length > 0 ? (
        groups.map(({ id, name, key }) => (
          <Taken key={key} name={name ?? ''} taken={conflicting.filter((booking) => booking[key] === id)} requested={requested} />
        ))
      ) : (
        <Taken name="Everyone" taken={taken} requested={null} />
      )}
      {free.length > 0 && (
        <div>
          <h4 className="pb-1.5 text-xs font-medium text-fg-3">{requested ? 'Other open times' : 'Free'}</h4>
          <div className="flex flex-wrap gap-1.5">
            {free.map((start) => (
              <Button key={start} size="sm" className="tabular-nums" onClick={() => onTime?.(timeOf(start))}>
                {formatTimeOfDay(timeOf(start))}
              </Button>
            ))}
          </div>
        </div>
      )}
    </section>
  )
}

/** Minutes since local midnight. */
function minutesIntoDay(now: Date | string | number, timeZone: string): number {
  const [hour, minute] = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(now)).split(':')
  return Number(hour) * 60 + Number(minute)
}

function Taken({ name, taken, requested }: { name: string; taken: readonly BookedSpan[]; requested: Span | null }) {
  const { timeZone } = useClock()
  return (
    <div>
      <h4 className="pb-1 text-xs font-medium text-fg-3">{name}</h4>
      {taken.length === 0 ? (
        <p className="text-sm text-fg-3">No other bookings</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {taken.map((booking) => {
            const isClash = requested !== null && overlaps(booking, requested)
            return (
              <li key={booking.id} className={cn('text-sm leading-4.5', isClash ? 'text-danger-fg' : 'text-fg-2')}>
                <span className="flex items-center gap-1 tabular-nums">
                  {formatTimes(booking.startsAt, booking.endsAt, timeZone)}
                  {isClash && <TriangleAlert aria-hidden="true" className="size-3.5!" />}
                  {isClash && <span className="sr-only">Overlaps</span>}
                </span>
                <span className={cn('block truncate text-xs', !isClash && 'text-fg-3')}>
                  {booking.patient}, {booking.what}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
