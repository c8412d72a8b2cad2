import { cn } from '../../../../ui/cn.ts'
import { type AppointmentData, patientName } from '../appointment-data.ts'
import { typeStyles } from '../looks.ts'
import { StatusIcon } from '../StatusMark.tsx'
import type { FaceSituation } from '../../../calendar/web/embed/grid-content.tsx'
import { type Names, providerName, roomName } from '../../../calendar/web/embed/names.ts'
import { formatTimes } from '../../../calendar/web/embed/times.ts'
import { typeLabels } from '../labels.ts'

interface AppointmentContentProps extends FaceSituation {
  appointment: AppointmentData
  names: Names
  timeZone: string
}

/** An appointment in the calendar. */
export function AppointmentContent({ appointment, startsAt, endsAt, names, timeZone, isShort, isNarrow, hides }: AppointmentContentProps) {
  const { type, status, providerId, roomId } = appointment
  const times = formatTimes(startsAt, endsAt, timeZone)
  const isOff = status === 'no_show' || status === 'cancelled'
  const name = <span className={cn('min-w-0 truncate font-medium', isOff && 'line-through')}>{patientName(appointment)}</span>
  const icon = <StatusIcon status={status} className="size-3!" />
  const where = [hides === 'provider' ? null : providerName(providerId, names), hides === 'room' ? null : roomName(roomId, names)]
  return (
    <span className="flex h-full min-w-0 gap-1.5">
      <span aria-hidden="true" className={cn('w-[3px] flex-none rounded-full', typeStyles[type].edge)} />
      {isShort ? (
        <span className="flex min-w-0 flex-1 items-center gap-1 self-center text-xs leading-4">
          <span className="flex-none tabular-nums">{times.split(' ')[0]}</span>
          {isNarrow ? <span className="sr-only">{name}</span> : name}
          <span className={cn('ml-auto flex flex-none items-center pl-0.5', isNarrow && 'sr-only')}>{icon}</span>
          <span className="sr-only">, {typeLabels[type]}</span>
        </span>
      ) : (
        <span className="flex min-w-0 flex-1 flex-col overflow-hidden py-0.5 text-xs leading-4 *:flex-none">
          <span className="flex min-w-0 items-center gap-1">
            {name}
            <span className="ml-auto flex flex-none items-center">{icon}</span>
          </span>
          <span className="truncate tabular-nums">
            {times}
            <span> · {typeLabels[type]}</span>
          </span>
          {where.some(Boolean) && <span className="truncate">{where.filter(Boolean).join(' · ')}</span>}
        </span>
      )}
    </span>
  )
}
