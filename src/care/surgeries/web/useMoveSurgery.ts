import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { formatDateTime } from '../../../ui/format.ts'
import { asSentence } from '../../../shared/sentence.ts'
import { toast } from '../../../ui/toast.ts'
import { lengthOf } from '../../calendar/web/embed/entry.ts'
import { formatMoved } from '../../calendar/web/embed/moved-labels.ts'
import { type Names, providerName, roomName } from '../../calendar/web/embed/names.ts'
import { formatOverlap } from '../../calendar/web/embed/refusal.ts'
import { refusalOf } from './refusals.ts'
import { patientName, type SurgeryInList } from './surgery-data.ts'
import { useSurgeryCache } from './useSurgeryCache.ts'

/** Where and when a surgery takes place. */
type TimeSlot = Pick<SurgeryInList, 'startsAt' | 'endsAt' | 'surgeonId' | 'roomId'>

const slotOf = ({ startsAt, endsAt, surgeonId, roomId }: SurgeryInList): TimeSlot => ({ startsAt, endsAt, surgeonId, roomId })

const placed = ({ surgeonId, ...surgery }: SurgeryInList) => ({ ...surgery, providerId: surgeonId })

/** Moves a surgery at once, with Undo. What is refused is put back, and said. */
export function useMoveSurgery(names: Names) {
  const clock = useClock()
  const { show, put, refresh } = useSurgeryCache()

  async function send(surgery: SurgeryInList, slot: TimeSlot, done: (after: SurgeryInList) => void) {
    const before = slotOf(surgery)
    show(surgery.id, slot)
    try {
      const { id, version } = surgery
      const { startsAt, surgeonId, roomId } = slot
      const after = await client.surgeries.change({ id, version, startsAt, surgeonId, roomId, minutes: lengthOf(slot) })
      put(after)
      done(after)
    } catch (error) {
      show(surgery.id, before)
      const refusal = refusalOf(error)
      const failed = `${patientName(surgery)} was not moved`
      if (refusal.kind === 'overlap') {
        const wanted = { providerId: slot.surgeonId, roomId: slot.roomId }
        toast.error(failed, asSentence(formatOverlap(refusal.overlap, wanted, names, clock.timeZone)))
      } else if (refusal.kind === 'conflict') {
        put(refusal.current)
        toast.error(failed, 'Someone has changed this surgery in the meantime. It stands where they put it.')
      } else if (refusal.kind === 'fields') toast.error(failed, Object.values(refusal.fields).join('. '))
      else if (refusal.kind === 'message') toast.error(failed, refusal.message)
    }
    refresh()
  }

  return (surgery: SurgeryInList, slot: TimeSlot) =>
    void send(surgery, slot, (after) => {
      const { surgeonId, roomId } = after
      const moved = formatMoved(placed(surgery), placed(after), providerName(surgeonId, names), roomName(roomId, names), clock)
      const back = slotOf(surgery)
      toast.undoable(
        `${patientName(after)} ${moved}`,
        () => void send(after, back, (one) => toast.success(`${patientName(one)} is back at ${formatDateTime(back.startsAt, clock)}`)),
      )
    })
}
