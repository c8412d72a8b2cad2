import { useState } from 'react'
import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { asSentence } from '../../../shared/sentence.ts'
import { toast } from '../../../ui/toast.ts'
import type { Names } from '../../calendar/web/embed/names.ts'
import { formatOverlap } from '../../calendar/web/embed/refusal.ts'
import { mayFollow, type SurgeryStatus } from '../rules.ts'
import { refusalOf } from './refusals.ts'
import { patientName, type SurgeryInList } from './surgery-data.ts'
import { useSurgeryCache } from './useSurgeryCache.ts'
import { statusLabels } from './labels.ts'

const done: Record<SurgeryStatus, string> = {
  tentative: 'is tentative again',
  confirmed: 'is confirmed',
  completed: 'is completed',
  postponed: 'is postponed. The time is free again',
  cancelled: 'is cancelled. The time is free again',
}

/** What becomes of a surgery, with Undo. What is refused is said. */
export function useSurgeryStatus(names: Names) {
  const clock = useClock()
  const { put, refresh } = useSurgeryCache()
  const [isBusy, setBusy] = useState(false)

  /** Answers the case as it is then; null when that was refused. */
  async function send(surgery: SurgeryInList, status: SurgeryStatus, reason?: string): Promise<SurgeryInList | null> {
    const { id, version, surgeonId: providerId, roomId } = surgery
    try {
      const after = await client.surgeries.setStatus({ id, version, status, reason })
      put(after)
      return after
    } catch (error) {
      const refusal = refusalOf(error)
      const failed = `${patientName(surgery)}: still ${statusLabels[surgery.status].toLowerCase()}`
      if (refusal.kind === 'overlap')
        toast.error(failed, `${asSentence(formatOverlap(refusal.overlap, { providerId, roomId }, names, clock.timeZone))} Move it first.`)
      else if (refusal.kind === 'conflict') {
        put(refusal.current)
        toast.error('Nothing was changed', 'Someone has changed this surgery in the meantime. It shows what it is now.')
      } else if (refusal.kind === 'fields') toast.error(failed, `${Object.values(refusal.fields).join('. ')}.`)
      else if (refusal.kind === 'message') toast.error(failed, refusal.message)
      return null
    } finally {
      refresh()
    }
  }

  /** Answers whether it was done. */
  async function set(surgery: SurgeryInList, status: SurgeryStatus, reason?: string): Promise<boolean> {
    if (isBusy) return false
    setBusy(true)
    const after = await send(surgery, status, reason)
    setBusy(false)
    if (!after) return false
    const said = `${patientName(after)}: surgery ${done[status]}`
    // A cancelled case can only be booked again as tentative, and one that was cancelled has lost its reason.
    if (surgery.status === 'cancelled' || !mayFollow(status, surgery.status)) toast.success(said)
    else toast.undoable(said, () => void send(after, surgery.status).then((back) => back && toast.success('Undone')))
    return true
  }

  return { set, isBusy }
}
