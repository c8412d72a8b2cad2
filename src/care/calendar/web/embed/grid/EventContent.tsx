import type { ReactNode } from 'react'
import { cn } from '../../../../../ui/cn.ts'
import { type Booking, patientName } from '../booking/bookings.ts'
import { SameNameMark } from '../booking/SameName.tsx'
import type { EventSituation } from './grid-content.tsx'
import { type Names, providerName, roomName } from '../names.ts'
import { formatTimes } from '../times.ts'

interface EventContentProps {
  booking: Pick<Booking, 'contact' | 'startsAt'>
  where: { providerId: string | null; roomId: string | null }
  situation: EventSituation
  names: Names
  timeZone: string
  style: { edge: string; icon: ReactNode; isOff: boolean }
  /** The type, for one-line events. */
  what: string
  /** Renders the lines below the name. */
  children: (times: string, where: ReactNode) => ReactNode
}

/** A booking in the calendar: on one line, or with details if there is room. */
export function EventContent({ booking, where, situation, names, timeZone, style, what, children }: EventContentProps) {
  const { startsAt, endsAt, isShort, isNarrow, hides } = situation
  const times = formatTimes(startsAt, endsAt, timeZone)
  const name = <span className={cn('min-w-0 truncate font-medium', style.isOff && 'line-through')}>{patientName(booking)}</span>
  const place = [
    hides === 'provider' ? null : providerName(where.providerId, names),
    hides === 'room' ? null : roomName(where.roomId, names),
  ]
  return (
    <span className="flex h-full min-w-0 gap-1.5">
      <span aria-hidden="true" className={cn('w-[3px] flex-none rounded-full', style.edge)} />
      {isShort ? (
        <span className="flex min-w-0 flex-1 items-center gap-1 self-center text-xs leading-4">
          <span className="flex-none tabular-nums">{times.split(' ')[0]}</span>
          {isNarrow ? <span className="sr-only">{name}</span> : name}
          <SameNameMark booking={booking} isShort />
          <span className={cn('ml-auto flex flex-none items-center pl-0.5', isNarrow && 'sr-only')}>{style.icon}</span>
          <span className="sr-only">, {what}</span>
        </span>
      ) : (
        <span className="flex min-w-0 flex-1 flex-col overflow-hidden py-0.5 text-xs leading-4 *:flex-none">
          <span className="flex min-w-0 items-center gap-1">
            {name}
            <SameNameMark booking={booking} isShort />
            <span className="ml-auto flex flex-none items-center">{style.icon}</span>
          </span>
          {children(times, place.some(Boolean) && <span className="truncate">{place.filter(Boolean).join(' · ')}</span>)}
        </span>
      )}
    </span>
  )
}
