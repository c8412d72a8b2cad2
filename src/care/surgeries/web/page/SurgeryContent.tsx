import type { FaceSituation } from '../../../calendar/web/embed/grid-content.tsx'
import { type Names, providerName, roomName } from '../../../calendar/web/embed/names.ts'
import { formatTimes } from '../../../calendar/web/embed/times.ts'
import { ProcedureDots } from '../../../../crm/procedures/web/embed/ProcedureDots.tsx'
import { cn } from '../../../../ui/cn.ts'
import { statusLooks } from '../looks.ts'
import { StatusIcon } from '../StatusMark.tsx'
import { patientName, type SurgeryInList } from '../surgery-data.ts'
import { isAwaited, formatProcedures } from '../labels.ts'

interface SurgeryContentProps extends FaceSituation {
  surgery: SurgeryInList
  names: Names
  timeZone: string
}

/** A surgery in the calendar. */
export function SurgeryContent({ surgery, startsAt, endsAt, names, timeZone, isShort, isNarrow, hides }: SurgeryContentProps) {
  const { status, shownStatus, surgeonId, roomId, missing } = surgery
  const times = formatTimes(startsAt, endsAt, timeZone)
  const procedures = formatProcedures(surgery)
  const name = <span className={cn('min-w-0 truncate font-medium', status === 'cancelled' && 'line-through')}>{patientName(surgery)}</span>
  const icon = <StatusIcon status={shownStatus} className="size-3!" />
  const where = [hides === 'provider' ? null : providerName(surgeonId, names), hides === 'room' ? null : roomName(roomId, names)]
  return (
    <span className="flex h-full min-w-0 gap-1.5">
      <span aria-hidden="true" className={cn('w-[3px] flex-none rounded-full', statusLooks[shownStatus].edge)} />
      {isShort ? (
        <span className="flex min-w-0 flex-1 items-center gap-1 self-center text-xs leading-4">
          <span className="flex-none tabular-nums">{times.split(' ')[0]}</span>
          {isNarrow ? <span className="sr-only">{name}</span> : name}
          <span className={cn('ml-auto flex flex-none items-center pl-0.5', isNarrow && 'sr-only')}>{icon}</span>
          <span className="sr-only">, {procedures}</span>
        </span>
      ) : (
        <span className="flex min-w-0 flex-1 flex-col overflow-hidden py-0.5 text-xs leading-4 *:flex-none">
          <span className="flex min-w-0 items-center gap-1">
            {name}
            <span className="ml-auto flex flex-none items-center">{icon}</span>
          </span>
          <span className="truncate tabular-nums">{times}</span>
          <span className="flex min-w-0 items-center gap-1">
            <ProcedureDots ids={surgery.procedures.map(({ id }) => id)} />
            <span className="truncate">{procedures}</span>
          </span>
          {where.some(Boolean) && <span className="truncate">{where.filter(Boolean).join(' · ')}</span>}
          {isAwaited(status) && missing.length > 0 && <span className="truncate tabular-nums">{missing.length} missing</span>}
        </span>
      )}
    </span>
  )
}
