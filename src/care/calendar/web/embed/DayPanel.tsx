import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { TriangleAlert } from 'lucide-react'
import { weekdayOf } from '../../../../platform/practice/rules.ts'
import { useHours } from '../../../../platform/practice/web/embed/usePractice.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { formatTimeOfDay, today } from '../../../../ui/format.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { freeStarts, minuteOf, overlaps, type Span, timeOf } from '../../../appointments/opening-rules.ts'
import { type Names, providerName, roomName } from './names.ts'
import { formatTimes } from './times.ts'
import { inTheWay, type Taken as TakenSpan, useDay } from './useDay.ts'

interface DayPanelProps {
  /** '' where nothing is typed yet. */
  day: string
  time: string
  /** Null while it is no length. */
  minutes: number | null
  providerId: string | null
  roomId: string | null
  /** What is being moved: it is not in its own way. */
  except: string | null
  names: Names
  /** Absent where the free times are shown elsewhere. */
  onTime?: (time: string) => void
  /** Given, what the room alone is in the way of may be booked without it. */
  onWithoutRoom?: () => void
}

const maxProposed = 6

/** What else there is on the day for the provider and the room, and when both are free. */
export function DayPanel({ day, time, minutes, providerId, roomId, except, names, onTime, onWithoutRoom }: DayPanelProps) {
  const { isDay, taken, isKnown, hasFailed } = useDay(day, except)
  const hours = useHours().data
  const clock = useClock()
  if (!isDay) return <p className="text-sm text-fg-3">Choose a date to see availability.</p>
  const wanted = time !== '' && minutes !== null ? { from: minuteOf(time), to: minuteOf(time) + minutes } : null
  const open = hours?.find(({ weekday }) => weekday === weekdayOf(day))
  const now = today(clock)
  const passed = day === now ? minutesSince(clock.now, clock.timeZone) : 0
  const inWay = inTheWay(taken, { providerId, roomId })
  const free =
    onTime && isKnown && open && minutes !== null && day >= now && (providerId !== null || roomId !== null)
      ? freeStarts({
          taken: inWay,
          open: { from: minuteOf(open.opens), to: minuteOf(open.closes) },
          minutes,
          from: Math.max(passed, wanted?.from ?? 0),
          most: maxProposed,
        }).filter((start) => start !== wanted?.from)
      : []
  const clashes = wanted ? inWay.filter((one) => overlaps(one, wanted)) : []
  const isRoomAlone =
    clashes.length > 0 && roomId !== null && clashes.every((one) => one.roomId === roomId && one.providerId !== providerId)
  const groups = [
    { id: providerId, name: providerName(providerId, names), key: 'providerId' as const },
    { id: roomId, name: roomName(roomId, names), key: 'roomId' as const },
  ].filter(({ id }) => id !== null)

  return (
    <section aria-label="What else there is" className="flex flex-col gap-4">
      {clashes[0] && (
        <Alert
          tone="warning"
          title={`${formatTimeOfDay(time)} is taken`}
          action={
            isRoomAlone &&
            onWithoutRoom && (
              <Button size="sm" onClick={onWithoutRoom}>
                Continue without a room
              </Button>
            )
          }
        >
          {(clashes[0].providerId === providerId && providerName(providerId, names)) || roomName(roomId, names)}: {clashes[0].patient},{' '}
          {clashes[0].what}, {formatTimes(clashes[0].startsAt, clashes[0].endsAt, clock.timeZone)}.
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
          <Taken key={key} name={name ?? ''} taken={inWay.filter((one) => one[key] === id)} wanted={wanted} />
        ))
      ) : (
        <Taken name="Everyone" taken={taken} wanted={null} />
      )}
      {free.length > 0 && (
        <div>
          <h4 className="pb-1.5 text-xs font-medium text-fg-3">{wanted ? 'Other open times' : 'Free'}</h4>
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

/** Minutes of the day that are over. */
function minutesSince(now: Date | string | number, timeZone: string): number {
  const [hour, minute] = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(now)).split(':')
  return Number(hour) * 60 + Number(minute)
}

function Taken({ name, taken, wanted }: { name: string; taken: readonly TakenSpan[]; wanted: Span | null }) {
  const { timeZone } = useClock()
  return (
    <div>
      <h4 className="pb-1 text-xs font-medium text-fg-3">{name}</h4>
      {taken.length === 0 ? (
        <p className="text-sm text-fg-3">Nothing else</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {taken.map((one) => {
            const isClash = wanted !== null && overlaps(one, wanted)
            return (
              <li key={one.id} className={cn('text-sm leading-4.5', isClash ? 'text-danger-fg' : 'text-fg-2')}>
                <span className="flex items-center gap-1 tabular-nums">
                  {formatTimes(one.startsAt, one.endsAt, timeZone)}
                  {isClash && <TriangleAlert aria-hidden="true" className="size-3.5!" />}
                  {isClash && <span className="sr-only">Overlaps</span>}
                </span>
                <span className={cn('block truncate text-xs', !isClash && 'text-fg-3')}>
                  {one.patient}, {one.what}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
