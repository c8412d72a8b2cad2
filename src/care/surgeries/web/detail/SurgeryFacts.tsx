import { lengthOf } from '../../../calendar/web/embed/grid/entry.ts'
import { type Names, providerName, roomName } from '../../../calendar/web/embed/names.ts'
import { formatDuration, formatWhen } from '../../../calendar/web/embed/times.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { None } from '../../../../ui/display/Table.tsx'
import { blockingStatuses } from '../../rules.ts'
import type { SurgeryInList } from '../surgery-data.ts'
import { anaesthesiaLabels, formatDaysToGo } from '../labels.ts'

export function SurgeryFacts({ surgery, names }: { surgery: SurgeryInList; names: Names }) {
  const clock = useClock()
  const { status, procedures, surgeonId, assistantIds, anaesthesia, roomId, implants, priceCents, notes, cancelReason, daysToGo } = surgery
  const room = names.rooms.find(({ id }) => id === roomId)
  const isHeld = blockingStatuses.includes(status)
  return (
    <Facts>
      <Fact label={isHeld ? 'When' : 'Was on'}>
        <span className="font-medium tabular-nums">{formatWhen(surgery, clock)}</span>
        <span className="block text-xs text-fg-3">
          {[formatDuration(lengthOf(surgery)), isHeld && formatDaysToGo(daysToGo)].filter(Boolean).join(' · ')}
        </span>
      </Fact>
      <Fact label={procedures.length === 1 ? 'Procedure' : 'Procedures'}>
        {procedures.map(({ id, name }) => (
          <span key={id} className="block">
            {name}
          </span>
        ))}
      </Fact>
      <Fact label="Surgeon">{providerName(surgeonId, names) ?? <None />}</Fact>
      <Fact label="Assistants">{assistantIds.map((id) => providerName(id, names)).join(', ') || <None />}</Fact>
      <Fact label="Anaesthesia">{anaesthesiaLabels[anaesthesia]}</Fact>
      <Fact label="Room">
        {roomName(roomId, names) ?? <None />}
        {room?.location && <span className="block text-xs text-fg-3">{room.location}</span>}
      </Fact>
      <Fact label="Implants">
        <span className="whitespace-pre-wrap">{implants ?? <None />}</span>
      </Fact>
      <Fact label="Price">
        <span className="tabular-nums">{priceCents === null ? <None>Not known yet</None> : formatMoney(priceCents)}</span>
      </Fact>
      {cancelReason !== null && <Fact label="Cancelled">{cancelReason}</Fact>}
      {notes !== null && (
        <Fact label="Notes">
          <span className="whitespace-pre-wrap">{notes}</span>
        </Fact>
      )}
    </Facts>
  )
}
